package study

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
	"contend/internal/must"
)

// pinFolder holds logs of 24, 100 and, by its largest job, 7 processors.
func pinFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, header := range map[string]string{"a.swf": "; MaxProcs: 24",
		"b.swf": "; MaxNodes: 100 (4 of them for login)", "c.swf": "; none"} {
		saveLog(t, filepath.Join(dir, name), header, configtest.SWFLine("1", "0", "10", "7"))
	}
	return dir
}

func saveLog(t *testing.T, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pinsOf are log, machine and the first digits of the digest of each point.
func pinsOf(t *testing.T, st *Study) (text string, hashes []string) {
	t.Helper()
	points := must.Have(st.Points())
	for _, p := range points {
		w := &p.Spec.Workload
		text += fmt.Sprintf("%s %s %.4s\n", w.Trace, p.Spec.Machine.Phrase(), w.TraceSHA256)
		hashes = append(hashes, p.Hash)
	}
	return text, hashes
}

// Each point has the digest and the machine of its log, whatever names the log,
// unless a key gives the machine. The resolved study has them too, without the
// logs, and pinning it again changes nothing; another log of the name is
// refused.
func TestPins(t *testing.T) {
	log := "[workload]\nsource = \"swf\"\ntrace = \"a.swf\"\n"
	axis := "[[axes]]\nkey = \"workload.trace\"\nvalues = [\"a.swf\", \"b.swf\", \"c\", " +
		"\"missing.swf\"]\n"
	for name, c := range map[string]struct{ study, want string }{
		"base": {log, "a.swf mesh of 6x4 SHAa\n"},
		"given": {"[machine]\ndims = [5, 5]\n" + log,
			"a.swf mesh of 5x5 SHAa\n"},
		"axis": {log + axis,
			"a.swf mesh of 6x4 SHAa\nb.swf mesh of 10x10 SHAb\nc mesh of 3x3 SHAc\nmissing.swf " +
				"mesh of 16x16 \n"},
		"given for one": {log + axis + "[[overrides]]\nwhen = { \"workload.trace\" = \"b.swf\" " +
			"}\nset = { \"machine.dims\" = [12, 12] }\n",
			"a.swf mesh of 6x4 SHAa\nb.swf mesh of 12x12 SHAb\nc mesh of 3x3 SHAc\nmissing.swf " +
				"mesh of 16x16 \n"},
		"named by an override": {log + "[[axes]]\nkey = \"scheduler.policy\"\nvalues = " +
			"[\"fcfs\", \"easy\"]\n" +
			"[[overrides]]\nwhen = { \"scheduler.policy\" = \"easy\" }\nset = { " +
			"\"workload.trace\" = \"b.swf\" }\n",
			"a.swf mesh of 6x4 SHAa\nb.swf mesh of 10x10 SHAb\n"},
		"several topologies": {log + "[[axes]]\nkey = \"machine.topology\"\nvalues = [\"torus\", " +
			"\"hypercube\", \"tree\"]\n",
			"a.swf torus of 6x4 SHAa\na.swf hypercube of 5 dimensions SHAa\na.swf 4-ary 4-tree SHAa\n"},
		"given by a variant": {log + "[[variants]]\nname = \"small\"\nset = { \"machine.dims\" = " +
			"[4, 4] }\n[[variants]]\nname = \"as logged\"\n" +
			"[[axes]]\nkey = \"variant\"\nvalues = [\"small\", \"as logged\"]\n",
			"a.swf mesh of 4x4 SHAa\na.swf mesh of 6x4 SHAa\n"},
		"beside jobs of no log": {log + "[[axes]]\nkey = \"workload.source\"\nvalues = [\"swf\", " +
			"\"lublin\"]\n",
			"a.swf mesh of 6x4 SHAa\n mesh of 16x16 \n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := pinFolder(t)
			want := c.want
			for _, log := range []string{"a", "b", "c"} {
				sum := must.Have(input.Pinned(filepath.Join(dir, log+".swf"), ""))
				want = strings.ReplaceAll(want, "SHA"+log, sum[:4])
			}
			st := mustParseBuiltinStudy(t, c.study)
			_, before := pinsOf(t, st)
			if err := st.PinTrace([]string{dir}); err != nil {
				t.Fatal(err)
			}
			got, hashes := pinsOf(t, st)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if before[0] == hashes[0] {
				t.Error("a pinned run has the hash of one that is not")
			}
			text := st.TOML("x")
			again := mustParseBuiltinStudy(t, text)
			if resolved, same := pinsOf(t, again); resolved != want || !cmp.Equal(same, hashes) {
				t.Errorf("the resolved study has\n%s", resolved)
			}
			if err := again.PinTrace([]string{dir}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(text, again.TOML("x")); d != "" {
				t.Errorf("pinned twice: -once +twice:\n%s", d)
			}
			elsewhere := mustParseBuiltinStudy(t, text)
			if err := elsewhere.PinTrace(nil); err != nil ||
				elsewhere.TOML("x") != text {
				t.Errorf("without the logs: %v", err)
			}
			for _, log := range []string{"a", "b", "c"} {
				path := filepath.Join(dir, log+".swf")
				saveLog(t, path, "; MaxProcs: 24", configtest.SWFLine("1", "0", "11", "7"))
				err := mustParseBuiltinStudy(t, text).PinTrace([]string{dir})
				if !strings.Contains(want, "\n"+log) && !strings.HasPrefix(want, log) {
					continue
				}
				if err == nil || !strings.Contains(err.Error(),
					log+".swf is not the log the spec was resolved with") {
					t.Errorf("another %s: %v", log, err)
				}
				break
			}
		})
	}
}

// Another log, or another topology, given to a resolved study takes back the
// machine and the digest it had; sides that are given stay.
func TestPinsGiveWay(t *testing.T) {
	dir := pinFolder(t)
	st := mustParseBuiltinStudy(t, "[workload]\nsource = \"swf\"\ntrace = \"a.swf\"\n")
	if err := st.PinTrace([]string{dir}); err != nil {
		t.Fatal(err)
	}
	text := st.TOML("x")
	for _, c := range []struct{ key, value, machine, inputs string }{
		{"workload.trace", "b.swf", "mesh of 10x10", "b.swf: the machine is a mesh of 10x10, for " +
			"the 100 processors MaxNodes of its header says"},
		{"machine.topology", "hypercube", "hypercube of 5 dimensions",
			"a.swf: the machine is a hypercube of 5 dimensions, for the 24 processors MaxProcs of its " +
				"header says; it has 8 nodes more than the log's machine"},
		{"machine.dims", "[9, 9]", "mesh of 9x9", ""},
		{"workload.jobs", "5", "mesh of 6x4", "a.swf: the machine is a mesh of 6x4, for the 24 " +
			"processors MaxProcs of its header says"},
	} {
		st := mustParseBuiltinStudy(t, text)
		if err := st.Set(c.key, c.value); err != nil {
			t.Fatal(err)
		}
		if err := st.PinTrace([]string{dir}); err != nil {
			t.Fatal(err)
		}
		got, _ := pinsOf(t, st)
		if !strings.Contains(got, c.machine) || strings.Join(st.InputNotes(""), "\n") != c.inputs {
			t.Errorf("%s = %s: %s, %q", c.key, c.value, got, st.InputNotes(""))
		}
	}
}

// Two logs of one name, and service rows on a machine of unknown size, are
// refused.
func TestPinsThatCannotBe(t *testing.T) {
	dir, other := pinFolder(t), pinFolder(t)
	for study, want := range map[string]string{
		"[workload]\nsource = \"swf\"\ntrace = \"a.swf\"\n" +
			"[machine]\nservice_rows = [0]\n": "machine.dims",
		fmt.Sprintf("[workload]\nsource = \"swf\"\n[[axes]]\nkey = \"workload.trace\"\nvalues = "+
			"[%q, %q]\n",
			filepath.Join(dir, "a.swf"), filepath.Join(other, "a.swf")): "have the same name",
	} {
		err := mustParseBuiltinStudy(t, study).PinTrace([]string{dir})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", study, err)
		}
	}
}

func mustParseBuiltinStudy(t *testing.T, text string) *Study {
	t.Helper()
	return must.Have(Parse("x.toml", text, config.Builtin()))
}

// workload.windows cuts the jobs behind workload.start into windows of as many jobs each, of which a
// replication runs workload.jobs at most. A log of fewer jobs, and workload.window beside it, are
// refused; each key decides on the runs.
func TestWindowsFitTheLog(t *testing.T) {
	dir := t.TempDir()
	lines := []string{"; MaxProcs: 16"}
	for i := range 61 {
		lines = append(lines, configtest.SWFLine(fmt.Sprint(i+1), fmt.Sprint(i), "10", "7"))
	}
	saveLog(t, filepath.Join(dir, "a.swf"), lines...)
	hashes := map[string]bool{}
	for _, c := range []struct {
		keys         string
		window, jobs int
		problem      string
	}{
		{"windows = 3", 20, 20, ""}, {"windows = 3\njobs = 12", 20, 12, ""},
		{"windows = 4\njobs = 90\nstart = 1", 15, 15, ""}, {"jobs = 12", 0, 12, ""},
		{"windows = 61", 1, 1, ""}, {"windows = 62", 0, 0, "has 61 jobs"},
		{"windows = 3\nwindow = 5", 0, 0, "leave out one of them"},
	} {
		st := must.Have(Parse("t.toml", "name = \"t\"\n[workload]\nsource = \"swf\"\ntrace = \"a\"\n"+
			c.keys+"\n", config.Builtin()))
		err := st.PinTrace([]string{dir})
		if c.problem != "" {
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: %v, want %s", c.keys, err, c.problem)
			}
			continue
		}
		points := must.Have(st.Points())
		w := &points[0].Spec.Workload
		if hashes[points[0].Hash] = true; err != nil || w.Window != c.window || w.Jobs != c.jobs {
			t.Errorf("%s: windows of %d, %d jobs, want %d and %d (%v)", c.keys, w.Window, w.Jobs,
				c.window, c.jobs, err)
		}
	}
	if len(hashes) != 5 {
		t.Errorf("%d hashes, want 5", len(hashes))
	}
}
