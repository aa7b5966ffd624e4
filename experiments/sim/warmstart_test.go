package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/scheduler"
)

// drawnLog returns the lines of a log of jobs that keep a machine of 16 nodes busy.
func drawnLog(jobs int, seed uint64) string {
	r, text, at := rand.New(rand.NewPCG(seed, 0)), strings.Builder{}, 0
	for i := range jobs {
		at += r.IntN(60)
		run, size := 1+r.IntN(300), 1+r.IntN(8)
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 1 -1 -1 -1\n", i+1, at, run, size, size,
			run+r.IntN(200))
	}
	return text.String()
}

// warmSpec returns a spec of a log on a mesh of 16 nodes, with fixed run times.
func warmSpec(t *testing.T, trace, allocator, policy string) config.Spec {
	return specWith(t, map[string]any{"machine.dims": []any{int64(4), int64(4)},
		"workload.source": "swf", "workload.trace": trace, "job.run": "fixed",
		"allocator": allocator, "scheduler.policy": policy})
}

// placed is what a job got: its wait and service time in cycles, and its nodes.
type placed struct {
	wait, service scheduler.Cycle
	nodes         string
}

// placesOf runs a spec, and returns what the jobs that count got.
func placesOf(t *testing.T, s config.Spec) map[scheduler.JobID]placed {
	_, x := rowsOf(t, s, withJobs)
	list := map[scheduler.JobID]placed{}
	for i := range x.JobRows {
		if r := &x.JobRows[i]; r.Counts {
			list[r.ID] = placed{r.Start - r.Submit, r.End - r.Start, r.Nodes}
		}
	}
	return list
}

// With fixed run times, and jobs that start in the order of their submission, a warm window is what
// the whole log has of it: the same waits, times and nodes. A cold one is not.
func TestWarmWindowsAreThoseOfTheWholeLog(t *testing.T) {
	const window, jobs = 37, 200
	cold := 0
	for seed := range 4 {
		trace := written(t, "log.swf", drawnLog(jobs, uint64(seed)))
		for _, allocator := range []string{"sequential", "mc1x1", "first-fit", "mbs"} {
			for _, scale := range []float64{0.8, 1.25} {
				s := warmSpec(t, trace, allocator, "fcfs")
				s.Workload.LoadScale, s.Job.CyclesPerSecond = scale, 1000
				whole := placesOf(t, s)
				s.Workload.Start, s.Workload.Jobs = window*(1+seed), window
				for id, want := range placesOf(t, s) {
					if want != whole[id] {
						cold++
					}
				}
				s.Workload.WarmStart = true
				warm := placesOf(t, s)
				if len(warm) != window {
					t.Errorf("%d jobs of a window count, not %d", len(warm), window)
				}
				for id, got := range warm {
					if want := whole[id]; got != want {
						t.Errorf("seed %d, %s, load %v: job %d got %v, in the whole log %v", seed, allocator,
							scale, id, got, want)
					}
				}
			}
		}
	}
	if cold < 300 {
		t.Errorf("only %d jobs of cold windows differ", cold)
	}
}
