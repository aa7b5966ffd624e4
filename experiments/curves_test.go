package experiments

import (
	"fmt"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"

	"contend/internal/must"
)

// curveStudy has two curves of latency over the load, of two replications. The loads stand in any
// order.
const curveStudy = `
name = "curves"
[machine]
dims = [4, 4]
[workload]
source = "traffic"
warmup_cycles = 200
window_cycles = 2000
[runs]
replications = 2
[[axes]]
key = "workload.traffic_load"
values = [0.9, 0.05, 0.6, 0.1, 0.7]
until = "saturated"
[[axes]]
key = "workload.traffic"
values = ["uniform", "hotspot:share=0.9"]
`

// The runs of a study whose axis ends at saturation are those up to the first load that saturates
// the network, whatever the number of workers, and also where greater loads are stored already.
func TestCurvesEndAtSaturation(t *testing.T) {
	run := func(workers int, stored ...string) (ran []string) {
		st := must.Have(study.Parse("curves.toml", curveStudy, config.Builtin()))
		f := NewMemory("test")
		runner := Runner{Names: config.Builtin(), Run: new(sim.Simulator).Run, Workers: workers,
			Folder: f}
		if stored != nil {
			whole := *st
			whole.Axes = slices.Clone(st.Axes)
			whole.Axes[0].Until = ""
			if _, err := runner.Study(t.Context(), &whole); err != nil {
				t.Fatal(err)
			}
		}
		r, err := runner.Study(t.Context(), st)
		if err != nil || !r.Complete() {
			t.Fatalf("%v, complete %t", err, r.Complete())
		}
		for i, p := range r.Points {
			if n := r.Replications(i); n > 0 {
				ran = append(ran, fmt.Sprint(p.Labels, " ", n))
			}
			if r.BeyondCurve(i) != (r.Replications(i) == 0) {
				t.Errorf("%v: beyond %t, %d runs", p.Labels, r.BeyondCurve(i), r.Replications(i))
			}
		}
		return ran
	}
	want := []string{"[0.05 uniform] 2", "[0.05 hotspot:share=0.9] 2", "[0.6 uniform] 2",
		"[0.1 uniform] 2", "[0.1 hotspot:share=0.9] 2"}
	for _, got := range [][]string{run(1), run(3), run(2, "all")} {
		if !slices.Equal(got, want) {
			t.Errorf("runs at %v, want %v", got, want)
		}
	}
}
