package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"contend/experiments"
	"contend/experiments/spec"
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

// keepOldFlag defines --keep-old.
func keepOldFlag(define func(*bool, string, bool, string), to *bool) {
	define(to, "keep-old", false,
		"use stored runs of other builds of the program too; tables then say so")
}

// readFolder reads the results of a folder. What is unknown in it may be so because a program of
// one's own wrote it, and the error says that.
func (a *app) readFolder(dir string) (*experiments.Results, error) {
	results, err := experiments.ReadFolder(dir, a.names)
	var input *spec.InputError
	if p := experiments.ProgramOf(dir); errors.As(err, &input) && p != "" && p != fingerprint() {
		input.Right += fmt.Sprintf("; another program wrote %s (%s), this one is %s: the other may know "+
			"more names", dir, p, fingerprint())
	}
	return results, err
}

// openFolder opens an output folder. It reports whether runs of another program in the
// folder are used.
func (a *app) openFolder(dir string, st *experiments.Study,
	keepOld bool) (*experiments.Folder, error) {
	if err := a.lock(dir); err != nil {
		return nil, err
	}
	folder, err := experiments.OpenFolder(dir, st, fingerprint(), a.names)
	if err != nil {
		return nil, err
	}
	n, programs := folder.Old()
	if n == 0 {
		return folder, nil
	}
	runs := "1 stored run was"
	if n > 1 {
		runs = fmt.Sprint(n, " stored runs were")
	}
	told := fmt.Sprintf("contend: %s made by another program (%s); ", runs,
		strings.Join(programs, ", "))
	if keepOld {
		folder.KeepOld()
		fmt.Fprintln(a.stderr, told+"they are used as results (--keep-old)")
	} else {
		fmt.Fprintln(a.stderr, told+"they are ignored; --keep-old uses them")
	}
	return folder, nil
}
