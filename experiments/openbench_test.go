package experiments

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
	"contend/internal/processortime"
)

// BenchmarkOpen is the time to read an output folder of 100,000 runs: of as many points, and of
// ten replications each.
func BenchmarkOpen(b *testing.B) {
	for _, k := range []struct{ seeds, replications int }{{5000, 1}, {500, 10}} {
		points := 20 * k.seeds
		b.Run(fmt.Sprintf("%d-points-of-%d-runs", points, k.replications), func(b *testing.B) {
			dir := largeFolder(b, k.seeds, k.replications)
			began := processortime.Used()
			for b.Loop() {
				r, err := ReadFolder(dir, spec.BuiltinNames())
				if err != nil {
					b.Fatal(err)
				}
				if len(r.Points) != points || r.Replications(points-1) != k.replications {
					b.Fatal("runs are missing")
				}
			}
			b.ReportMetric((processortime.Used()-began).Seconds()/float64(b.N), "processor-s/op")
		})
	}
}

// largeFolder writes an output folder with drawn metrics, as many as a run has.
func largeFolder(b *testing.B, seeds, replications int) string {
	st, err := study.Parse("s.toml", fmt.Sprintf(`name = "s"
[workload]
jobs = 10
[runs]
replications = %d
`, replications)+spectest.SeedAxes(seeds), spec.BuiltinNames())
	if err != nil {
		b.Fatal(err)
	}
	f := &Folder{Dir: b.TempDir(), Version: "v", Records: map[RunKey]Record{}}
	if err := f.WriteStudy(st); err != nil {
		b.Fatal(err)
	}
	results, err := f.Results(st, spec.BuiltinNames())
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, p := range results.Points {
		for rep := range replications {
			var r metrics.Result
			for _, info := range metrics.MetricInfos()[:60] {
				r.Metrics = append(r.Metrics, metrics.Metric{Name: info.Name, Value: rng.ExpFloat64()})
			}
			f.Records[RunKey{p.Hash, rep}] = Record{Hash: p.Hash, Replication: rep, Version: "v",
				Metrics: r}
		}
	}
	results.refresh()
	lines, err := f.Lines(results)
	if err == nil {
		err = os.WriteFile(filepath.Join(f.Dir, RunsFile), lines, 0o666)
	}
	if err != nil {
		b.Fatal(err)
	}
	return f.Dir
}
