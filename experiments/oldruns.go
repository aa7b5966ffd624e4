package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Runs of other code are not results of this one. Every line of runs.jsonl
// names the program that made it; a folder takes those of one program, its
// own. Lines of others stay in the file until their runs are made again, and
// count only where a user says so (KeepOld), which the lines then tell.

// resolvedBy is what spec.toml begins with, before the name of the program.
const resolvedBy = "# Resolved by contend "

// programOf returns the program that wrote a folder last, "" where it does not
// say: then all runs count.
func programOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, specFile))
	first, _, _ := strings.Cut(string(text), "\n")
	name, ok := strings.CutPrefix(first, resolvedBy)
	name, _, found := strings.Cut(name, ";")
	if err != nil || !ok || !found {
		return ""
	}
	return name
}

// counts tells whether a stored run is a result of this folder.
func (f *Folder) counts(r Record) bool {
	return f.program == "" || r.Version == f.program || r.KeptBy == f.program
}

// Old tells how many stored runs other programs made, and which.
func (f *Folder) Old() (runs int, programs []string) {
	for _, r := range f.Records {
		if r.Version == f.Version {
			continue
		}
		runs++
		if !slices.Contains(programs, r.Version) {
			programs = append(programs, r.Version)
		}
	}
	slices.Sort(programs)
	return runs, programs
}

// KeepOld takes the stored runs of other programs for results.
func (f *Folder) KeepOld() {
	for key, r := range f.Records {
		if r.Version != f.Version {
			r.KeptBy = f.Version
			f.Records[key] = r
		}
	}
}

// forgetKept takes back what an earlier command was told to keep: each says so
// anew.
func (f *Folder) forgetKept() {
	for key, r := range f.Records {
		r.KeptBy = ""
		f.Records[key] = r
	}
}

// KeptText says that results are of another program; "" where none is.
func (r *Results) KeptText() string {
	kept, all := 0, 0
	var programs []string
	seen := map[RunKey]bool{}
	for i, p := range r.Points {
		for rep := range r.Replications(i) {
			key := RunKey{p.Hash, rep}
			if seen[key] {
				continue // points may share runs
			}
			seen[key] = true
			all++
			made := r.Folder.Records[key]
			if made.KeptBy == "" {
				continue
			}
			kept++
			if !slices.Contains(programs, made.Version) {
				programs = append(programs, made.Version)
			}
		}
	}
	if kept == 0 {
		return ""
	}
	slices.Sort(programs)
	const text = "%d of %d runs were made by another program (%s) and kept on purpose (--keep-old)."
	return fmt.Sprintf(text, kept, all, strings.Join(programs, ", "))
}
