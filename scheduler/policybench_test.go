package scheduler

import (
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/netsim/topology"
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

// BenchmarkPolicy runs a log like KTH's, 28,489 jobs on 100 nodes, under each policy
// with random allocation.
func BenchmarkPolicy(b *testing.B) {
	jobs := loaded(b, 28_489, 100, 0.7)
	for _, p := range []struct {
		name string
		make func() Policy
	}{
		{"fcfs", func() Policy { return FCFS{} }},
		{"easy", func() Policy { return &EASY{} }},
		{"easy-kill", func() Policy { return &EASY{KillAtReservation: true} }},
		{"conservative", func() Policy { return &Conservative{} }},
		{"sjf", func() Policy { return &SJF{} }},
		{"cplant", func() Policy { return &Cplant{PollSeconds: 60} }},
	} {
		b.Run(p.name, func(b *testing.B) { benchPolicy(b, jobs, []int{10, 10}, "random", p.make) })
	}
}

// BenchmarkEASYLarge runs 200,000 jobs on 4096 nodes at loads with short, long and ever
// growing queues.
func BenchmarkEASYLarge(b *testing.B) {
	for _, load := range []struct {
		name  string
		share float64
	}{{"load-0.8", 0.8}, {"load-0.95", 0.95}, {"load-1.2", 1.2}} {
		jobs := loaded(b, 200_000, 4096, load.share)
		for _, allocator := range []string{"random", "mbs"} {
			b.Run(load.name+"/"+allocator, func(b *testing.B) {
				benchPolicy(b, jobs, []int{64, 64}, allocator, func() Policy { return &EASY{} })
			})
		}
	}
}

func benchPolicy(b *testing.B, jobs []Job, dims []int, name string, policy func() Policy) {
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: dims}))
	benchSim(b, jobs, func() *Sim {
		return &Sim{Source: &List{Jobs: jobs}, Policy: policy(), Executor: &Fixed{},
			Allocator: allocatorOf(name, machine), Free: allocation.NewFreeSet(machine.Nodes())}
	})
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
