package cli

import (
	"os"

	"contend/internal/input"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manualCommand returns the command contend manual, which make install and make dist run. It is
// in no manual itself.
func (a *app) manualCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "manual DIR",
		Short: "Write a manual page for each command into a folder",
		Long: "Write a manual page for each command into a folder. The date of the pages is that of\n" +
			"SOURCE_DATE_EPOCH, so that they are the same whenever they are made.",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return input.Bad("", "give a folder", "%v", err)
			}
			root := Describe(a.names)
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "contend",
				Manual: "contend"}, args[0])
		},
	}
	explainUsage(c)
	return c
}
