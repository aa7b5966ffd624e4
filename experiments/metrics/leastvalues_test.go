package metrics

import (
	"math"
	"testing"

	"contend/experiments/sim/executor"
)

// The least value of a metric is 0, or 1 or 2 where a count or a ratio begins there, or none.
func TestLeastValuesOfMetrics(t *testing.T) {
	for _, m := range MetricInfos() {
		if m.Min != 0 && m.Min != 1 && m.Min != 2 && !math.IsInf(m.Min, -1) {
			t.Errorf("%s: the least value is %v", m.Name, m.Min)
		}
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
