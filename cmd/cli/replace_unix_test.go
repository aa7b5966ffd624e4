//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"contend/experiments/metrics"
	"contend/internal/must"
)

// writingStudy is a study of two points that ends at once, with jobs.csv.
const writingStudy = `
name = "writing"
primary = ["wait_time"]
[machine]
dims = [4, 4]
[workload]
jobs = 6
side.max = 2
[job]
run = %q
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
`

// writer is a command that writes a file.
type writer struct {
	name string
	// args are the arguments, in which DIR is a folder that is the test's own.
	args string
	// target is the file in DIR, and from the folder that is copied to DIR before, or "".
	target, from string
	// single is set if -o names the target itself, so that devices and pipes are written to.
	single bool
	// takes is set if the command makes DIR a folder of results.
	takes bool
}

// writers are all commands that write, by each file of a kind of their own.
var writers = []writer{
	{name: "run", args: "run STUDY -o DIR", target: "summary.csv", takes: true},
	{name: "run notes", args: "run STUDY -o DIR --set job.run=messages --set workload.system_load=0.5",
		target: "notes.txt", takes: true},
	{name: "run rows", args: "run STUDY -o DIR --jobs-csv", target: "jobs.csv", takes: true},
	{name: "resume", args: "run STUDY -o DIR --jobs-csv --set runs.replications=3",
		target: "table.md", from: "done", takes: true},
	{name: "fresh", args: "run STUDY -o DIR --fresh", target: "runs.parquet", from: "done"},
	{name: "merge", args: "merge DIR two", target: "wide.csv", from: "one"},
	{name: "merge anew", args: "merge DIR one two", target: "table.tex", takes: true},
	{name: "net", args: "net --topology mesh:4x4 --traffic uniform --loads 0.1 --warmup 10 --cycles 50 " +
		"-o DIR", target: "figures/captions.md", takes: true},
	{name: "matrix", args: "net --topology mesh:4x4 --matrix -o DIR", target: "network.anynet", takes: true},
	{name: "pattern", args: "pattern ring --processes 4 --matrix --format csv -o DIR",
		target: "ring-4.csv", takes: true},
	{name: "pattern trace", args: "pattern npb-is:S --processes 4 --trace 1 -o DIR",
		target: "npb-is-S-4.trc", takes: true},
	{name: "plot", args: "plot DIR --kind gantt --where allocator=mbs --format svg",
		target: "figures/gantt.svg", from: "done"},
	{name: "compare", args: "compare --by allocator DIR", target: "comparison-allocator.tex",
		from: "done"},
	{name: "why", args: "why DIR 2 --where allocator=random", target: "figures/why-2.csv",
		from: "waits"},
	{name: "report", args: "report DIR", target: "report.html", from: "done", single: true},
	{name: "report -o", args: "report done -o DIR/page.html", target: "page.html", single: true},
	{name: "export", args: "export DIR --at allocator=mbs", target: "trace.json", from: "done",
		single: true},
	{name: "export -o", args: "export done --at allocator=mbs --out DIR/t", target: "t", single: true},
	{name: "export swf", args: "export done --format swf --at allocator=mbs -o DIR/log.swf",
		target: "log.swf", single: true},
}

// place puts something at a path. It returns what must hold after a command was refused.
type place struct {
	name string
	put  func(path string) (untouched func() bool)
	// forced and unforced say whether the command ends well with --force and without.
	forced, unforced bool
	// outside is set for a link that leads out of the folder.
	outside bool
	// of chooses writers; nil for all.
	of func(w *writer) bool
}

// same returns a function that reports whether a file has the same bytes as now.
func same(path string) func() bool {
	before, err := os.ReadFile(path)
	return func() bool {
		after, err2 := os.ReadFile(path)
		return (err == nil) == (err2 == nil) && bytes.Equal(before, after)
	}
}

// places are the cases. Those of the file that the command itself has written are in the test.
var places = []place{
	{name: "foreign", forced: true, put: func(path string) func() bool {
		must.Do(os.WriteFile(path, []byte("mine"), 0o600))
		return same(path)
	}},
	{name: "empty", forced: true, put: func(path string) func() bool {
		must.Do(os.WriteFile(path, nil, 0o600))
		return same(path)
	}},
	{name: "link", forced: true, put: func(path string) func() bool {
		mine := filepath.Join(filepath.Dir(path), "mine")
		must.Do(os.WriteFile(mine, []byte("mine"), 0o600))
		must.Do(os.Symlink("mine", path))
		return same(mine)
	}},
	{name: "dangling link", outside: true, forced: true, put: func(path string) func() bool {
		must.Do(os.Symlink("nothing", path))
		return func() bool {
			_, err := os.Lstat(filepath.Join(filepath.Dir(path), "nothing"))
			return os.IsNotExist(err)
		}
	}},
	{name: "folder", put: func(path string) func() bool {
		must.Do(os.MkdirAll(filepath.Join(path, "mine"), 0o700))
		return func() bool { return must.Have(os.Stat(filepath.Join(path, "mine"))).IsDir() }
	}},
	{name: "pipe", put: func(path string) func() bool {
		must.Do(syscall.Mkfifo(path, 0o600))
		return func() bool { return must.Have(os.Lstat(path)).Mode()&os.ModeNamedPipe != 0 }
	}},
	{name: "device", outside: true, forced: true, unforced: true,
		of: func(w *writer) bool { return w.single },
		put: func(path string) func() bool {
			must.Do(os.Symlink(os.DevNull, path))
			return func() bool { return must.Have(os.Readlink(path)) == os.DevNull }
		}},
	{name: "full disk", outside: true, of: func(w *writer) bool { return w.single },
		put: func(path string) func() bool {
			must.Do(os.Symlink("/dev/full", path))
			return func() bool { return must.Have(os.Readlink(path)) == "/dev/full" }
		}},
}

// ran runs a command in a minute at most.
func ran(t *testing.T, dir, args string, more ...string) (status int, errors string) {
	t.Helper()
	var words []string
	for _, word := range strings.Fields(args) {
		switch {
		case word == "STUDY":
			word = filepath.Join(dir, "s.toml")
		case slices.Contains([]string{"done", "one", "two", "waits"}, word):
			word = filepath.Join(dir, word)
		default:
			word = strings.Replace(word, "DIR", filepath.Join(dir, "DIR"), 1)
		}
		words = append(words, word)
	}
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Run(append(words, more...), &bytes.Buffer{}, &stderr, metrics.Builtin())
	}()
	select {
	case status = <-ended:
		return status, stderr.String()
	case <-time.After(time.Minute):
		t.Fatalf("contend %s does not end", args)
		return 0, ""
	}
}

// workshop is a folder with a study and results of it.
func workshop(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "s.toml"), fmt.Appendf(nil, writingStudy, "fixed"), 0o600))
	for _, args := range []string{"run STUDY --jobs-csv -o done",
		"run STUDY --axis allocator=mbs -o one", "run STUDY --axis allocator=random -o two",
		"run STUDY --interference --set job.run=messages --set job.pattern=all-to-all " +
			"--set job.quota.mean_iterations=1 -o waits"} {
		if status, text := ran(t, dir, args); status != exitDone {
			t.Fatalf("contend %s: %s", args, text)
		}
	}
	return dir
}

// Each command refuses what it has not written, whatever it is, and leaves it as it is; with
// --force it replaces a file or a link, never what a link leads to, a folder or a pipe. What it has
// written itself it replaces without being told. Each command meets a third of the places here, and
// all of them in TestLongCommandsReplaceWhatTheyHaveWritten.
func TestCommandsReplaceWhatTheyHaveWritten(t *testing.T) { checkReplaced(t, 3) }

// checkReplaced tries each command at every n-th place, and at each place every n-th command.
func checkReplaced(t *testing.T, n int) {
	dir := workshop(t)
	folder := filepath.Join(dir, "DIR")
	anew := func(w *writer) (target string) {
		must.Do(os.RemoveAll(folder))
		target = filepath.Join(folder, filepath.FromSlash(w.target))
		if w.from == "" {
			must.Do(os.MkdirAll(folder, 0o700))
		} else {
			must.Do(os.CopyFS(folder, os.DirFS(filepath.Join(dir, w.from))))
		}
		return target
	}
	expect := func(w *writer, of string, status, want int, text string) bool {
		t.Helper()
		if status != want || strings.Contains(text, "goroutine") {
			t.Errorf("%s, %s: status %d, not %d: %s", w.name, of, status, want, text)
		}
		return status == want
	}
	for i := range writers {
		w := &writers[i]
		force := "--force"
		target := anew(w)
		for _, of := range []string{"nothing", "its own"} {
			status, text := ran(t, dir, w.args)
			if !expect(w, of, status, exitDone, text) {
				break
			}
		}
		file := must.Have(os.OpenFile(target, os.O_WRONLY|os.O_APPEND, 0))
		must.Have(file.WriteString("more"))
		must.Do(file.Close())
		changed := same(target)
		status, text := ran(t, dir, w.args)
		expect(w, "its own, changed", status, exitInput, text)
		if !changed() {
			t.Errorf("%s: a file that was changed is replaced", w.name)
		}
		status, text = ran(t, dir, w.args, force)
		expect(w, "its own, changed, forced", status, exitDone, text)
		for k := range places {
			p := &places[k]
			if p.of != nil && !p.of(w) || (i+k)%n != 0 {
				continue
			}
			for _, forced := range []bool{false, true} {
				target := anew(w)
				if w.takes && w.from == "" && forced { // else it is the folder that is refused
					status, text := ran(t, dir, w.args)
					expect(w, p.name+", before", status, exitDone, text)
				}
				must.Do(os.RemoveAll(target))
				must.Do(os.MkdirAll(filepath.Dir(target), 0o700))
				untouched := p.put(target)
				args, want := []string{}, exitInput
				if forced {
					args = []string{force}
				}
				switch outside := w.takes || w.from != "" || w.name == "matrix"; {
				case p.outside && outside: // results have no links that lead out of their folder
				case p.name == "full disk":
					want = exitFailed
				case forced && p.forced || !forced && p.unforced:
					want = exitDone
				}
				status, text := ran(t, dir, w.args, args...)
				expect(w, fmt.Sprint(p.name, ", forced ", forced), status, want, text)
				if replaces := forced && p.forced && strings.HasSuffix(p.name, "n") ||
					forced && p.name == "empty"; !replaces && !untouched() {
					t.Errorf("%s, %s, forced %v: not as it was", w.name, p.name, forced)
				}
				noTemporary(t, w.name+", "+p.name, folder)
			}
		}
	}
}

// noTemporary fails if a folder has a file that was to become another one.
func noTemporary(t *testing.T, of, folder string) {
	t.Helper()
	for _, sub := range []string{"", "figures", "jobs.d"} {
		entries, _ := os.ReadDir(filepath.Join(folder, sub))
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".tmp") {
				t.Errorf("%s: there is %s", of, filepath.Join(sub, e.Name()))
			}
		}
	}
}

// A folder that is not empty and has no study is not taken over, and nothing changes in it; with
// --force what is in no way stays. A folder that a killed command has left is taken.
func TestFoldersAreNotTakenOver(t *testing.T) {
	dir := workshop(t)
	folder := filepath.Join(dir, "DIR")
	mine := []string{"notes.txt", ".lock", "runs.jsonl", "data/x", "contend.sha256", "spec.toml"}
	var takers []writer
	for _, w := range writers {
		if w.takes && w.from == "" {
			takers = append(takers, w)
		}
	}
	takers = append(takers, writer{name: "sweep", args: "sweep STUDY --slurm -o DIR"})
	for _, w := range takers {
		for _, name := range mine {
			must.Do(os.RemoveAll(folder))
			path := filepath.Join(folder, name)
			must.Do(os.MkdirAll(filepath.Dir(path), 0o700))
			must.Do(os.WriteFile(path, []byte("this is mine, without an end"), 0o600))
			untouched := same(path)
			status, text := ran(t, dir, w.args)
			entries := must.Have(os.ReadDir(folder))
			if status != exitInput || !untouched() || len(entries) != 1 {
				t.Errorf("%s, %s: status %d, %v: %s", w.name, name, status, entries, text)
			}
			if w.name != "sweep" && (name == "data/x" || name == ".lock") {
				status, text = ran(t, dir, w.args, "--force")
				if want := map[bool]int{true: exitInput, false: exitDone}[name == ".lock"]; status != want ||
					!untouched() {
					t.Errorf("%s --force, %s: status %d: %s", w.name, name, status, text)
				}
			}
		}
		if w.name == "sweep" {
			continue
		}
		must.Do(os.RemoveAll(folder))
		must.Do(os.MkdirAll(folder, 0o700))
		for _, name := range []string{".lock", "contend.sha256", ".contend-12.tmp"} {
			must.Do(os.WriteFile(filepath.Join(folder, name), nil, 0o600))
		}
		if status, text := ran(t, dir, w.args); status != exitDone {
			t.Errorf("%s, killed before: status %d: %s", w.name, status, text)
		}
	}
}

// No command replaces a file that it reads, by whatever name, also with --force.
func TestCommandsDoNotReplaceWhatTheyRead(t *testing.T) {
	dir := workshop(t)
	done := filepath.Join(dir, "done")
	part := must.Have(filepath.Glob(filepath.Join(done, "jobs.d", "*")))
	names := []string{"runs.jsonl", "spec.toml", "contend.sha256", "jobs.csv", "summary.csv",
		"jobs.d/" + filepath.Base(part[0]), "jobs.d/" + filepath.Base(part[1])}
	must.Do(os.Symlink(done, filepath.Join(dir, "DIR")))
	hard := filepath.Join(dir, "hard")
	for _, name := range names {
		path := filepath.Join(done, name)
		untouched := same(path)
		os.Remove(hard)
		must.Do(os.Link(path, hard))
		for _, out := range []string{path, filepath.Join(dir, "DIR", name), hard} {
			for _, args := range []string{"report done", "export done --at allocator=mbs",
				"export done --format swf --at allocator=mbs"} {
				for _, force := range []string{"--force=false", "--force"} {
					status, text := ran(t, dir, args, "-o", out, force)
					if status != exitInput || !untouched() || !strings.Contains(text, "reads this file") {
						t.Errorf("%s -o %s %s: status %d: %s", args, out, force, status, text)
					}
				}
			}
		}
	}
	// A study and a table of flows that lie in the output folder, under names of results.
	must.Do(os.Remove(filepath.Join(dir, "DIR")))
	folder := filepath.Join(dir, "DIR")
	must.Do(os.Mkdir(folder, 0o700))
	study := fmt.Appendf(nil, writingStudy, "fixed")
	for _, name := range []string{"spec.toml", "table.tex"} {
		path := filepath.Join(folder, name)
		must.Do(os.WriteFile(path, study, 0o600))
		untouched := same(path)
		if status, text := ran(t, dir, "run DIR/"+name+" -o DIR --force"); status == exitDone ||
			!untouched() {
			t.Errorf("run DIR/%s: status %d: %s", name, status, text)
		}
		must.Do(os.RemoveAll(folder))
		must.Do(os.Mkdir(folder, 0o700))
	}
	flows := filepath.Join(folder, "links.csv")
	must.Do(os.WriteFile(flows, []byte("from,to,weight\n0,1,1\n1,0,1\n"), 0o600))
	untouched := same(flows)
	args := "net --topology mesh:2x1 --traffic matrix:file=" + flows + " --loads 0.1 --warmup 10 " +
		"--cycles 50 --channel-map -o DIR --force"
	if status, text := ran(t, dir, args); status == exitDone || !untouched() {
		t.Errorf("%s: status %d: %s", args, status, text)
	}
}
