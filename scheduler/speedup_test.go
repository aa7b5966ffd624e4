package scheduler

import (
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// TestFixedSpeedup is pascual2009 sec. 6: 10% means 10% less time, for parallel
// jobs only.
func TestFixedSpeedup(t *testing.T) {
	for _, c := range []struct {
		speedup float64
		size    int
		want    Cycle
	}{{0, 4, 1000}, {0.1, 4, 900}, {0.5, 2, 500}, {0.1, 1, 1000}, {0.25, 1, 1000}} {
		x := Fixed{Speedup: c.speedup}
		j := job(1, 0, 1000, c.size)
		x.Start(&j, nil)
		if at, done, err := x.Advance(MaxCycle, nil); at != c.want || len(done) != 1 || err != nil {
			t.Errorf("%v of a job of %d: ends at %d, want %d", c.speedup, c.size, at, c.want)
		}
	}
}

// treeSim runs jobs on a whole k-ary n-tree.
func treeSim(t testing.TB, jobs []Job, arity, levels int, allocator string) *Sim {
	t.Helper()
	tree := must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels}))
	sim := fixedSim(&List{Jobs: jobs}, tree.Nodes())
	sim.Allocator = allocatorOf(allocator, tree)
	return sim
}

// TestEASYCountsReservationsByHand: on a tree of 2 x 2 nodes jobs 1 and 4 hold nodes 0
// and 3, and job 5 asks for two nodes in one subtree. By trial placement it waits for
// node 0. Job 6, which would take node 1 from it, waits too. By counts one node is left
// over once job 1 ends. So job 6 goes ahead, and job 5 has to wait for node 3.
func TestEASYCountsReservationsByHand(t *testing.T) {
	jobs := []Job{job(1, 0, 10, 1), job(2, 0, 1, 1), job(3, 0, 1, 1), job(4, 0, 20, 1),
		job(5, 1, 5, 2), job(6, 1, 100, 1)}
	for _, c := range []struct {
		count     bool
		five, six Cycle
	}{{false, 10, 10}, {true, 20, 1}} {
		sim := treeSim(t, jobs, 2, 2, "contiguous")
		sim.Policy = &EASY{CountReservations: c.count}
		start := startsOf(t, sim)
		if start[5] != c.five || start[6] != c.six {
			t.Errorf("count %v: jobs 5 and 6 start at %d and %d, want %d and %d", c.count, start[5],
				start[6], c.five, c.six)
		}
	}
}

// BenchmarkEASYTree runs 200,000 jobs on a 4-ary 6-tree under EASY with trial
// placements.
func BenchmarkEASYTree(b *testing.B) {
	for _, load := range []struct {
		name  string
		share float64
	}{{"load-0.6", 0.6}, {"load-0.8", 0.8}} {
		jobs := loaded(b, 200_000, 4096, load.share)
		for _, allocator := range []string{"sequential", "contiguous", "quasi-contiguous:10",
			"quasi-contiguous:40"} {
			b.Run(load.name+"/"+allocator, func(b *testing.B) {
				benchSim(b, jobs, func() *Sim {
					sim := treeSim(b, jobs, 4, 6, allocator)
					sim.Policy = &EASY{}
					return sim
				})
			})
		}
	}
}
