package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainConservative keeps a reservation for each waiting job. It tries all times at
// which something ends to find where a reservation fits.
type plainConservative struct {
	reserved map[JobID]float64
	running  []plainRun // running jobs at the last call
}

// busy returns the greatest number of nodes in use at any time in [from, to).
func (p *plainConservative) busy(from, to float64, running []plainRun, waiting []Job,
	except JobID) int {
	used := func(at float64) int {
		sum := 0
		for _, r := range running {
			if max(r.estimated(), r.start+1) > at {
				sum += r.Size
			}
		}
		for _, j := range waiting {
			if start, ok := p.reserved[j.ID]; ok && j.ID != except && start <= at &&
				at < start+max(1, j.Estimate) {
				sum += j.Size
			}
		}
		return sum
	}
	most := used(from)
	for _, j := range waiting {
		if start, ok := p.reserved[j.ID]; ok && from < start && start < to {
			most = max(most, used(start))
		}
	}
	return most
}

// earliest returns the first time from now on at which the job fits.
func (p *plainConservative) earliest(j Job, nodes int, now float64, running []plainRun,
	waiting []Job) float64 {
	times := []float64{now}
	for _, r := range running {
		times = append(times, max(now, r.estimated(), r.start+1))
	}
	for _, w := range waiting {
		if start, ok := p.reserved[w.ID]; ok {
			times = append(times, start+max(1, w.Estimate))
		}
	}
	slices.Sort(times)
	for _, at := range times {
		if p.busy(at, at+max(1, j.Estimate), running, waiting, j.ID)+j.Size <= nodes {
			return at
		}
	}
	panic("no place")
}

// plainConservatively returns the rule for estimates that are never too short.
func plainConservatively(nodes int) plainRule {
	p := &plainConservative{reserved: map[JobID]float64{}}
	return func(now float64, waiting []Job, running []plainRun, free int) int {
		if p.ended(running) {
			for _, j := range waiting {
				if _, ok := p.reserved[j.ID]; ok {
					p.reserved[j.ID] = p.earliest(j, nodes, now, running, waiting)
				}
			}
		}
		p.running = slices.Clone(running)
		for _, j := range waiting {
			if _, ok := p.reserved[j.ID]; !ok {
				p.reserved[j.ID] = p.earliest(j, nodes, now, running, waiting)
			}
		}
		for i, j := range waiting {
			if p.reserved[j.ID] <= now && j.Size <= free {
				delete(p.reserved, j.ID)
				p.running = append(p.running, plainRun{j, now, now + j.RunTime})
				return i
			}
		}
		return -1
	}
}

// ended reports whether a job that ran has left.
func (p *plainConservative) ended(running []plainRun) bool {
	for _, r := range p.running {
		if !slices.ContainsFunc(running, func(other plainRun) bool { return other.ID == r.ID }) {
			return true
		}
	}
	return false
}

// Jobs that pass their estimates upset the plan, but all jobs run under any allocator.
func TestConservativeWithOverruns(t *testing.T) {
	for _, allocator := range []string{"mbs", "first-fit", "paging:1"} {
		for seed := range uint64(60) {
			jobs := drawJobs(rand.New(rand.NewPCG(seed, 5)), 16, 80, anyhow)
			sim := meshSim([]int{4, 4}, allocator)
			sim.Source, sim.Policy, sim.KillOverruns = &List{Jobs: jobs}, &Conservative{}, seed%3 == 0
			if records, _ := recorded(t, sim); len(records) != len(jobs) {
				t.Fatalf("%s: %d of %d jobs ran", allocator, len(records), len(jobs))
			}
		}
	}
}
