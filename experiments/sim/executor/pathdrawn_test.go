package executor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// drawTasks draws a graph of tasks that ends: tasks wait for earlier ones only, and a receive comes
// right behind its send. No two messages have the same length.
func drawTasks(rng *rand.Rand, ranks, steps int) [][]tasks.Task {
	list := make([][]tasks.Task, ranks)
	lengths := rng.Perm(steps)
	last := map[[4]int]int32{}
	add := func(r int, t tasks.Task, route [4]int) {
		n := int32(len(list[r]))
		for range rng.IntN(3) {
			if n > 0 && rng.IntN(3) > 0 {
				t.After = append(t.After, max(0, n-1-rng.Int32N(4)))
			} else if n > 0 {
				t.With = append(t.With, max(0, n-1-rng.Int32N(4)))
			}
		}
		if before, ok := last[route]; ok && t.Kind != tasks.Calc {
			t.After = append(t.After, before)
		}
		last[route] = n
		list[r] = append(list[r], t)
	}
	for step := range steps {
		a, b, cpu := rng.IntN(ranks), rng.IntN(ranks), rng.Int32N(2)
		if rng.IntN(2) == 0 {
			add(a, tasks.Task{Time: 1 + rng.Int64N(150), CPU: cpu}, [4]int{})
			continue
		}
		tag := rng.IntN(2)
		add(a, tasks.Task{Kind: tasks.Send, Peer: patterns.Rank(b), Tag: int32(tag), CPU: cpu,
			Bytes: 8 * int64(2+lengths[step])}, [4]int{a, b, tag, 1})
		add(b, tasks.Task{Kind: tasks.Receive, Peer: patterns.Rank(a), Tag: int32(tag)},
			[4]int{a, b, tag, 2})
	}
	return list
}

// traced runs a graph on nodes of a mesh of 4x2, beside another job on the others or alone, and
// returns its recorder, its end, and the sums and the time of its critical path.
func traced(t *testing.T, graph [][]tasks.Task, rendezvous int64, s Software, beside bool) (
	r *recorder, end int64, on sums, cycles int64,
) {
	t.Helper()
	var all pathSums
	c := graphConfig(graph...)
	c.RendezvousFlits = rendezvous
	inner := c.Work
	c.Work = func(n int, shape []int, rng *rand.Rand) (patterns.Work, error) {
		w, err := inner(n, shape, rng)
		return recordedWork{w, &r}, err
	}
	net := meshNetwork(t, 4, 2)
	x := New(net, []patterns.Config{c, {Name: "ring", Flits: 24, ComputeCycles: 10}},
		scheduler.Clock{})
	x.Software = s
	chains := &Chains{Ended: func(id scheduler.JobID, path []Hop) {
		for i := 0; i < len(path) && id == 1; i++ {
			all.add(&path[i])
			on.software += path[i].Software
		}
	}}
	x.FindChains(chains)
	net.Watch(func(p *router.Arrival) {
		if p.Job == 0 { // a slot
			r.arrival[chains.transfer[p.User].tag] = p.Delivered
			way := net.UncontendedPath(router.Header{Source: p.From, Destination: p.To})
			r.late = r.late || p.Delivered-p.Created != net.Config().ZeroLoadLatencyOver(way, int(p.Length))
		}
		chains.Packet(p)
	})
	x.Start(&scheduler.Job{ID: 1, Size: len(graph), Quota: 1}, []topology.Node{0, 3, 5, 6})
	if beside {
		x.Start(&scheduler.Job{ID: 2, Size: 4, Pattern: 1, Quota: 1 << 40}, []topology.Node{1, 2, 7, 4})
	}
	now, done, err := x.Advance(1<<40, nil)
	if err != nil || len(done) != 1 || done[0] != 1 {
		t.Fatalf("ended at %d with %v, %v", now, done, err)
	}
	on.computing, on.messages = all.computing, all.messages
	return r, int64(now), on, all.cycles
}

// recordedWork is work whose program is recorded.
type recordedWork struct {
	patterns.Work
	to **recorder
}

func (w recordedWork) Program(c patterns.Config, iterations int64) patterns.Program {
	*w.to = &recorder{Waking: w.Work.Program(c, iterations).(patterns.Waking),
		open: map[int32][]*crossing{}, sends: map[int32][]*crossing{}, arrival: map[int32]int64{}}
	return *w.to
}

// TestPathsAreThoseOfAnOracle: critical paths of drawn graphs have the computing, the work for
// messages and the messages of a path that goes back in the recorded times of messages from time to
// equal time, and take the time of the job to the cycle.
func TestPathsAreThoseOfAnOracle(t *testing.T) {
	only, tied, computing, software, long := 0, 0, 0, 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 41))
		graph := drawTasks(rng, 4, 10+rng.IntN(50))
		rendezvous := int64(rng.IntN(2) * 20)
		s := Software{Send: rng.Int64N(2) * rng.Int64N(40), Receive: rng.Int64N(2) * rng.Int64N(40)}
		name := fmt.Sprintf("seed %d, rendezvous %d, %v", seed, rendezvous, s)
		r, end, on, cycles := traced(t, graph, rendezvous, s, rng.IntN(4) > 0)
		o, ok := newOracle(graph, r, s, end, nil)
		for try := 0; !ok && try < 10000; try++ {
			o, ok = newOracle(graph, r, s, end, rng)
			tied += 1 - min(1, try)
		}
		if !ok {
			t.Errorf("%s: the oracle finds other times of tasks", name)
			continue
		}
		all := o.critical()
		if cycles != end || !all[on] {
			t.Errorf("%s: ends at %d, a path of %d cycles, %+v; the oracle has %v", name, end, cycles, on,
				all)
		}
		if len(all) == 1 {
			only++
		}
		computing += int(min(1, on.computing))
		software += int(min(1, on.software))
		for _, list := range r.sends {
			long += len(list) / 3
		}
	}
	if only < 120 || tied > 30 || computing < 150 || software < 80 || long < 300 {
		t.Errorf("%d graphs have one path, %d ties; %d paths have computing, %d software; %d long messages",
			only, tied, computing, software, long)
	}
}
