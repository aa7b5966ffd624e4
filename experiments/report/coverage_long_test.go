//go:build long

package report

import (
	"context"
	"io"
	"log/slog"
	"math"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/written"
)

// The study of coverage runs a few of its cases. With intervals of half and of a thousand times the
// true errors in place of the program's its rule fails, with those of twice the errors it holds.
func TestLongCoverageOfStudy(t *testing.T) {
	names := config.Builtin()
	st := must.Have(study.Load("fast-forward-coverage", names))
	few := map[string][]any{"variant": {"mesh 10x10", "hyperx 5x5, dal", "tree 5x3, adaptive"},
		"job.pattern": {"ring", "fft"}, "workload.interarrival.mean": {int64(500)}}
	for i := range st.Axes {
		if values := few[st.Axes[i].Key]; values != nil {
			st.Axes[i].Values = values
		}
	}
	folder := must.Have(experiments.OpenFolder(written.In(t.TempDir()), st, "test", names))
	defer folder.Close()
	var simulator sim.Simulator
	runner := experiments.Runner{Names: names, Run: simulator.Run, Workers: 2, Folder: folder,
		Tables: experiments.Tables{Jobs: true}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	r := must.Have(runner.Study(context.Background(), st))
	for _, v := range Compare(r) {
		t.Log(v)
	}
	pairs := runPairs(r, "runs.fast_forward", "0", nil)
	for times, pass := range map[float64]bool{0.5: false, 2: true, 1000: false} {
		for i := range pairs {
			p := &pairs[i]
			d, _ := meanDeviation(r, p, "service_time")
			metrics := r.Runs[p.Point][p.Replication].Metrics
			for m := range metrics {
				if metrics[m].Name == "service_time_error" {
					metrics[m].Value = 100 * times * math.Abs(d.Off) / (1 + d.Off)
				}
			}
		}
		if v := Compare(r)[0]; v.Pass != pass {
			t.Errorf("intervals of %g times the errors: %v", times, v)
		}
	}
}
