package tasks_test

import (
	"fmt"

	"contend/patterns"
	"contend/patterns/tasks"
)

// Rank 0 computes for a microsecond and sends; rank 1 answers. In a network of no latency the
// messages come one after the other.
func ExampleGraph() {
	g := &tasks.Graph{Ranks: [][]tasks.Task{
		{
			{Kind: tasks.Calc, Time: 1000, Name: "work"},
			{Kind: tasks.Send, Peer: 1, Tag: 1, Bytes: 4096, After: []int32{0}},
			{Kind: tasks.Receive, Peer: 1, Tag: 2},
		},
		{
			{Kind: tasks.Receive, Peer: 0, Tag: 1},
			{Kind: tasks.Send, Peer: 0, Tag: 2, Bytes: 64, After: []int32{0}},
		},
	}}
	if err := g.Check(); err != nil {
		fmt.Println(err)
		return
	}
	p := tasks.Work{Graph: g}.Program(patterns.Config{FlitBytes: 16}, 1)
	end, err := patterns.Rehearse(p, func(m patterns.Message) {
		fmt.Printf("%d to %d: %d flits\n", m.From, m.To, m.Flits)
	})
	fmt.Println(g.Messages(), "messages, end in cycle", end, err)
	// Output:
	// 0 to 1: 256 flits
	// 1 to 0: 4 flits
	// 2 messages, end in cycle 1000 <nil>
}
