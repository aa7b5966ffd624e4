package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"contend/experiments/report"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
)

// reportLong is the help text of contend report.
const reportLong = `Write the results of a folder as one HTML page: what was run and how to repeat
it, the tables, the comparison with published values, the figures with their numbers, and a player
of the machine over time. The page needs nothing from outside, so it can be sent or archived by
itself.

The player shows runs that contend run --record recorded. --data-mb limits what is taken into the
page: the first replication of every point comes first, and the page says what was left out.`

// pageMark is the mark of a page.
var pageMark = written.Mark{Begin: "<!-- contend report, CRC-32C: ", End: " -->\n"}

// reportCommand returns the command contend report.
func (a *app) reportCommand() *cobra.Command {
	var out string
	megabytes := report.DefaultLimit >> 20
	c := &cobra.Command{
		Use: "report DIR", Short: "Write the results as one HTML page that needs nothing from outside",
		Long: reportLong, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			const most = 1000
			if megabytes < 0 || megabytes > most {
				return &input.Error{Where: fmt.Sprint("--data-mb ", megabytes),
					Problem: "not a size that a browser opens",
					Right:   fmt.Sprintf("give 0 to %d", most)}
			}
			path := cmp.Or(out, filepath.Join(args[0], "report.html"))
			results, err := a.readFolder(args[0])
			if err != nil {
				return err
			}
			err = a.writeFile(path, pageMark, results.Folder.Out, func(w io.Writer) error {
				return report.WritePage(w, results, report.PageOptions{Limit: megabytes << 20})
			})
			if err == nil {
				fmt.Fprintf(a.stdout, "The report is %s\n", path)
			}
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write (default DIR/report.html)")
	forceFlag(c.Flags(), &a.force)
	c.Flags().IntVar(&megabytes, "data-mb", megabytes,
		"largest size of the recorded tables in the page, in megabytes")
	return c
}
