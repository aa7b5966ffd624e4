package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Every line of runs.jsonl names the program that made the run. A folder counts
// the runs of one program only, because other code may give other results. Lines
// of other programs stay in the file until their runs are made again. KeepOld
// makes them count, and the lines then say so.

// resolvedBy begins spec.toml; the name of the program follows.
const resolvedBy = "# Resolved by contend "

// programOf returns the program that wrote a folder last. It returns "" if the
// folder does not say; then all runs count.
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

// counts reports whether a stored run is a result of this folder.
func (f *Folder) counts(r Record) bool {
	return f.program == "" || r.Version == f.program || r.KeptBy == f.program
}

// Old returns how many stored runs other programs made, and these programs.
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

// KeepOld makes the stored runs of other programs count as results.
func (f *Folder) KeepOld() {
	for key, r := range f.Records {
		if r.Version != f.Version {
			r.KeptBy = f.Version
			f.Records[key] = r
		}
	}
}

// forgetKept reverses the KeepOld of an earlier command, since each command has
// to ask for it again.
func (f *Folder) forgetKept() {
	for key, r := range f.Records {
		r.KeptBy = ""
		f.Records[key] = r
	}
}

// records returns the stored runs of all points, each once: points may share runs.
func (r *Results) records() []Record {
	var records []Record
	seen := map[RunKey]bool{}
	for i, p := range r.Points {
		for rep := range r.Replications(i) {
			key := RunKey{p.Hash, rep}
			if !seen[key] {
				seen[key] = true
				records = append(records, r.Folder.Records[key])
			}
		}
	}
	return records
}

// Programs returns the programs that made the runs, in alphabetical order. It leaves out
// those of runs that do not say which one made them.
func (r *Results) Programs() []string {
	var programs []string
	for _, made := range r.records() {
		if made.Version != "" && !slices.Contains(programs, made.Version) {
			programs = append(programs, made.Version)
		}
	}
	slices.Sort(programs)
	return programs
}

// KeptText says in a sentence that runs of other programs are among the results,
// "" if none are.
func (r *Results) KeptText() string {
	kept, records := 0, r.records()
	var programs []string
	for _, made := range records {
		if made.KeptBy == "" {
			continue
		}
		kept++
		if !slices.Contains(programs, made.Version) {
			programs = append(programs, made.Version)
		}
	}
	if kept == 0 {
		return ""
	}
	slices.Sort(programs)
	const text = "%d of %d runs were made by another program (%s) and kept on purpose (--keep-old)."
	return fmt.Sprintf(text, kept, len(records), strings.Join(programs, ", "))
}
