package experiments

import (
	"math"
	"testing"

	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/must"
)

// The printed latency less the printed blocking of Table 2 (row 161 of docs/DEVIATIONS.md, notes of
// lo-table2). Of n-body under Paging(0) it lies far below that of its neighbours, among which 6
// cycles more would put it; of all-to-all it lies below that of one-to-all under every allocator.
func TestPrintedLatencyLessBlocking(t *testing.T) {
	st := must.Have(study.Load("lo-table2", config.Builtin()))
	r := must.Have(NewMemory("").Results(st, config.Builtin()))
	printed := map[string]float64{} // by pattern and allocator
	for i, p := range r.Points {
		x, ok := r.Published(i, "unblocked_latency")
		if !ok {
			t.Fatalf("%v has no printed latency less blocking", p.Labels)
		}
		printed[p.Labels[0]+" "+p.Labels[1]] = x
	}
	if x := printed["n-body paging:0"]; math.Abs(x-30.8842) > 1e-9 {
		t.Errorf("n-body paging:0: %v", x)
	}
	for _, name := range []string{"mbs", "paging:0", "paging:1", "paging:2", "paging:3", "first-fit"} {
		x := printed["n-body "+name]
		if name == "paging:0" {
			x += 40.6664 - 34.6664
		}
		if x < 35.7 || x > 37.15 {
			t.Errorf("n-body %s: %v", name, x)
		}
	}
	for _, name := range st.Axes[1].Values {
		below := printed["one-to-all "+name.(string)] - printed["all-to-all "+name.(string)]
		if below < 3.95 || below > 5.35 {
			t.Errorf("all-to-all lies %v below one-to-all under %v", below, name)
		}
	}
}
