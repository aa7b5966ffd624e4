package scheduler

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
)

// BenchmarkEASYTree runs 200,000 jobs of Lublin and Feitelson's model, at 80% of a 4-ary 6-tree,
// under EASY with trial placements. Estimates are up to ten times the run times.
func BenchmarkEASYTree(b *testing.B) {
	const nodes = 4096
	jobs := lublin(b, LublinConfig{Jobs: 200_000, Processors: nodes, Kind: "all", Seed: 1})
	must.Have(ScaleToLoad(jobs, nodes, 0.8))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range jobs {
		jobs[i].Estimate *= 1 + 9*r.Float64()*r.Float64()
	}
	for _, allocator := range []string{"sequential", "contiguous", "quasi-contiguous:40"} {
		b.Run(allocator, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sim := treeSim(4, 6, allocator)
				sim.Source, sim.Policy = &List{Jobs: jobs}, &EASY{}
				totals := must.Have(sim.Run())
				b.ReportMetric(float64(totals.LongestQueue), "longest-queue")
			}
			b.ReportMetric(float64(len(jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
