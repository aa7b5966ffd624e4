package scheduler

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"contend/internal/must"
)

// BenchmarkFCFS runs a log of 200,000 jobs, 272 nodes each on average, on 1024 nodes at
// two thirds of their capacity. Queues form and drain.
func BenchmarkFCFS(b *testing.B) {
	clock := Clock{CyclesPerSecond: 1e6}
	source := must.Have(NewSynthetic(SyntheticConfig{Jobs: 200_000, Sides: []int{32, 32}, Seed: 1,
		Interarrival: Distribution{Kind: "exponential", Mean: 0.4},
		Service:      Distribution{Kind: "exponential", Mean: 1}}))
	jobs := must.Have(ReadAll(source))
	b.ReportAllocs()
	for b.Loop() {
		sim := fixedSim(&List{Jobs: jobs}, 1024)
		sim.Clock, sim.Executor = clock, &Fixed{Clock: clock}
		if totals, err := sim.Run(); err != nil || totals.Jobs != len(jobs) {
			b.Fatal(totals.Jobs, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(jobs)), "ns/job")
}

// BenchmarkFixed starts and finishes a job while a thousand run.
func BenchmarkFixed(b *testing.B) {
	var x Fixed
	jobs := make([]Job, 1000)
	for i := range jobs {
		jobs[i] = job(JobID(i), 0, float64(1+i*7919%1000), 1)
		x.Start(&jobs[i], nil)
	}
	var done []JobID
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if _, done, err = x.Advance(MaxCycle, done[:0]); err != nil {
			b.Fatal(err)
		}
		for _, id := range done {
			x.Start(&jobs[id], nil)
		}
	}
}

// BenchmarkReadSWF loads the largest available log, 243,306 lines.
func BenchmarkReadSWF(b *testing.B) {
	openTrace(b, "SDSC-BLUE-2000-4.2-cln.swf.gz")
	data := must.Have(os.ReadFile(filepath.Join("..", "..", "shared", "traces",
		"SDSC-BLUE-2000-4.2-cln.swf.gz")))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadSWF("sdsc", bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}
