package sim

import (
	"fmt"
	"math"
	"testing"

	"contend/experiments/metrics"
)

// one_cycle_apart is the change from one list of jobs to another in which the second and the fourth
// arrive a cycle later; jobs that arrive together stay in order. The other metrics of the run are
// those without the key.
func TestOneCycleApart(t *testing.T) {
	rows := func(later int) (list []any) {
		for i, at := range []int{0, 70, 150, 220, 220 + later} {
			list = append(list, fmt.Sprintf("pattern = all-to-all; processes = %d; at = %d", 3+i%2,
				at+i%2*later))
		}
		return list
	}
	keysOf := func(later int) map[string]any {
		keys := listOf(t, rows(later)...)
		keys["allocator"] = "random"
		return keys
	}
	services := func(later int) (list []float64) {
		_, x := rowsOf(t, specWith(t, keysOf(later)), metrics.Records{Jobs: true})
		for _, r := range x.JobRows {
			list = append(list, float64(r.End-r.Start))
		}
		return list
	}
	keys := keysOf(0)
	want := runOf(t, specWith(t, keys))
	keys["runs.one_cycle_apart"] = true
	got := runOf(t, specWith(t, keys))
	sum, of, by := 0.0, services(0), services(1)
	for i := range of {
		sum += (by[i]/of[i] - 1) * (by[i]/of[i] - 1) / float64(len(of))
	}
	if apart := got["one_cycle_apart"]; sum == 0 || math.Abs(apart-100*math.Sqrt(sum)) > 1e-9 {
		t.Errorf("%v%%, want %v%%: %v and %v", apart, 100*math.Sqrt(sum), of, by)
	}
	delete(got, "one_cycle_apart")
	for name, x := range want {
		if got[name] != x {
			t.Errorf("%s is %v, and %v without the key", name, got[name], x)
		}
	}
}
