package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
)

// listSpec returns a spec of listed jobs.
func listSpec(t *testing.T, rows ...any) Spec {
	t.Helper()
	s := Settings{Spec: DefaultSpec()}
	for path, value := range map[string]any{"workload.source": "list", "workload.list": rows} {
		if err := s.Assign(path, value); err != nil {
			t.Fatal(err)
		}
	}
	return s.Spec
}

// Rows are the same in all their forms, and a spec has one text for them.
func TestRowsHaveOneText(t *testing.T) {
	s := listSpec(t, map[string]any{"at": 0.0, "pattern": "ring", "processes": int64(4)},
		"processes=4;pattern=ring;count=1",
		map[string]any{"count": int64(2), "pattern": "fft", "processes": int64(8), "at": 2.5})
	want := []string{"pattern = ring; processes = 4", "pattern = ring; processes = 4",
		"pattern = fft; processes = 8; at = 2.5; count = 2"}
	if got := s.Workload.List; len(got) != 3 || got[0].String() != want[0] ||
		got[1].String() != want[1] || got[2].String() != want[2] {
		t.Errorf("got %q, want %q", got, want)
	}
	p := must.Have(s.Plan())
	var got []int
	for _, j := range p.Workload.Listed {
		got = append(got, j.Index)
	}
	if len(p.Job.Patterns) != 2 || !slices.Equal(got, []int{0, 0, 1}) {
		t.Errorf("%d patterns, and the rows have %v", len(p.Job.Patterns), got)
	}
}

// Times with a unit are seconds of the run's clock, which network.cycle gives its length.
func TestTimesOfRows(t *testing.T) {
	s := listSpec(t, "pattern = ring; processes = 4; at = 3 us; estimate = 0.5")
	s.Network.Cycle = "2 ns"
	if j := s.Workload.List[0]; j.At != 3e-6 || j.Estimate != 0.5 || s.ClockUnit() != "s" ||
		s.cyclesPerSecond() != 5e8 {
		t.Errorf("got %+v at %v cycles in a %s", j, s.cyclesPerSecond(), s.ClockUnit())
	}
}

// The content of a schedule counts in the hash of a run, and its folder does not.
func TestContentOfFilesIsHashed(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "a.goal")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const text = "num_ranks 1\nrank 0 {\ncalc 5\n}\n"
	hash := func(path string) string {
		s := listSpec(t, map[string]any{"pattern": "goal:" + path})
		return s.Hash()
	}
	one, moved, other := hash(write(text)), hash(write(text)), hash(write(text+"// more\n"))
	if one != moved || one == other {
		t.Errorf("hashes are %s, moved %s, of another content %s", one, moved, other)
	}
}

// Messages of at least the bytes of the key go by rendezvous, counted in whole flits.
func TestRendezvousIsInFlits(t *testing.T) {
	s := DefaultSpec()
	for bytes, want := range map[int64]int64{0: 0, 1: 1, 8: 1, 9: 2, 800: 100} {
		s.Job.RendezvousBytes = bytes
		if c := s.PatternConfig(Weighted{Name: "ring", Weight: 1}); c.RendezvousFlits != want {
			t.Errorf("%d bytes are %d flits, want %d", bytes, c.RendezvousFlits, want)
		}
	}
}

// Beside puts the folder of a study before files that are relative to it, in every key that names
// patterns, and changes nothing else.
func TestFilesAreBesideTheStudy(t *testing.T) {
	r := Builtin()
	for _, c := range []struct {
		path        string
		value, want any
	}{
		{"job.pattern", "goal:a.goal:2+ring", "goal:file=" + filepath.Join("in", "a.goal") + ":2+ring"},
		{"job.pattern", "goal:/a.goal", "goal:file=/a.goal"},
		{"job.pattern", "ring:2+fft", "ring:2+fft"},
		{"job.rules", "size 1-4:goal:a.goal", "size 1-4: goal:file=" + filepath.Join("in", "a.goal")},
		{"job.rules", "size 1-4:ring", "size 1-4:ring"},
		{"workload.list", "at = 3; pattern = goal:a.goal", "pattern = goal:file=" +
			filepath.Join("in", "a.goal") + "; at = 3"},
		{"machine.topology", "graph:a.toml", "graph:a.toml"},
	} {
		if got, err := r.JoinFolder(c.path, c.value, "in"); err != nil || got != c.want {
			t.Errorf("%s = %q: got %q, %v, want %q", c.path, c.value, got, err, c.want)
		}
	}
	if _, err := r.JoinFolder("job.pattern", "goal:a.goal", "a+b"); err == nil {
		t.Error("a folder with a mark of mixes is taken")
	}
}

func TestBadRowsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"ring", `where "ring" is none of pattern`},
		{"processes = 4", "which has no pattern"},
		{"pattern = ring; pattern = fft", "which has pattern twice"},
		{"pattern = ", "where pattern has no value"},
		{"pattern = ring+fft", `where "ring+fft" is not one pattern`},
		{"pattern = ring:2", `where "ring:2" is not one pattern without a weight`},
		{"pattern = ring; count = 0", `where count is "0": give 1 to`},
		{"pattern = ring; processes = x", `where processes is "x"`},
		{"pattern = ring; at = -1", `where at is "-1": give a time of at least 0`},
		{"pattern = ring; at = 3 GB", `where at is "3 GB"`},
		{"pattern = ring; nodes = 0-3; count = 2", "with nodes and count"},
		{"pattern = ring; nodes = 0-3; processes = 5", "with 5 processes on 4 nodes"},
		{"pattern = ring; nodes = 0-3,2", "where nodes has 2 twice"},
		{"pattern = ring; nodes = all", `where nodes is "all"`},
		{"pattern = ring; nodes = 3,x", `where nodes is "3,x"`},
		{"pattern = ring; background = yes", `where background is "yes"`},
		{"pattern = ring; background = true; iterations = 2", "with iterations and background"},
		{"pattern = rings", `workload.list[0] is "rings"`},
		{"pattern = goal", "goal needs file"},
		{"pattern = goal:no.goal", "no.goal"},
	} {
		s := Settings{Spec: DefaultSpec()}
		err := s.Assign("workload.list", []any{c.row})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.row, err, c.want)
		}
	}
}
