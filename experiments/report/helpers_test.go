package report

import (
	"context"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// runJobs runs a spec and returns the numbers of its jobs by column too.
func runJobs(t *testing.T, s spec.Spec) (cosim.Result, []map[string]float64) {
	t.Helper()
	var sim cosim.Simulator
	extra := &cosim.Extra{Jobs: true}
	r, err := runSpec(sim.Run, context.Background(), s, 0, extra)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []map[string]float64
	for _, row := range extra.JobRows {
		job := map[string]float64{}
		for i, column := range cosim.JobColumns() {
			job[column], _ = strconv.ParseFloat(row[i], 64)
		}
		jobs = append(jobs, job)
	}
	return r, jobs
}

func mustParseBuiltin(t *testing.T, text string) *experiments.Study {
	t.Helper()
	st, err := experiments.ParseStudy("x.toml", text, spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// testNames are small name tables, so that these tests do not depend on who
// implements the names.
func testNames() spec.Names {
	table := func(list ...string) []spec.Name {
		var names []spec.Name
		for _, n := range list {
			names = append(names, spec.Name{Name: n, Doc: "the " + n + " one"})
		}
		return names
	}
	return spec.Names{
		"topologies": table("mesh", "torus", "hypercube"),
		"routings":   table("auto", "dimension-order", "dateline"),
		"allocators": table("random", "paging", "buddy2d", "mbs", "first-fit", "best-fit",
			"frame-sliding"),
		"orders":     table("row-major", "shuffled-row-major", "snake", "shuffled-snake"),
		"patterns":   table("all-to-all", "one-to-all", "n-body", "fft", "multigrid", "ring"),
		"schedulers": table("fcfs", "easy"),
	}
}

var tiny = cmpopts.EquateApprox(0, 1e-6)

func mustParse(t *testing.T, text string) *experiments.Study {
	t.Helper()
	st, err := experiments.ParseStudy("test.toml", text, testNames())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

const variantsStudy = `
name = "variants"
[[variants]]
name = "plain"
[[variants]]
name = "deep, fast"
set = { "network.buffer_flits" = 8, "network.routing_cycles" = 1 }
[[variants]]
name = "whole packets"
set = { "network.switching" = "store-and-forward", "network.buffer_flits" = 8 }
[[axes]]
key = "variant"
values = ["plain", "deep, fast", "whole packets"]
[[axes]]
key = "allocator"
values = ["mbs", "first-fit"]
[[overrides]]
when = { variant = ["plain", "whole packets"], "allocator" = "mbs" }
set = { "job.flits" = 3 }
[quick]
set = { "job.flits" = 5 }
[[quick.axes]]
key = "variant"
values = ["plain"]
[[figures]]
name = "a"
kind = "bars"
x = "variant"
series = "allocator"
metric = "finish_time"
where = { variant = ["plain", "deep, fast"] }
`

// runSpec runs a replication of a spec.
func runSpec(run func(context.Context, *spec.Plan, int, *cosim.Extra) (cosim.Result, error),
	ctx context.Context, s spec.Spec, replication int, extra *cosim.Extra,
) (r cosim.Result, err error) {
	plan, err := s.Plan()
	if err != nil {
		return r, err
	}
	return run(ctx, plan, replication, extra)
}
