package experiments

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/sim"
	"contend/experiments/study"
)

// BenchmarkTable2 is the cost of lo-table2's runs, all of the program included:
// nanoseconds per flit-hop, of 60 jobs of each pattern under the allocator that
// blocks most and the one that blocks least.
func BenchmarkTable2(b *testing.B) {
	study, err := study.Load("lo-table2", config.BuiltinNames())
	if err != nil {
		b.Fatal(err)
	}
	points, err := study.Points(config.BuiltinNames())
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range points {
		if a := p.Spec.Allocator; a != "random" && a != "first-fit" {
			continue
		}
		p.Spec.Workload.Jobs = 60
		b.Run(p.Spec.Job.Pattern.String()+"/"+p.Spec.Allocator, func(b *testing.B) {
			var hops float64
			for b.Loop() {
				r, err := configtest.Run(b.Context(), new(sim.Simulator).Run, p.Spec, 0, nil)
				if err != nil {
					b.Fatal(err)
				}
				h, _ := r.Value("flit_hops")
				hops += h
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/hops, "ns/flit-hop")
			b.ReportMetric(0, "ns/op")
		})
	}
}
