package allocation

import (
	"math/rand/v2"
	"slices"

	"contend/netsim/topology"
)

// runningJobs are the jobs on a machine in a test. free and set always agree.
type runningJobs struct {
	free []bool
	set  *FreeSet
	jobs [][]topology.Node
}

func newRunningJobs(nodes int) *runningJobs {
	return &runningJobs{slices.Repeat([]bool{true}, nodes), NewFreeSet(nodes), nil}
}

func (r *runningJobs) start(nodes []topology.Node) {
	r.set.Take(nodes)
	for _, n := range nodes {
		r.free[n] = false
	}
	r.jobs = append(r.jobs, nodes)
}

func (r *runningJobs) finish(i int) {
	r.set.Release(r.jobs[i])
	for _, n := range r.jobs[i] {
		r.free[n] = true
	}
	r.jobs = slices.Delete(r.jobs, i, i+1)
}

// finishOn ends a job if the byte of a fuzz test asks for it, as a quarter of all bytes do,
// and reports whether it did.
func (r *runningJobs) finishOn(b byte) bool {
	ends := b >= 0xc0 && len(r.jobs) > 0
	if ends {
		r.finish(int(b) % len(r.jobs))
	}
	return ends
}

// finishHalf ends random jobs until half of the machine is free.
func (r *runningJobs) finishHalf(stream *rand.Rand) *FreeSet {
	for 2*r.set.Count() < r.set.Nodes() {
		r.finish(stream.IntN(len(r.jobs)))
	}
	return r.set
}
