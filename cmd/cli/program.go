package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

// fingerprint identifies the code that makes the runs, so that results of other code
// are never used: see fingerprintOf. It is computed on first use.
var fingerprint = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return fingerprintOf(info, func() (string, error) {
		path, err := os.Executable()
		if err != nil {
			return "", err
		}
		return fileHash(path)
	})
})

// fingerprintOf returns the commit of the program if nothing was changed since, or the
// version of the module if the program was fetched as one. If neither is known, as with
// go run, it appends the hash of the program's own bytes to the name: the same code
// built in the same way has the same bytes, other code has others.
func fingerprintOf(info *debug.BuildInfo, hash func() (string, error)) string {
	name, clean := buildName(info)
	if clean {
		return name
	}
	sum, err := hash()
	if err != nil {
		panic(fmt.Sprintf("contend: the program cannot read its own bytes: %v", err))
	}
	return name + "-" + sum[:12]
}

// revision returns the commit in the build information, "" for none, and whether the program
// was changed since.
func revision(info *debug.BuildInfo) (commit string, modified bool) {
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return commit, modified
}

// buildName returns the name in the build information, and whether the name identifies
// the code.
func buildName(info *debug.BuildInfo) (name string, clean bool) {
	if info == nil {
		return "devel", false
	}
	commit, modified := revision(info)
	commit = commit[:min(12, len(commit))]
	for _, d := range info.Deps { // code from a folder is of no commit and no version
		modified = modified || d.Replace != nil && d.Replace.Version == ""
	}
	version := info.Main.Version
	switch {
	case commit != "" && modified:
		return commit + "+modified", false
	case commit != "":
		return commit, true
	case version == "" || version == "(devel)" || info.Main.Sum == "":
		return "devel", false
	}
	return version, true
}

// fileHash returns the SHA-256 of a file in hexadecimal.
func fileHash(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// packagedVersion is the version by which a package with the program is named, set by the linker in
// make dist; "" elsewhere. Go itself knows a version only of a commit with a tag.
var packagedVersion string

// versionText returns the text of --version.
func versionText() string {
	version, commit, modified := "", "", false
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		commit, modified = revision(info)
	}
	commit = cmp.Or(commit, "unknown")
	if modified {
		commit += ", modified"
	}
	return fmt.Sprintf("contend %s\ncommit %s\ngo %s %s/%s\nfingerprint %s\n",
		cmp.Or(packagedVersion, version, "(devel)"), commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH, fingerprint())
}

// versionFlag defines --version. Cobra's own flag needs the text in advance, and the fingerprint
// may need to read the whole program.
func (a *app) versionFlag(root *cobra.Command) {
	wanted := root.Flags().Bool("version", false, "print version, commit, Go version and fingerprint")
	root.Args = cobra.NoArgs
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *wanted {
			_, err := fmt.Fprint(a.stdout, versionText())
			return err
		}
		return c.Help()
	}
}
