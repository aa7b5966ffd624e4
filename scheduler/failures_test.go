package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
)

// TestDrawnFailures: under every policy every job ends once after its whole run time, on nodes that
// are up all the time, or is lost when it has been killed too often, however nodes fail. The totals
// are what the records, the runs that failures end, and the failures add up to.
func TestDrawnFailures(t *testing.T) {
	for name, policy := range allPolicies {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 11))
			nodes := 2 + r.IntN(20)
			jobs := drawJobs(r, nodes, 40, estimates(r.IntN(2)))
			failures := drawFailures(r, nodes)
			sim := fixedSim(&List{Jobs: jobs}, nodes)
			sim.Policy, sim.Failures = policy.make(), inOrder(slices.Clone(failures))
			if nodes%2 == 0 {
				sim.Allocator = firstFree{nodes: nodes, page: 1 + r.IntN(2)}
			}
			sim.MaxRestarts = []int{0, 1, 1000}[r.IntN(3)]
			kills := name == "easy, kill"
			ends, used := map[JobID]int{}, 0.0
			numbers, restarts := map[int64]bool{}, 0
			lostJobs, stops, lost, wasDown := 0, map[JobID]int{}, 0.0, 0.0
			sim.Stopped = func(k *Record) {
				if stops[k.Job.ID] != k.Restarts || k.Lost != (k.Restarts == sim.MaxRestarts) {
					t.Fatalf("%s, seed %d: after %d runs %+v", name, seed, stops[k.Job.ID], k)
				}
				stops[k.Job.ID]++
				lost += float64(len(k.Nodes)) * float64(k.Service())
			}
			sim.Down = func(_ topology.Node, from, until Cycle) { wasDown += float64(until - from) }
			sim.Record = func(k *Record) {
				ends[k.Job.ID]++
				numbers[k.Number] = true
				if k.Lost {
					lostJobs++
					return
				}
				if k.Restarts != stops[k.Job.ID] || k.Queued > k.Start || k.Queued < k.Submit {
					t.Fatalf("%s, seed %d: after %d runs %+v", name, seed, stops[k.Job.ID], k)
				}
				used += float64(len(k.Nodes)) * float64(k.Service())
				if j := jobs[k.Job.ID-1]; k.Submit != Cycle(j.Submit) || k.Start < k.Submit ||
					!kills && k.Service() != Cycle(j.RunTime) {
					t.Fatalf("%s, seed %d: %+v", name, seed, k)
				}
				for _, n := range k.Allocated {
					if at := downAt(failures, n, k.Start, k.End); at >= 0 {
						t.Fatalf("%s, seed %d: job %d runs on node %d from %d to %d, which fails at %d", name,
							seed, k.Job.ID, n, k.Start, k.End, at)
					}
				}
			}
			sim.Decided = func(*Job, *allocation.FreeSet, []topology.Node) { restarts++ }
			totals := must.Have(sim.Run())
			down := 0.0
			for n := range topology.Node(nodes) {
				for c := range totals.Finish {
					if downAt(failures, n, c, c+1) >= 0 {
						down++
					}
				}
			}
			if len(ends) != len(jobs) || totals.Jobs+lostJobs != len(jobs) || !numbers[int64(len(jobs))] ||
				totals.LostJobs != lostJobs || totals.Lost.Float64() != lost || wasDown != down ||
				totals.Used.Float64() != used || totals.Down.Float64() != down ||
				restarts != len(jobs)+totals.Requeued {
				t.Fatalf("%s, seed %d: %d jobs of %d, %+v, want %v used, %v down, %d starts", name, seed,
					len(ends), len(jobs), totals, used, down, restarts)
			}
		}
	}
}

// drawFailures draws failures of nodes that are all repaired.
func drawFailures(r *rand.Rand, nodes int) (list changes) {
	for range r.IntN(30) {
		first := r.IntN(nodes)
		c := Change{At: Cycle(r.IntN(300))}
		for n := first; n < min(nodes, first+1+r.IntN(3)); n++ {
			c.Down = append(c.Down, topology.Node(n))
		}
		repair := Change{At: c.At + 1 + Cycle(r.IntN(60)), Up: c.Down}
		if c.Until = repair.At; r.IntN(2) == 0 {
			c.Until = MaxCycle
		}
		list = append(list, c, repair)
	}
	return list
}

// downAt returns the beginning of a failure of a node that is not over when a span of time begins
// and begins before it ends, or -1.
func downAt(list changes, n topology.Node, from, until Cycle) Cycle {
	for i := 0; i < len(list); i += 2 {
		if c := list[i]; slices.Contains(c.Down, n) && c.At < until && list[i+1].At > from {
			return c.At
		}
	}
	return -1
}

// TestFailuresWithoutEnd: a job that needs nodes that are never up at once does not wait for ever.
func TestFailuresWithoutEnd(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{job(1, 5, 1, 2)}}, 2)
	sim.Failures = &alternating{}
	_, err := sim.Run()
	if want := "job 1: it waits and nothing runs during 100000 failures and repairs: the nodes that " +
		"it needs are never up at once"; err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
}

// alternating is two nodes of which each fails before the other is repaired.
type alternating struct{ n int }

// Next implements Failures.
func (a *alternating) Next() (Change, bool) {
	a.n++
	c := Change{At: Cycle(a.n), Until: MaxCycle}
	switch zero, one := []topology.Node{0}, []topology.Node{1}; a.n % 4 {
	case 1:
		c.Down = zero
	case 2:
		if a.n > 2 {
			c.Up = one
		}
	case 3:
		c.Down = one
	default:
		c.Up = zero
	}
	return c, true
}
