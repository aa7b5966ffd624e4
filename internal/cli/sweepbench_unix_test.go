//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

// sweepStudy is a study of 20 times so many points, each a run of a few milliseconds.
func sweepStudy(seeds, jobs int) string {
	return fmt.Sprintf(`name = "many"
[machine]
dims = [8, 8]
[workload]
jobs = %d
[job]
pattern = "one-to-all"
[runs]
replications = 1
`, jobs) + spectest.SeedAxes(seeds)
}

// processorTime is the time for which processors have worked for this process, which does
// not count the time for which others have them.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSweepOverhead is what contend run costs beside the simulation: a sweep of
// 10,000 points, reading of the study to writing of all files, against the same runs made
// by Simulator.Run in a loop.
func BenchmarkSweepOverhead(b *testing.B) {
	dir := b.TempDir()
	file := filepath.Join(dir, "many.toml")
	if err := os.WriteFile(file, []byte(sweepStudy(500, 100)), 0o666); err != nil {
		b.Fatal(err)
	}
	names := metrics.Builtin().Names()
	bare := bareRuns(b, file, names)
	n := 0
	for b.Loop() {
		n++
		var stderr bytes.Buffer
		args := []string{"run", file, "-o", fmt.Sprint(dir, "/out", n), "--workers", "1"}
		began := processorTime(b)
		if status := run(args, new(bytes.Buffer), &stderr, names); status != exitDone {
			b.Fatal(status, stderr.String())
		}
		all := processorTime(b) - began
		b.ReportMetric(100*(all.Seconds()/bare.Seconds()-1), "%overhead")
		b.ReportMetric(bare.Seconds()/10_000*1e3, "ms/run")
	}
}

// bareRuns returns the time of all runs of a study without anything around them.
func bareRuns(b *testing.B, file string, names spec.Names) time.Duration {
	study, err := study.Load(file, names)
	if err != nil {
		b.Fatal(err)
	}
	points, err := study.Points(names)
	if err != nil {
		b.Fatal(err)
	}
	simulator := &cosim.Simulator{}
	began := processorTime(b)
	for i := range points {
		plan, err := points[i].Spec.Plan()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := simulator.Run(b.Context(), plan, 0, nil); err != nil {
			b.Fatal(err)
		}
	}
	return processorTime(b) - began
}
