package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A Picker finds what Result.Value finds, whatever the runs before had.
func TestPickerAgreesWithValue(t *testing.T) {
	names := []string{"finish_time", "makespan", "latency", "jobs"}
	rng := rand.New(rand.NewPCG(1, 2))
	p := NewPicker(names)
	for n := range 2000 {
		var r Result
		for _, i := range rng.Perm(len(names))[:rng.IntN(len(names)+1)] {
			value := rng.Float64()
			if rng.IntN(4) == 0 {
				value = math.NaN()
			}
			r.Metrics = append(r.Metrics, Metric{names[i], value})
		}
		for i, name := range names {
			want, has := r.Value(name)
			if got, ok := p.Value(&r, i); got != want || ok != has {
				t.Fatalf("run %d: %s is %v, %v, want %v, %v", n, name, got, ok, want, has)
			}
		}
	}
}
