package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionText returns the text of --version.
func versionText() string {
	info, _ := debug.ReadBuildInfo()
	version, commit := versionOf(info)
	return fmt.Sprintf("contend %s\ncommit %s\ngo %s %s/%s\nfingerprint %s\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, fingerprint())
}

// versionOf returns the module's version and the commit it was built from.
func versionOf(info *debug.BuildInfo) (version, commit string) {
	version, commit = "(devel)", "unknown"
	if info == nil {
		return version, commit
	}
	if info.Main.Version != "" {
		version = info.Main.Version
	}
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if modified {
		commit += ", modified"
	}
	return version, commit
}

// versionFlag defines --version. Cobra's own needs the text in advance, and the
// fingerprint takes a look at the whole program.
func (a *app) versionFlag(root *cobra.Command) {
	asked := root.Flags().Bool("version", false, "print version, commit, Go version and fingerprint")
	root.Args = cobra.NoArgs
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *asked {
			_, err := fmt.Fprint(a.stdout, versionText())
			return err
		}
		return c.Help()
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version, commit, Go version and fingerprint", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.stdout, versionText())
			return err
		},
	}
}
