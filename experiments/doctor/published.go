package doctor

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"

	"contend/experiments"
	"contend/experiments/spec"
)

// study makes the runs of a study in memory.
func (p Parts) study(ctx context.Context, st *experiments.Study, workers int) (
	*experiments.Results, []byte, error) {
	folder := experiments.NewMemory("doctor")
	runner := experiments.Runner{Names: spec.BuiltinNames(), Run: p.Simulator(),
		Workers: workers, Folder: folder, Log: slog.New(slog.DiscardHandler)}
	results, err := runner.Study(ctx, st)
	if err != nil {
		return nil, nil, err
	}
	lines, err := folder.Lines(results)
	return results, lines, err
}

// builtin returns a built-in study with the given allocators only; quick asks for
// its small version.
func builtin(name, allocators string, quick bool) (*experiments.Study, error) {
	names := spec.BuiltinNames()
	st, err := experiments.LoadStudy(name, names)
	if err != nil {
		return nil, err
	}
	if quick {
		if err := st.UseQuick(names); err != nil {
			return nil, err
		}
	}
	return st, st.SetAxis("allocator", allocators, names)
}

// published compares the means of a metric with the figures that a paper printed.
func (p Parts) published(ctx context.Context, f *Finding, st *experiments.Study, metric string,
	within float64) error {
	results, _, err := p.study(ctx, st, 1)
	if err != nil {
		return err
	}
	worst := 0.0
	for i, point := range results.Points {
		x, ok := results.Published(i, metric)
		if !ok {
			continue
		}
		want := p.Printed(x)
		got, _ := results.Estimate(i, metric)
		f.Cases++
		d := math.Abs(got.Mean/want - 1)
		worst = max(worst, d)
		if !(d <= within) {
			f.blame("%s: %.5g, printed %.5g", strings.Join(point.Labels, " "), got.Mean, want)
		}
	}
	f.Worst = fmt.Sprintf("worst difference %.1f%%", 100*worst)
	return nil
}

// benderFigure2 compares least sums of pairwise distances with the printed ones.
func (p Parts) benderFigure2(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "printed numbers", Compared: "Fig. 2, least sums of pairwise distances of " +
		"2 to 21 processors, as printed"}
	st, err := builtin("bender-fig2", "optimal", false)
	if err != nil {
		return f, err
	}
	return f, p.published(ctx, &f, st, "sum_pairwise_distance", 0)
}

// loTable1 runs the small version of the study. The mean of its three replications
// may differ more from the paper than that of the whole study with ten or more.
func (p Parts) loTable1(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "printed numbers",
		Compared: "Table 1, mean finish times of 3 replications within 10% of the printed ones"}
	st, err := builtin("lo-table1", "paging:0,first-fit,best-fit,frame-sliding", true)
	if err != nil {
		return f, err
	}
	return f, p.published(ctx, &f, st, "finish_time", 0.1)
}

// messages is a small study in which jobs send messages, so that every part of a
// run acts.
const messages = `
name = "messages"
title = "Jobs on a small mesh"
machine = { topology = "mesh", dims = [8, 8] }
workload = { source = "synthetic", jobs = 40 }
runs = { replications = 2, seed = 1 }

[[axes]]
key = "allocator"
values = ["random", "first-fit", "mbs"]

[[axes]]
key = "job.pattern"
values = ["all-to-all", "n-body"]
`

// workers makes the same study with one worker and with two workers.
func (p Parts) workers(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "runs", Compared: "results of a study of jobs that send messages at 1 and " +
		"at 2 workers, byte for byte"}
	st, err := experiments.ParseStudy("doctor.toml", messages, spec.BuiltinNames())
	if err != nil {
		return f, err
	}
	_, one, err := p.study(ctx, st, 1)
	if err != nil {
		return f, err
	}
	_, two, err := p.study(ctx, st, 2)
	if err != nil {
		return f, err
	}
	a, b := bytes.Split(one, []byte("\n")), bytes.Split(two, []byte("\n"))
	differ := 0
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			differ++
		}
	}
	f.Cases = len(a) - 1
	f.Worst = fmt.Sprintf("%d lines differ", differ)
	if !bytes.Equal(one, two) {
		f.blame("%d bytes of results at 1 worker, %d at 2", len(one), len(two))
	}
	return f, nil
}
