package fastforward

import (
	"cmp"
	"slices"

	"contend/scheduler"
)

// component is a set of jobs whose packets may meet, directly or through others.
type component struct {
	jobs       []*jobState
	born       int64       // cycle from which these jobs are together
	began      int64       // cycle in which the trajectory begins
	trajectory *trajectory // nil: its jobs are simulated in full
	next       int64       // cycle up to which the jobs go on without a new decision
}

// kind is the place of a component's spreads in runSums.spreads: those of several jobs are pooled
// apart from those of jobs that meet nobody.
func (c *component) kind() int {
	if len(c.jobs) == 1 {
		return 1
	}
	return 0
}

// sort orders the jobs of a component by their nodes.
func (c *component) sort() {
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
	c := &component{born: e.now, began: e.now, jobs: []*jobState{k}}
	k.component = c
	for _, l := range k.links {
		for _, other := range e.users[l] {
			if other.component != c {
				e.merge(c, other.component)
			}
		}
		e.users[l] = append(e.users[l], k)
	}
	e.components = append(e.components, c)
}

// merge moves the jobs of a component into another that begins now.
func (e *Executor) merge(into, from *component) {
	e.account(from)
	e.sums.epochs.Add(float64(e.now - from.born))
	for _, k := range from.jobs {
		k.component = into
	}
	into.jobs = append(into.jobs, from.jobs...)
	e.remove(from)
}

// remove removes a component from the list.
func (e *Executor) remove(c *component) {
	i := slices.Index(e.components, c)
	e.components = slices.Delete(e.components, i, i+1)
}

// leave ends a component of which jobs have ended, appends these to done, and makes new components
// of the others.
func (e *Executor) leave(c *component, done []scheduler.JobID) []scheduler.JobID {
	e.account(c)
	e.remove(c)
	e.sums.epochs.Add(float64(e.now - c.born))
	var left []*jobState
	variance := 0.0 // of the times at which the jobs end
	for _, k := range c.jobs {
		if k.done < float64(k.total) {
			left = append(left, k)
			continue
		}
		variance += k.variance + k.drift.variance
		done = append(done, k.job.ID)
		e.finish(k)
	}
	// The others meet the jobs that have ended for longer or shorter than in the full simulation.
	s := &e.sums.spreads[0].rate
	for _, k := range left {
		unit := e.unitsAt([]*jobState{k}, []estimate{{rate: k.speed(), each: k.each}}, 0).sum
		more := variance * s.with(0, 0, unit)
		k.variance += more
		e.sums.variance += more
		if k.component == c {
			e.group(k, c)
		}
	}
	return done
}

// finish accounts for a job that has ended.
func (e *Executor) finish(k *jobState) {
	for _, l := range k.links {
		i := slices.Index(e.users[l], k)
		e.users[l] = slices.Delete(e.users[l], i, i+1)
	}
	// Memory holds jobs that have ended, which must not hold components and their jobs.
	k.component, k.full.component = nil, nil
	e.sums.service += float64(e.now - k.start)
	if e.uncertain != nil {
		e.uncertain(k.job.ID, e.sums.spreads[0].sum.half(k.variance+k.drift.variance))
	}
	if e.Ended != nil {
		e.Ended(k.job.ID, k.totals.totals(), k.estimated)
	}
}

// group makes a component of a job and of the jobs of an old component that it meets.
func (e *Executor) group(first *jobState, old *component) {
	c := &component{born: e.now, began: e.now, jobs: []*jobState{first}}
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
