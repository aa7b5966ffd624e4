package cli

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/internal/written"
)

// flippedStudy has all files of results: tables, notes, parts and a figure.
const flippedStudy = `
name = "flipped"
primary = ["finish_time"]
[machine]
dims = [2, 2]
[workload]
jobs = 3
side.max = 2
system_load = 0.5
[job]
pattern = "ring"
[network]
virtual_channels = 1
[runs]
replications = 1
max_replications = 20
max_relative_error = 0.0
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[figures]]
name = "finish"
kind = "bars"
x = "allocator"
metric = "finish_time"
`

// flipped makes results in a folder of a test and returns its path.
func flipped(t *testing.T) (study, folder string) {
	t.Helper()
	dir := t.TempDir()
	study, folder = filepath.Join(dir, "s.toml"), filepath.Join(dir, "out")
	must.Do(os.WriteFile(study, []byte(flippedStudy), 0o600))
	args := []string{"run", study, "-o", folder, "--jobs-csv"}
	var stderr bytes.Buffer
	if status := Run(args, io.Discard, &stderr, metrics.Builtin()); status != exitDone {
		t.Fatal(stderr.String())
	}
	return study, folder
}

// filesIn lists the files below a folder.
func filesIn(folder string) (names []string) {
	must.Do(filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, filepath.ToSlash(must.Have(filepath.Rel(folder, path))))
		}
		return err
	}))
	return names
}

// Bytes of each file of a folder of results that is read back, and each fiftieth part of the
// others, are protected: what reads the file back, or else what would replace it, says that it has
// changed. TestLongEachByteOfResultsIsProtected takes each byte.
func TestBytesOfResultsAreProtected(t *testing.T) { checkProtected(t, 11) }

// checkProtected changes each byte in step of the files that are read back.
func checkProtected(t *testing.T, step int) {
	_, folder := flipped(t)
	read := func() error {
		_, err := experiments.ReadFolder(folder, metrics.Builtin())
		return err
	}
	results := must.Have(experiments.ReadFolder(folder, metrics.Builtin()))
	names := filesIn(folder)
	if len(names) < 20 || !slices.Contains(names, "notes.txt") {
		t.Fatalf("the files are %v", names)
	}
	for _, name := range names {
		path := filepath.Join(folder, filepath.FromSlash(name))
		noticed := func() bool { // by what would replace the file
			return !must.Have(written.In(folder).Owns(name))
		}
		each := true
		switch {
		case name == ".lock": // who has the lock, for messages alone
			continue
		case slices.Contains([]string{"spec.toml", "notes.txt", "runs.jsonl"}, name):
			noticed = func() bool { return read() != nil }
		case strings.HasSuffix(name, ".swf"):
			key := keyOf(results, path)
			noticed = func() bool {
				_, err := results.Folder.ReadLogPart(key)
				return err != nil
			}
		case strings.HasPrefix(name, "jobs.d/"):
			noticed = func() bool {
				file := must.Have(os.Open(path))
				defer file.Close()
				_, err := io.Copy(io.Discard, experiments.NewPartReader(path, file))
				return err != nil
			}
		case name == written.Record:
			noticed = func() bool {
				return written.In(folder).CheckAll() != nil || lost(folder, names)
			}
		default:
			each = false // all are checked in the same way, by their SHA-256
		}
		whole := must.Have(os.ReadFile(path))
		step := step
		switch {
		case name == written.Record: // the tests of its package change each byte
			step *= 5
		case !each:
			step = 1 + len(whole)/50
		}
		for i := 0; i < len(whole); i += step {
			changed := slices.Clone(whole)
			changed[i] ^= []byte{1, 0x80, 0x20}[i%3]
			must.Do(os.WriteFile(path, changed, 0o600))
			if !noticed() {
				t.Errorf("%s: byte %d of %d, %q: not noticed", name, i, len(whole), whole[i])
			}
		}
		must.Do(os.WriteFile(path, whole, 0o600))
		if read() != nil {
			t.Fatalf("%s: not as it was", name)
		}
	}
}

// lost reports whether the record of a folder lacks one of its files that it had.
func lost(folder string, names []string) bool {
	known := written.In(folder).Names()
	return slices.ContainsFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, "jobs.d/") && name != ".lock" && name != written.Record &&
			!slices.Contains(known, name)
	})
}

// keyOf returns the run of a log of results.
func keyOf(r *experiments.Results, path string) experiments.RunKey {
	for key := range r.Folder.Records {
		if r.Folder.LogPath(key) == path {
			return key
		}
	}
	panic("no run has the log " + path)
}

// What changes a file of results makes each command that reads it fail with the name of the file.
func TestCommandsSayWhatHasChanged(t *testing.T) {
	study, folder := flipped(t)
	commands := map[string][]string{
		"resume":  {"run", study, "-o", folder},
		"rows":    {"run", study, "-o", folder, "--jobs-csv"},
		"merge":   {"merge", folder + "-merged", folder},
		"report":  {"report", folder},
		"compare": {"compare", "--by", "allocator", folder},
		"plot":    {"plot", folder},
		"swf":     {"export", folder, "--format", "swf", "--at", "allocator=mbs"},
	}
	r := must.Have(experiments.ReadFolder(folder, metrics.Builtin()))
	log := func(point int) string { // by its name in the folder
		path := r.Folder.LogPath(experiments.RunKey{Hash: r.Points[point].Hash})
		return must.Have(filepath.Rel(folder, path))
	}
	other := must.Have(os.ReadFile(filepath.Join(folder, log(1))))
	for _, c := range []struct {
		name, before, after string
		by                  string // names of commands that read it
	}{
		{"spec.toml", "max_relative_error = 0\n", "max_relative_error = 7\n",
			"resume rows merge report compare plot swf"},
		{"spec.toml", "# Resolved by contend", "# resolved by contend",
			"resume rows merge report compare plot swf"},
		{"notes.txt", "alone", "along", "resume rows merge report compare plot swf"},
		{"notes.txt", "\n", "\nand more\n", "resume rows merge report compare plot swf"},
		{"runs.jsonl", "\"replication\":0", "\"replication\":1",
			"resume rows merge report compare plot swf"},
		{log(0), " 1 ", " 2 ", "merge swf"},
		{log(0), "", string(other), "merge swf"}, // of another run
		{strings.Replace(log(0), ".swf", ".csv", 1), "0", "1", "rows merge report"},
		{"summary.csv", "mean", "main", "resume rows"},
	} {
		path := filepath.Join(folder, c.name)
		whole := must.Have(os.ReadFile(path))
		changed := bytes.Replace(whole, []byte(c.before), []byte(c.after), 1)
		if c.before == "" {
			changed = []byte(c.after)
		}
		if bytes.Equal(whole, changed) {
			t.Fatalf("%s has no %s", path, c.before)
		}
		for name := range strings.SplitSeq(c.by, " ") {
			must.Do(os.RemoveAll(folder + "-merged"))
			must.Do(os.WriteFile(path, changed, 0o600))
			var stderr bytes.Buffer
			status := Run(commands[name], io.Discard, &stderr, metrics.Builtin())
			if status != exitInput || !strings.Contains(stderr.String(), path+":") {
				t.Errorf("%s changed, %s: status %d: %s", c.name, name, status, stderr.String())
			}
			if after := must.Have(os.ReadFile(path)); !bytes.Equal(after, changed) {
				t.Errorf("%s changed, %s: it is written anew", c.name, name)
			}
		}
		must.Do(os.WriteFile(path, whole, 0o600))
	}
	for _, name := range []string{"resume", "rows", "report", "compare", "plot", "merge"} {
		var stderr bytes.Buffer
		if status := Run(commands[name], io.Discard, &stderr, metrics.Builtin()); status != exitDone {
			t.Errorf("%s at the end: status %d: %s", name, status, stderr.String())
		}
	}
}
