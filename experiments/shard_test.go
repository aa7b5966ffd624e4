package experiments

import (
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
)

// twoRuns returns a study of one point with two replications, and its folder.
func twoRuns(t *testing.T) (*study.Study, *Folder, string) {
	t.Helper()
	st, err := study.Parse("two.toml", "name = \"two\"\n[runs]\nreplications = 2\n",
		config.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(t.TempDir(), st, "test", config.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	points, err := st.Points(config.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	return st, f, points[0].Hash
}

// A line that failed may have left a part of itself in runs.jsonl, so no line may follow,
// with tables of jobs or without.
func TestNothingIsStoredAfterAFailure(t *testing.T) {
	for _, jobs := range []bool{false, true} {
		_, f, hash := twoRuns(t)
		good := f.file
		full, err := os.Open(filepath.Join(f.Dir, RunsFile)) // not for writing
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		o := outcome{task: task{extra: &sim.Extra{Records: metrics.Records{Jobs: jobs}}}}
		f.file = full
		first := f.add(RunKey{hash, 0}, o)
		f.file = good
		if second := f.add(RunKey{hash, 1}, o); first == nil || second != first {
			t.Errorf("jobs %v: the failure is %v at first and then %v", jobs, first, second)
		}
		if text, err := os.ReadFile(good.Name()); err != nil || len(text) > 0 {
			t.Errorf("jobs %v: %q was stored after a failure, %v", jobs, text, err)
		}
	}
}
