package experiments

import (
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/written"
)

// A line that failed may have left a part of itself in runs.jsonl, so no line may follow,
// with tables of jobs or without.
func TestNothingIsStoredAfterAFailure(t *testing.T) {
	for _, jobs := range []bool{false, true} {
		st := must.Have(study.Parse("two.toml", "name = \"two\"\n[runs]\nreplications = 2\n",
			config.Builtin()))
		f := must.Have(OpenFolder(written.In(t.TempDir()), st, "test", config.Builtin()))
		defer f.Close()
		good := f.file
		full := must.Have(os.Open(filepath.Join(f.Dir, RunsFile))) // not for writing
		defer full.Close()
		o := outcome{task: task{extra: &sim.Extra{Records: metrics.Records{Jobs: jobs}}}}
		f.file = full
		first := f.store(RunKey{"0a", 0}, o)
		f.file = good
		if second := f.store(RunKey{"0a", 1}, o); first == nil || second != first {
			t.Errorf("jobs %v: the failure is %v at first and then %v", jobs, first, second)
		}
		if text, err := os.ReadFile(good.Name()); err != nil || len(text) > 0 {
			t.Errorf("jobs %v: %q was stored after a failure, %v", jobs, text, err)
		}
	}
}
