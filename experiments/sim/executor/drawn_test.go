package executor

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

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
		Work: func(int, []int, *rand.Rand) (patterns.Work, error) { return tasks.Work{Graph: g}, nil }}
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
// Each ends, and no earlier than any of its streams and processes could, and its critical path
// takes that time.
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
		path := followPath(x)
		x.Start(&scheduler.Job{ID: 1, Size: 4, Quota: 1 << 40,
			Lead: scheduler.Cycle(rapid.IntRange(0, 1).Draw(r, "lead") * 50)},
			[]topology.Node{0, 1, 2, 3})
		end, done, err := x.Advance(1<<40, nil)
		if err != nil || len(done) != 1 || path.cycles != int64(end) {
			r.Fatalf("ended at %d with %v, %v; its path takes %d cycles", end, done, err, path.cycles)
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
