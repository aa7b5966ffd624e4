package doctor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/scheduler"
)

// Rule is a plain scheduling policy. It returns the index of a waiting job that
// starts now, -1 for none.
type Rule func(now float64, waiting []scheduler.Job, running []PlainRun, free int) int

// PlainRun is a running job.
type PlainRun struct {
	scheduler.Job
	Start float64 // start time in seconds
}

// queue compares start times under FCFS and EASY with those of a plain simulation,
// which looks at all jobs at every event.
func (p Parts) queue(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "jobs",
		Compared: "start times under FCFS and EASY against plain policies, " +
			"60 generated logs with right and wrong estimates"}
	var worst scheduler.Cycle
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		nodes := 4 + rng.IntN(29)
		jobs := drawJobs(rng, nodes, 200)
		for _, k := range []struct {
			name   string
			policy scheduler.Policy
			rule   Rule
		}{{"FCFS", scheduler.FCFS{}, p.FCFS}, {"EASY", &scheduler.EASY{}, p.EASY}} {
			want := plainly(jobs, nodes, k.rule)
			got, err := starts(jobs, nodes, k.policy)
			if err != nil {
				return f, err
			}
			for _, j := range jobs {
				f.Cases++
				d := got[j.ID] - want[j.ID]
				worst = max(worst, d, -d)
				if d != 0 {
					f.blame("log %d, %s: job %d starts at %d, want %d", seed, k.name, j.ID,
						got[j.ID], want[j.ID])
				}
			}
		}
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
	}
	f.Worst = fmt.Sprintf("worst difference %d s", worst)
	return f, nil
}

// drawJobs draws jobs that arrive faster than they leave. The estimate of three in
// four differs from the run time.
func drawJobs(r *rand.Rand, nodes, n int) []scheduler.Job {
	jobs, now := make([]scheduler.Job, n), 0
	for i := range jobs {
		now += r.IntN(12)
		run := r.IntN(40)
		estimate := run
		switch r.IntN(4) {
		case 0:
			estimate = r.IntN(50)
		case 1, 2:
			estimate += r.IntN(40)
		}
		jobs[i] = scheduler.Job{ID: scheduler.JobID(i + 1), Submit: float64(now),
			RunTime: float64(run), Estimate: float64(estimate),
			Size: max(1, (1+r.IntN(nodes))>>r.IntN(4))}
	}
	return jobs
}

// startTimes has the start time of each job.
type startTimes map[scheduler.JobID]scheduler.Cycle

// starts returns the start times that the program computes.
func starts(jobs []scheduler.Job, nodes int, policy scheduler.Policy) (startTimes, error) {
	a, err := byname.New(byname.Config{Name: "sequential"}, cube(false, nodes), nil)
	if err != nil {
		return nil, err
	}
	at := startTimes{}
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: policy, Allocator: a,
		Executor: &scheduler.Fixed{}, Free: allocation.NewFreeSet(nodes),
		Record: func(r *scheduler.Record) { at[r.Job.ID] = r.Start }}
	_, err = sim.Run()
	return at, err
}

// plainly returns the start times under a rule. At each time at which a job ends or
// arrives, first the ending jobs leave, then the arriving jobs join the queue, and
// then the rule starts jobs until it returns -1.
func plainly(jobs []scheduler.Job, nodes int, rule Rule) startTimes {
	at := startTimes{}
	var waiting []scheduler.Job
	var running []PlainRun
	free := nodes
	for len(jobs)+len(running) > 0 {
		now := math.Inf(1)
		if len(jobs) > 0 {
			now = jobs[0].Submit
		}
		for _, r := range running {
			now = min(now, r.Start+r.RunTime)
		}
		running = slices.DeleteFunc(running, func(r PlainRun) bool {
			ends := r.Start+r.RunTime == now
			if ends {
				free += r.Size
			}
			return ends
		})
		for len(jobs) > 0 && jobs[0].Submit == now {
			waiting, jobs = append(waiting, jobs[0]), jobs[1:]
		}
		for len(waiting) > 0 {
			i := rule(now, waiting, running, free)
			if i < 0 {
				break
			}
			j := waiting[i]
			at[j.ID] = scheduler.Cycle(now)
			running = append(running, PlainRun{j, now})
			free -= j.Size
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	return at
}

// plainFCFS starts the first job if it fits.
func plainFCFS(_ float64, waiting []scheduler.Job, _ []PlainRun, free int) int {
	if waiting[0].Size <= free {
		return 0
	}
	return -1
}

// plainEASY is Fig. 1 of Mu'alem and Feitelson, IEEE TPDS 12(6), 2001. It computes
// the reservation again for each job that starts.
func plainEASY(now float64, waiting []scheduler.Job, running []PlainRun, free int) int {
	if waiting[0].Size <= free {
		return 0
	}
	shadow, extra := math.Inf(1), 0
	ends := func(r PlainRun) float64 { return max(now, r.Start+r.Estimate) }
	for _, r := range running { // find the earliest end after which enough are free
		at, sum := ends(r), free
		for _, other := range running {
			if ends(other) <= at {
				sum += other.Size
			}
		}
		if sum >= waiting[0].Size && at < shadow {
			shadow, extra = at, sum-waiting[0].Size
		}
	}
	return slices.IndexFunc(waiting, func(j scheduler.Job) bool {
		return j.Size <= free && (now+j.Estimate <= shadow || j.Size <= extra)
	})
}
