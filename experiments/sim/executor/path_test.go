package executor

import (
	"math/rand/v2"
	"testing"

	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// pathSums are sums over the hops of a critical path: cycles in all, cycles of computing, and
// messages.
type pathSums struct{ cycles, computing, messages int64 }

// followPath sums the critical path of job 1. It hands packets to the chains.
func followPath(x *Executor) *pathSums {
	var s pathSums
	c := &Chains{Ended: func(id scheduler.JobID, path []Hop) {
		for i := 0; i < len(path) && id == 1; i++ {
			s.add(&path[i])
		}
	}}
	x.FindChains(c)
	x.Net.Watch(c.Packet)
	return &s
}

// add adds a hop.
func (s *pathSums) add(h *Hop) {
	s.cycles += h.Computing + h.Software + h.Queue + h.Entry + h.Network + h.Shared
	for _, w := range append(h.Ahead[:len(h.Ahead):len(h.Ahead)], h.Waits...) {
		s.cycles += w.Cycles
	}
	if s.computing += h.Computing; h.Crossed {
		s.messages++
	}
}

// drawSerial draws a graph in which each stream does its tasks in a given order and each message
// has a receive of its own, so that the time of the job is the longest path of the graph. Times of
// computations are multiples of 64.
func drawSerial(rng *rand.Rand, ranks, steps int) [][]tasks.Task {
	list := make([][]tasks.Task, ranks)
	last := map[[2]int]int32{}
	add := func(r, cpu int, t tasks.Task) {
		t.CPU = int32(cpu)
		if before, ok := last[[2]int{r, cpu}]; ok && t.Kind != tasks.Receive {
			t.After = append(t.After, before)
		}
		n := int32(len(list[r]))
		if n > 0 && rng.IntN(2) == 0 {
			t.After = append(t.After, max(0, n-1-rng.Int32N(6)))
		}
		if t.Kind != tasks.Receive {
			last[[2]int{r, cpu}] = n
		}
		list[r] = append(list[r], t)
	}
	for step := range steps {
		a, b := rng.IntN(ranks), rng.IntN(ranks)
		if a == b || rng.IntN(3) > 0 {
			add(a, rng.IntN(2), tasks.Task{Time: 64 * (1 + rng.Int64N(20))})
			continue
		}
		add(a, rng.IntN(2), tasks.Task{Kind: tasks.Send, Peer: patterns.Rank(b), Tag: int32(step),
			Bytes: 8 * (1 + rng.Int64N(6))})
		add(b, 0, tasks.Task{Kind: tasks.Receive, Peer: patterns.Rank(a), Tag: int32(step)})
	}
	return list
}

// runScaled runs a graph with computing times of part/64 on a mesh of 4x2. It returns when the job
// ends, the computing on its critical path, and whether a packet waited for another.
func runScaled(t *testing.T, graph [][]tasks.Task, part int64) (end, computing int64, waited bool) {
	t.Helper()
	scaled := make([][]tasks.Task, len(graph))
	for r := range graph {
		scaled[r] = append(scaled[r], graph[r]...)
		for i := range scaled[r] {
			scaled[r][i].Time = scaled[r][i].Time / 64 * part
		}
	}
	net := meshNetwork(t, 4, 2)
	x := New(net, []patterns.Config{graphConfig(scaled...)}, scheduler.Clock{})
	path := followPath(x)
	chains := x.chains
	net.Watch(func(p *router.Arrival) {
		way := net.UncontendedPath(router.Header{Source: p.From, Destination: p.To})
		waited = waited || p.Delivered-p.Created != net.Config().ZeroLoadLatencyOver(way, int(p.Length))
		chains.Packet(p)
	})
	x.Start(&scheduler.Job{ID: 1, Size: len(graph), Quota: 1}, []topology.Node{0, 3, 5, 6})
	now, done, err := x.Advance(1<<40, nil)
	if err != nil || len(done) != 1 || path.cycles != int64(now) {
		t.Fatalf("ended at %d with %v, %v; the path takes %d cycles", now, done, err, path.cycles)
	}
	return int64(now), path.computing, waited
}

// TestComputingIsWhatFasterComputingSaves: where no message waits for another, the time T of a job
// is the longest path of its graph, and so convex in the factor f on times of computations. The
// computing C(f) of the critical path is f times a slope of it: for f < 1
//
//	(1 - f)/f C(f) <= T(1) - T(f) <= (1 - f) C(1)
//
// Without computing the job is shorter by at most C(1): by C(1) where the path stays the critical
// one.
func TestComputingIsWhatFasterComputingSaves(t *testing.T) {
	graphs, equal, other := 0, 0, 0
seeds:
	for seed := uint64(0); graphs < 200; seed++ {
		rng := rand.New(rand.NewPCG(seed, 43))
		graph := drawSerial(rng, 4, 4+rng.IntN(30))
		end, computing, waited := runScaled(t, graph, 64)
		var shorter, c int64
		for _, part := range []int64{32, 8, 1, 0} {
			late := waited
			if shorter, c, waited = runScaled(t, graph, part); waited || late {
				continue seeds
			}
			if saved := end - shorter; (64-part)*c > saved*part || saved*64 > (64-part)*computing {
				t.Errorf("seed %d: at %d/64 %d cycles less, %d on the path and %d on that before", seed, part,
					saved, c, computing)
			}
		}
		graphs++
		if c != 0 {
			t.Errorf("seed %d: %d cycles of computing where there is none", seed, c)
		}
		if end-shorter == computing && computing > 0 {
			equal++
		} else if computing > 0 {
			other++
		}
	}
	if equal < 30 || other < 30 {
		t.Errorf("%d graphs keep their critical path, %d have another one", equal, other)
	}
}
