package tune

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim"
	"contend/experiments/spec/spectest"
)

// Estimates below the run time are raised to it; others stay.
func TestRaisedEstimates(t *testing.T) {
	log := filepath.Join(t.TempDir(), "x.swf")
	lines := "1 0 0 50 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1\n2 5 0 30 4 -1 -1 4 90 -1 1 1 1 1 1 1 " +
		"-1 -1\n"
	if err := os.WriteFile(log, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	plan := TuneStudy(log, "easy", "sum_pairwise_distance").Base
	for choice, want := range map[string][]float64{"extend": {20, 90}, "kill": {20, 90},
		"raise": {50, 90}} {
		plan.Scheduler.OnOverrun = choice
		w, err := (&cosim.Simulator{}).NewWork(spectest.Plan(t, plan), 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for j, err := w.Source.Next(); err == nil; j, err = w.Source.Next() {
			got = append(got, j.Estimate)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", choice, diff)
		}
	}
}
