package executor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim"
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
	s.cycles += h.Computing + h.Software + h.Serialization + h.Queue + h.Entry + h.Network +
		h.Shared
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

// A message alone takes the time of its flits on the slowest link of its path and that of its last
// packet, and waits for nothing.
func TestLoneMessageIsSerialized(t *testing.T) {
	for _, c := range []struct {
		node, link, virtual, packet, bytes int
	}{{1, 1, 2, 16, 8000}, {1, 12, 8, 64, 80000}, {2, 2, 2, 8, 4004}, {1, 5, 4, 10, 80}, {7, 7, 2, 64, 9}} {
		config := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 2}})))
		config.NodeFlitCycles, config.FlitCycles, config.RoutingCycles = c.node, c.link, 0
		config.VirtualChannels, config.PacketFlits, config.BufferFlits = c.virtual, c.packet, 4*c.packet
		config.Switching, config.PacketsHoldLinks = router.VirtualCutThrough, true
		x := New(must.Have(netsim.New(config)), []patterns.Config{graphConfig(
			[]tasks.Task{{Kind: tasks.Send, Peer: 1, Bytes: int64(c.bytes)}},
			[]tasks.Task{{Kind: tasks.Receive}})}, scheduler.Clock{})
		var path []Hop
		x.FindChains(&Chains{Ended: func(_ scheduler.JobID, p []Hop) { path = slices.Clone(p) }})
		x.Net.Watch(x.chains.Packet)
		x.Start(&scheduler.Job{ID: 1, Size: 2, Quota: 1}, []topology.Node{0, 7})
		now, _, err := x.Advance(1<<40, nil)
		flits := (c.bytes + 7) / 8
		rest := (flits - 1) / c.packet * c.packet
		want := Hop{Crossed: true, Serialization: int64(rest * max(c.node, c.link))}
		want.Network = int64(now) - want.Serialization
		if err != nil || len(path) != 2 || fmt.Sprint(path[0]) != fmt.Sprint(want) {
			t.Errorf("%+v: ends at %d, %v: %+v, want %+v", c, now, err, path, want)
		}
	}
}

// scripts is work of processes that run lists. It records when each message is received, by tag.
type scripts struct {
	lists patterns.Lists
	times map[int32]int64
}

func (scripts) Messages() int64 { return 1 }

func (s scripts) Program(patterns.Config, int64) patterns.Program {
	return &timedScripts{patterns.NewProcesses(len(s.lists), s.lists.Part), s.times, 0}
}

type timedScripts struct {
	*patterns.Processes
	times map[int32]int64
	now   int64
}

func (s *timedScripts) At(cycle int64) { s.now = cycle; s.Processes.At(cycle) }

func (s *timedScripts) Delivered(dst []patterns.Message, m patterns.Message) []patterns.Message {
	s.times[m.Tag] = s.now
	return s.Processes.Delivered(dst, m)
}

// step is one of a script: a process computes, or sends a message with the step's number as tag.
type step struct {
	from, to patterns.Rank // both the same for a computation
	cycles   int64
	flits    int32
}

// listsOf returns the script of each process.
func listsOf(steps []step, processes int) patterns.Lists {
	lists := make(patterns.Lists, processes)
	for tag, s := range steps {
		if s.from == s.to {
			lists[s.from] = append(lists[s.from], patterns.Compute(s.cycles))
			continue
		}
		lists[s.from] = append(lists[s.from], patterns.Send(s.to, s.flits, int32(tag)))
		lists[s.to] = append(lists[s.to], patterns.Receive(s.from, int32(tag)))
	}
	return lists
}

// pathsOf finds what may be on the critical path of steps whose messages are received in these
// cycles, and when the job ends: each process does one step after the other. Steps are in an order
// in which a message is sent before it is received.
func pathsOf(
	steps []step, times map[int32]int64, processes int,
) (all map[pathSums]bool, end int64) {
	at := make([]int64, processes)
	to := make([]map[pathSums]bool, processes)
	for r := range to {
		to[r] = map[pathSums]bool{{}: true}
	}
	all = map[pathSums]bool{}
	for tag, s := range steps {
		if s.from == s.to {
			more := map[pathSums]bool{}
			for k := range to[s.from] {
				more[pathSums{k.cycles, k.computing + s.cycles, k.messages}] = true
			}
			at[s.from] += s.cycles
			to[s.from] = more
			continue
		}
		arrived := times[int32(tag)]
		if arrived > at[s.to] { // the process has waited
			at[s.to], to[s.to] = arrived, map[pathSums]bool{}
		}
		for k := range to[s.from] {
			k.messages++
			if arrived == at[s.to] {
				to[s.to][k] = true
			}
			if arrived > end {
				all, end = map[pathSums]bool{}, arrived
			}
			if arrived == end {
				all[k] = true
			}
		}
	}
	return all, end
}

// TestPathsOfScripts: the critical paths of drawn scripts, beside another job, are those that go
// through the processes step by step.
func TestPathsOfScripts(t *testing.T) {
	computing, only := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 42))
		steps := make([]step, 5+rng.IntN(40))
		for i := range steps {
			s := step{from: patterns.Rank(rng.IntN(4)), to: patterns.Rank(rng.IntN(4)),
				cycles: 1 + rng.Int64N(120), flits: 1 + rng.Int32N(30)}
			if rng.IntN(3) == 0 {
				s.to = s.from
			}
			steps[i] = s
		}
		steps = append(steps, step{from: 0, to: 1, flits: 1})
		work := scripts{listsOf(steps, 4), map[int32]int64{}}
		x := New(meshNetwork(t, 4, 2), []patterns.Config{{Name: "script",
			Work: func(int, []int, *rand.Rand) (patterns.Work, error) { return work, nil }},
			{Name: "ring", Flits: 24, ComputeCycles: 10}}, scheduler.Clock{})
		path := followPath(x)
		x.Start(&scheduler.Job{ID: 1, Size: 4, Quota: 1}, []topology.Node{0, 3, 5, 6})
		x.Start(&scheduler.Job{ID: 2, Size: 4, Pattern: 1, Quota: 1 << 40},
			[]topology.Node{1, 2, 7, 4})
		now, done, err := x.Advance(1<<40, nil)
		if err != nil || len(done) != 1 {
			t.Fatalf("ended at %d with %v, %v", now, done, err)
		}
		all, end := pathsOf(steps, work.times, 4)
		on := pathSums{computing: path.computing, messages: path.messages}
		if end != int64(now) || path.cycles != end || !all[on] {
			t.Errorf("seed %d: ends at %d, by hand at %d; the path is %+v; by hand %v", seed, now, end,
				path, all)
		}
		computing += int(min(1, on.computing))
		if len(all) == 1 {
			only++
		}
	}
	if computing < 150 || only < 150 {
		t.Errorf("%d paths have computing, %d are the only one", computing, only)
	}
}

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
