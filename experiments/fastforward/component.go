package fastforward

import (
	"cmp"
	"slices"

	"contend/scheduler"
)

// component is a set of jobs whose packets may meet, directly or through others.
type component struct {
	jobs         []*jobState
	formed       int64       // cycle from which on it has these jobs
	start        int64       // cycle in which the trajectory, or the full simulation, begins
	trajectory   *trajectory // nil while its jobs are simulated in full
	nextDecision int64       // cycle of the next decision on how the jobs continue
}

// spreadKind returns the index of the component's spreads in runSums.spreads: 0 for several jobs,
// 1 for a job that meets nobody.
func (c *component) spreadKind() int {
	if len(c.jobs) == 1 {
		return 1
	}
	return 0
}

// sortJobs orders the jobs by their first nodes.
func (c *component) sortJobs() {
	slices.SortFunc(c.jobs, func(a, b *jobState) int { return cmp.Compare(a.nodes[0], b.nodes[0]) })
}

// copyJobs returns copies of the jobs.
func (c *component) copyJobs() []jobState {
	list := make([]jobState, len(c.jobs))
	for i, k := range c.jobs {
		list[i] = *k
	}
	return list
}

// join makes one component of a job and of all components whose links it may use.
func (e *Executor) join(k *jobState) {
	c := &component{formed: e.now, start: e.now, jobs: []*jobState{k}}
	k.component = c
	for _, l := range k.links {
		for _, other := range e.users[l] {
			if other.component != c {
				e.absorb(c, other.component)
			}
		}
		e.users[l] = append(e.users[l], k)
	}
	e.components = append(e.components, c)
}

// absorb moves the jobs of a component into another that is formed now.
func (e *Executor) absorb(into, from *component) {
	e.endTrajectory(from)
	e.sums.epochs.Add(float64(e.now - from.formed))
	for _, k := range from.jobs {
		k.component = into
	}
	into.jobs = append(into.jobs, from.jobs...)
	e.unlist(from)
}

// unlist removes a component from the list of components.
func (e *Executor) unlist(c *component) {
	i := slices.Index(e.components, c)
	e.components = slices.Delete(e.components, i, i+1)
}

// removeEnded dissolves a component of which jobs have ended, appends these to done, and forms new
// components of the others.
func (e *Executor) removeEnded(c *component, done []scheduler.JobID) []scheduler.JobID {
	e.endTrajectory(c)
	e.unlist(c)
	e.sums.epochs.Add(float64(e.now - c.formed))
	var left []*jobState
	variance := 0.0 // of the times at which the jobs end
	for _, k := range c.jobs {
		if k.done < float64(k.total) {
			left = append(left, k)
			continue
		}
		variance += k.variance + k.drift.variance
		done = append(done, k.job.ID)
		e.finishJob(k)
	}
	// The others met the jobs that have ended for longer or shorter than in the full simulation.
	s := &e.sums.spreads[0].rate
	for _, k := range left {
		last := []estimate{{rate: k.lastRate(), perMessage: k.perMessage}}
		unit := e.unitsAt([]*jobState{k}, last, 0).sum
		more := variance * s.moderated(0, 0, unit)
		k.variance += more
		e.sums.variance += more
		if k.component == c {
			e.regroup(k, c)
		}
	}
	return done
}

// finishJob frees the links of a job that has ended and reports its totals.
func (e *Executor) finishJob(k *jobState) {
	for _, l := range k.links {
		i := slices.Index(e.users[l], k)
		e.users[l] = slices.Delete(e.users[l], i, i+1)
	}
	// Drawn jumps hold jobs that have ended, which must not hold later components.
	k.component, k.full.component = nil, nil
	e.sums.serviceCycles += float64(e.now - k.start)
	if e.reportHalfWidth != nil {
		e.reportHalfWidth(k.job.ID, e.sums.spreads[0].sum.halfWidth(k.variance+k.drift.variance))
	}
	if e.Ended != nil {
		e.Ended(k.job.ID, k.totals.rounded(), k.usedEstimate)
	}
}

// regroup forms a component of a job and of the jobs of an old component that it may meet.
func (e *Executor) regroup(first *jobState, old *component) {
	c := &component{formed: e.now, start: e.now, jobs: []*jobState{first}}
	first.component = c
	for i := 0; i < len(c.jobs); i++ {
		for _, l := range c.jobs[i].links {
			for _, k := range e.users[l] {
				if k.component == old {
					k.component = c
					c.jobs = append(c.jobs, k)
				}
			}
		}
	}
	e.components = append(e.components, c)
}
