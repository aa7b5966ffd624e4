package experiments

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/study"
)

// twoRuns returns a study of one point with two replications, and its folder.
func twoRuns(t *testing.T) (*study.Study, *Folder, string) {
	t.Helper()
	st, err := study.Parse("two.toml", "name = \"two\"\n[runs]\nreplications = 2\n",
		spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(t.TempDir(), st, "test", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	points, err := st.Points(spec.BuiltinNames())
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
		o := outcome{task: task{extra: &cosim.Extra{Records: metrics.Records{Jobs: jobs}}}}
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

// failing cannot be written.
type failing struct{}

var errFull = errors.New("the disk is full")

func (failing) Write([]byte) (int, error) { return 0, errFull }

// A failure that cannot be recorded ends a shard with an error, even if another run ends
// well after it.
func TestShardReportsItsFirstError(t *testing.T) {
	st, f, hash := twoRuns(t)
	run := func(ctx context.Context, _ *spec.Plan, replication int, _ *cosim.Extra) (
		r metrics.Result, err error) {
		if replication == 0 {
			return r, errors.New("broken")
		}
		<-ctx.Done() // when the other one has failed
		return r, nil
	}
	s := Shard{Study: st, Failures: failing{}, Runner: Runner{Names: spec.BuiltinNames(), Run: run,
		Workers: 2, Folder: f, Log: slog.New(slog.DiscardHandler)}}
	failed, err := s.Make(t.Context(), []RunKey{{hash, 0}, {hash, 1}}, nil)
	if failed != 1 || !errors.Is(err, errFull) {
		t.Errorf("%d runs failed, with the error %v", failed, err)
	}
}
