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
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/study"
)

// The study of coverage runs a few of its cases. With intervals of half and of ten times the true
// errors in place of the program's its rule fails, with those of twice the errors it holds.
func TestLongCoverageOfStudy(t *testing.T) {
	names := config.Builtin()
	st, err := study.Load("fast-forward-coverage", names)
	if err != nil {
		t.Fatal(err)
	}
	for i := range st.Axes {
		if st.Axes[i].Key == "variant" {
			st.Axes[i].Values = []any{"ring, mesh", "n-body, mesh", "mix, tree, adaptive"}
		}
	}
	folder, err := experiments.OpenFolder(t.TempDir(), st, "test", names)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	var simulator sim.Simulator
	runner := experiments.Runner{Names: names, Run: simulator.Run, Workers: 2, Folder: folder,
		Tables: experiments.Tables{Jobs: true}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	r, err := runner.Study(context.Background(), st)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Compare(r, names) {
		t.Log(v)
	}
	pairs := tables.RunPairs(r, "runs.fast_forward", "0", nil, names)
	for times, pass := range map[float64]bool{0.5: false, 2: true, 10: false} {
		for i := range pairs {
			p := &pairs[i]
			d, _ := tables.RunDeviation(r, p, "service_time")
			metrics := r.Runs[p.Point][p.Replication].Metrics
			for m := range metrics {
				if metrics[m].Name == "rate_error" {
					metrics[m].Value = 100 * times * math.Abs(d.Off) / (1 + d.Off)
				}
			}
		}
		if v := Compare(r, names)[0]; v.Pass != pass {
			t.Errorf("intervals of %g times the errors: %v", times, v)
		}
	}
}
