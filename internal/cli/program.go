package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"contend/experiments"
	"contend/experiments/spec"
	"contend/experiments/sweep"
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

// buildName returns the name in the build information, and whether the name identifies
// the code.
func buildName(info *debug.BuildInfo) (name string, clean bool) {
	if info == nil {
		return "devel", false
	}
	revision, modified := "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	for _, d := range info.Deps { // code from a folder is of no commit and no version
		modified = modified || d.Replace != nil && d.Replace.Version == ""
	}
	version := info.Main.Version
	switch {
	case revision != "" && modified:
		return revision + "+modified", false
	case revision != "":
		return revision, true
	case version == "" || version == "(devel)" || info.Main.Sum == "":
		return "devel", false
	}
	return version, true
}

// fileHash is the SHA-256 of a file in hexadecimal.
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

// freshFlag defines --fresh.
func freshFlag(define func(*bool, string, bool, string), to *bool) {
	define(to, "fresh", false,
		"start the output folder anew: remove the study, runs and rows that it holds")
}

// readFolder reads the results of a folder, and says where another program made them. What is
// unknown in it may be so because a program of one's own wrote it, and the error says that.
func (a *app) readFolder(dir string) (*experiments.Results, error) {
	results, err := experiments.ReadFolder(dir, a.names)
	var input *spec.InputError
	if p := experiments.ProgramOf(dir); errors.As(err, &input) && p != "" && p != fingerprint() {
		input.Right += fmt.Sprintf("; another program wrote %s (%s), this one is %s: the other may know "+
			"more names", dir, p, fingerprint())
	}
	if err != nil {
		return nil, err
	}
	if made := results.Program(); made != "" && made != fingerprint() {
		fmt.Fprintf(a.stderr, "contend: the runs of %s were made by another program (%s), this one is "+
			"%s\n", dir, spec.Printable(made), fingerprint())
	}
	if results.Folder.Unsummed {
		fmt.Fprintf(a.stderr, "contend: the runs of %s have no checksums: damage to them is not "+
			"noticed\n", dir)
	}
	return results, nil
}

// openFolder opens an output folder, which is started anew if it shall be fresh.
func (a *app) openFolder(dir string, st *experiments.Study, fresh bool) (*experiments.Folder,
	error) {
	if err := a.lock(dir); err != nil {
		return nil, err
	}
	if fresh {
		if names := sweep.Submitted(dir); names != nil {
			return nil, &spec.InputError{Where: "--fresh", Problem: "jobs that make runs of " + dir +
				" may be in the queue", Right: fmt.Sprintf("end them with scancel -n %s, and remove %s",
				strings.Join(names, ","), filepath.Join(dir, sweep.Folder))}
		}
		if err := experiments.ClearFolder(dir, sweep.Folder); err != nil {
			return nil, err
		}
	}
	return experiments.OpenFolder(dir, st, fingerprint(), a.names)
}
