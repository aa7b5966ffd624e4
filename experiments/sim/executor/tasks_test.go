package executor

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router/topology"
	"contend/scheduler"
)

// graphConfig is a pattern whose jobs run a graph.
func graphConfig(ranks ...[]tasks.Task) patterns.Config {
	g := &tasks.Graph{Ranks: ranks}
	if err := g.Check(); err != nil {
		panic(err)
	}
	return patterns.Config{Name: "graph",
		Work: func(int, *rand.Rand) (patterns.Work, error) { return tasks.Work{Graph: g}, nil }}
}

// ends starts jobs at once, one on each list of nodes of a mesh of 4x4, and returns when they end.
func ends(t *testing.T, c patterns.Config, s Software, places ...[]topology.Node) ([]int64, error) {
	t.Helper()
	x := New(meshNetwork(t, 4, 4), []patterns.Config{c}, scheduler.Clock{})
	x.Software = s
	for i, place := range places {
		x.Start(&scheduler.Job{ID: scheduler.JobID(i), Size: len(place), Quota: 1}, place)
	}
	list := make([]int64, len(places))
	for left := len(places); left > 0; {
		const late = 1 << 40
		now, done, err := x.Advance(late, nil)
		switch {
		case err != nil:
			return nil, err
		case now == late:
			t.Fatal("the jobs hang")
		}
		for _, id := range done {
			list[id] = int64(now)
			left--
		}
	}
	return list, nil
}

// A message of F flits over H links takes 3H + 3 + F cycles on the network of these tests.
func TestGraphsTakeTheirCriticalPath(t *testing.T) {
	send := func(bytes int64, after ...int32) tasks.Task {
		return tasks.Task{Kind: tasks.Send, Peer: 1, Bytes: bytes, After: after}
	}
	back := tasks.Task{Kind: tasks.Send, Bytes: 8, After: []int32{0}}
	receive := func(from patterns.Rank, after ...int32) tasks.Task {
		return tasks.Task{Kind: tasks.Receive, Peer: from, After: after}
	}
	calc := func(time int64, after ...int32) tasks.Task { return tasks.Task{Time: time, After: after} }
	const o, r = 100, 30
	software := Software{Send: o, Receive: r}
	for _, c := range []struct {
		name       string
		graph      patterns.Config
		rendezvous int64
		software   Software
		want       int64
	}{
		{"only computes", graphConfig([]tasks.Task{calc(70)}, []tasks.Task{calc(9), calc(20, 0)}),
			0, software, 70},
		{"a calc at the end", graphConfig([]tasks.Task{send(64)}, []tasks.Task{receive(0), calc(70, 0)}),
			0, Software{}, 14 + 70},
		{"with latency of software", graphConfig([]tasks.Task{send(64)},
			[]tasks.Task{receive(0), calc(70, 0)}), 0, software, o + 14 + r + 70},
		{"a send ends when it has left", graphConfig([]tasks.Task{send(8), calc(5000, 0)},
			[]tasks.Task{receive(0)}), 0, software, o + 5000},
		{"there and back", graphConfig([]tasks.Task{send(64), receive(1)},
			[]tasks.Task{receive(0), back}), 0, software, o + 14 + r + o + 7 + r},
		{"short messages are eager", graphConfig([]tasks.Task{send(8), receive(1)},
			[]tasks.Task{receive(0), back}), 2, software, 2 * (o + 7 + r)},
		{"rendezvous with a posted receive", graphConfig([]tasks.Task{send(64)},
			[]tasks.Task{receive(0)}), 8, software, 3*(o+r) + 7 + 7 + 14},
		{"rendezvous with a late receive", graphConfig([]tasks.Task{send(64)},
			[]tasks.Task{calc(900), receive(0, 0)}), 8, Software{}, 900 + 7 + 14},
		{"a send by rendezvous ends when it has left", graphConfig(
			[]tasks.Task{send(64), calc(5000, 0)}, []tasks.Task{calc(900), receive(0, 0)}), 8, software,
			900 + o + 7 + r + o + 5000},
		{"its stream is free before", graphConfig([]tasks.Task{send(64), calc(2000)},
			[]tasks.Task{calc(9000), receive(0, 0)}), 8, Software{}, 9000 + 7 + 14},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.graph.RendezvousFlits = c.rendezvous
			got, err := ends(t, c.graph, c.software, []topology.Node{0, 1})
			if err != nil || got[0] != c.want {
				t.Errorf("takes %v, %v; want %d", got, err, c.want)
			}
		})
	}
}

// TestJobsApartTakeWhatTheyTakeAlone: two jobs that share no channel do not slow each other; on
// nodes between each other's they do.
func TestJobsApartTakeWhatTheyTakeAlone(t *testing.T) {
	ring := make([][]tasks.Task, 4)
	for i := range ring {
		next, before := patterns.Rank((i+1)%4), patterns.Rank((i+3)%4)
		ring[i] = []tasks.Task{{Kind: tasks.Send, Peer: next, Bytes: 4000},
			{Kind: tasks.Receive, Peer: before}, {Time: 300, After: []int32{0, 1}},
			{Kind: tasks.Send, Peer: next, Bytes: 4000, After: []int32{2}},
			{Kind: tasks.Receive, Peer: before, After: []int32{2}}}
	}
	c := graphConfig(ring...)
	row := func(y int) []topology.Node {
		return []topology.Node{topology.Node(4 * y), topology.Node(4*y + 1), topology.Node(4*y + 2),
			topology.Node(4*y + 3)}
	}
	even, odd := []topology.Node{0, 2, 8, 10}, []topology.Node{1, 3, 9, 11}
	alone := func(place []topology.Node) int64 { return must.Have(ends(t, c, Software{}, place))[0] }
	apart := must.Have(ends(t, c, Software{}, row(0), row(2)))
	if want := []int64{alone(row(0)), alone(row(2))}; !slices.Equal(apart, want) {
		t.Errorf("apart they take %v, alone %v", apart, want)
	}
	across := must.Have(ends(t, c, Software{}, even, odd))
	if a, b := alone(even), alone(odd); across[0] < a || across[1] < b || across[0]+across[1] <= a+b {
		t.Errorf("across each other they take %v, alone %d and %d", across, a, b)
	}
}

func TestStuckGraphsEndTheRun(t *testing.T) {
	c := graphConfig([]tasks.Task{{Kind: tasks.Send, Peer: 1, Tag: 5, Bytes: 8}},
		[]tasks.Task{{Kind: tasks.Receive, Peer: tasks.AnyRank, Tag: 5},
			{Kind: tasks.Receive, Peer: 0, Tag: tasks.AnyTag, Name: "l2"}})
	long := graphConfig([]tasks.Task{{Kind: tasks.Send, Peer: 1, Tag: 5, Bytes: 64}},
		[]tasks.Task{{Kind: tasks.Receive, Peer: tasks.AnyRank, Tag: 6}})
	long.RendezvousFlits = 8
	for _, c := range []struct {
		graph patterns.Config
		want  string
	}{
		{c, "job 0: rank 1, l2: it waits for a message from rank 0 with any tag, and nothing is"},
		{long, "job 0: rank 1, task 0: it waits for a message from any rank with tag 6, and nothing is"},
	} {
		_, err := ends(t, c.graph, Software{}, []topology.Node{0, 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// drawGraph draws a graph that ends whatever the network does: tasks wait for earlier ones only, a
// receive comes right behind its send, and those of a sender, receiver and tag follow each other.
func drawGraph(t *rapid.T, ranks int) [][]tasks.Task {
	list := make([][]tasks.Task, ranks)
	last := map[[4]int]int32{}
	add := func(r int, task tasks.Task, route [4]int) {
		n := int32(len(list[r]))
		for range rapid.IntRange(0, 2).Draw(t, "waits") {
			if n > 0 && rapid.Bool().Draw(t, "after") {
				task.After = append(task.After, rapid.Int32Range(0, n-1).Draw(t, "task"))
			} else if n > 0 {
				task.With = append(task.With, rapid.Int32Range(0, n-1).Draw(t, "task"))
			}
		}
		if before, ok := last[route]; ok && task.Kind != tasks.Calc {
			task.After = append(task.After, before)
		}
		last[route] = n
		list[r] = append(list[r], task)
	}
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		a, b := rapid.IntRange(0, ranks-1).Draw(t, "a"), rapid.IntRange(0, ranks-1).Draw(t, "b")
		cpu := rapid.Int32Range(0, 1).Draw(t, "cpu")
		if rapid.IntRange(0, 2).Draw(t, "kind") == 0 {
			add(a, tasks.Task{Time: rapid.Int64Range(0, 90).Draw(t, "time"), CPU: cpu}, [4]int{})
			continue
		}
		tag := rapid.IntRange(0, 1).Draw(t, "tag")
		add(a, tasks.Task{Kind: tasks.Send, Peer: patterns.Rank(b), Tag: int32(tag), CPU: cpu,
			Bytes: rapid.Int64Range(0, 300).Draw(t, "bytes")}, [4]int{a, b, tag, 1})
		add(b, tasks.Task{Kind: tasks.Receive, Peer: patterns.Rank(a), Tag: int32(tag)},
			[4]int{a, b, tag, 2})
	}
	return list
}

// TestDrawnGraphsEnd runs graphs eagerly and by rendezvous, with and without latency of software.
// Each ends, and no earlier than any of its streams and processes could, and its critical path takes
// that time.
func TestDrawnGraphsEnd(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		graph := drawGraph(r, 4)
		c := graphConfig(graph...)
		c.RendezvousFlits = int64(rapid.SampledFrom([]int{0, 1, 10, 30}).Draw(r, "rendezvous"))
		c.Iterations = 1 + rapid.Int64Range(0, 2).Draw(r, "iterations")
		s := Software{Send: rapid.Int64Range(0, 40).Draw(r, "send"),
			Receive: rapid.Int64Range(0, 40).Draw(r, "receive")}
		x := New(meshNetwork(t, 2, 2), []patterns.Config{c}, scheduler.Clock{})
		x.Software = s
		cycles := int64(0)
		follow(x, func(h *Hop) { cycles += pathCycles(h) })
		x.Start(&scheduler.Job{ID: 1, Size: 4, Quota: 1 << 40,
			Lead: scheduler.Cycle(rapid.IntRange(0, 1).Draw(r, "lead") * 50)},
			[]topology.Node{0, 1, 2, 3})
		end, done, err := x.Advance(1<<40, nil)
		if err != nil || len(done) != 1 || cycles != int64(end) {
			r.Fatalf("ended at %d with %v, %v; its path takes %d cycles", end, done, err, cycles)
		}
		for _, list := range graph {
			busy := map[int32]int64{}
			for _, t := range list {
				busy[t.CPU] += t.Time
			}
			for _, cycles := range busy {
				if int64(end) < cycles*c.Iterations {
					r.Fatalf("ends at %d, and a stream computes for %d", end, cycles*c.Iterations)
				}
			}
		}
		var messages int64
		for rank, list := range graph {
			for _, t := range list {
				if t.Kind == tasks.Send && int(t.Peer) != rank {
					messages++
				}
			}
		}
		if got := x.Net.Totals().Messages; c.RendezvousFlits == 0 && got != messages*c.Iterations {
			r.Fatalf("%d messages arrived, want %d", got, messages*c.Iterations)
		}
	})
}
