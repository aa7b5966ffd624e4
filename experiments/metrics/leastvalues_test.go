package metrics

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/router/topology"
)

// The least value of a metric is 0. It is 2 of ties, of which there are at least two; 1 of counts
// and ratios that begin there, but of sides and components per processor; and metrics that may be
// negative have none.
func TestLeastValuesOfMetrics(t *testing.T) {
	atLeastOne := []string{"bounding_box", "bounding_cube", "box_side_sum", "components",
		"decision_components", "groups_spanned", "span_linear", "span_ring", "stretch_span", "tree_level"}
	for _, m := range MetricInfos() {
		want := 0.0
		switch one := func(name string) bool { return strings.HasPrefix(m.Name, name) }; {
		case m.Name == "ties_mean":
			want = 2
		case one("box_side_sum_per"), one("components_per"):
		case slices.ContainsFunc(atLeastOne, one):
			want = 1
		case math.IsInf(m.Min, -1):
			want = m.Min
		}
		if m.Min != want {
			t.Errorf("%s: the least value is %v, want %v", m.Name, m.Min, want)
		}
	}
}

// A class of jobs is named by a measure and its least size, a power of two up to the largest.
func TestNamesOfClasses(t *testing.T) {
	of := classMeasures[0]
	for name, want := range map[string]bool{
		of + "_size_1": true, of + "_size_4": true, fmt.Sprint(of, "_size_", largestClass): true,
		fmt.Sprint(of, "_size_", 2*largestClass): false, of + "_size_3": false, of + "_size_04": false,
		of + "_size_+4": false, of + "_size_0": false, of + "_size_": false, of: false,
		"nothing_size_4": false,
	} {
		c, ok := ClassOf(name)
		if ok != want || ok && classMetric(c.Of, c.Min) != name {
			t.Errorf("%s: %+v, %v, want %v", name, c, ok, want)
		}
	}
}

// The waits of a job are dropped, those for it by other jobs stay.
func TestForgottenWaits(t *testing.T) {
	w := &JobWaits{cycles: map[jobPair]int64{{1, 2}: 5, {1, 3}: 7, {2, 1}: 9}}
	w.net = must.Have(netsim.New(netsim.Default(must.Have(topology.NewCube(
		topology.CubeConfig{Dims: []int{2}})))))
	w.Forget(1)
	if want := map[jobPair]int64{{2, 1}: 9}; !maps.Equal(w.cycles, want) {
		t.Errorf("waits %v, want %v", w.cycles, want)
	}
}

// The messages of a critical path are those that crossed the network.
func TestMessagesOfACriticalPath(t *testing.T) {
	w := &Interference{}
	w.Path(7, []executor.Hop{{Computing: 5}, {Crossed: true, Network: 3}, {Software: 1},
		{Crossed: true, Network: 4}})
	for _, row := range w.paths {
		if row.Job != 7 || row.Messages != 2 {
			t.Errorf("%+v, want job 7 with 2 messages", row)
		}
	}
	if len(w.paths) != 3 {
		t.Errorf("%d rows, want computing, software and network", len(w.paths))
	}
}
