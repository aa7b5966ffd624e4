package reference

import (
	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/experiments/cosim/metrics"
)

// Metrics are those of a run, one for all classes of sizes.
func (r reference) Metrics() []metrics.MetricInfo {
	return metrics.ForReaders(metrics.MetricsOf(r.Names.Registry()))
}

// parameter is one of an allocator that takes words.
type parameter struct {
	Name  string
	Words []allocation.Info
}

// Words are the words that parameters of allocators take.
func (reference) Words() []parameter {
	return []parameter{
		{"order of pages", order.Orders()}, {"order of processors", order.NodeOrders()},
		{"span", order.Spans()}, {"last_shell", center.LastShells()},
		{"corners", center.Corners()}, {"score", submesh.Scores()}, {"start", submesh.Starts()},
	}
}
