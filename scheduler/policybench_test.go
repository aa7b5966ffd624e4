package scheduler

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
)

// loaded returns jobs of Lublin and Feitelson's model with arrivals moved so that they
// ask for the given share of the machine. Estimates are up to ten times the run times.
func loaded(b *testing.B, jobs, nodes int, load float64) []Job {
	b.Helper()
	config := LublinConfig{Jobs: jobs, Processors: nodes, Kind: "all", Seed: 1}
	work, last := 0.0, 0.0
	for _, j := range lublin(b, config) {
		work += float64(j.Size) * j.RunTime
		last = j.Submit
	}
	g := must.Have(NewLublin(config))
	list := must.Have(ReadAll(must.Have(NewTransform(g,
		TransformConfig{Load: load * float64(nodes) * last / work}))))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range list {
		list[i].Estimate *= 1 + 9*r.Float64()*r.Float64()
	}
	return list
}

// benchSim reports jobs per second.
func benchSim(b *testing.B, jobs []Job, sim func() *Sim) {
	b.ReportAllocs()
	longest := 0
	for b.Loop() {
		totals, err := sim().Run()
		if err != nil || totals.Jobs != len(jobs) {
			b.Fatal(totals.Jobs, err)
		}
		longest = totals.LongestQueue
	}
	b.ReportMetric(float64(len(jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(longest), "longest-queue")
}
