package metrics

import (
	"testing"

	"contend/allocation"
	"contend/allocation/center"
	"contend/experiments/config/configtest"
	"contend/internal/must"
)

// On an empty machine all single processors tie, and there is one way to take all processors.
func TestCountedTiesOfAnEmptyMachine(t *testing.T) {
	machine := configtest.Machine(t, "mesh:4x4")
	counted := countTies(must.Have(center.New("mc1x1", machine, "")))
	for _, size := range []int{1, 16, 17, 1} {
		counted.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: size})
	}
	got := map[string]float64{}
	counted.metrics(func(name string, v float64) { got[name] = v })
	if got["decisions_tied"] != 2 || got["ties_percent"] != 200.0/3 || got["ties_mean"] != 16 ||
		!allocation.CountDecides(counted) {
		t.Errorf("%v", got)
	}
}
