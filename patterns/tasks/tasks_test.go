package tasks

import (
	"container/heap"
	"strings"
	"testing"

	"contend/patterns"
)

// wire is a network in which a message of n flits takes latency + n cycles and never waits.
type wire struct {
	now, latency int64
	list         []arrival
	order        int
}

type arrival struct {
	at    int64
	order int
	m     patterns.Message
}

func (w *wire) Len() int      { return len(w.list) }
func (w *wire) Swap(i, j int) { w.list[i], w.list[j] = w.list[j], w.list[i] }
func (w *wire) Push(x any)    { w.list = append(w.list, x.(arrival)) }
func (w *wire) Less(i, j int) bool {
	a, b := w.list[i], w.list[j]
	return a.at < b.at || a.at == b.at && a.order < b.order
}

func (w *wire) Pop() any {
	x := w.list[len(w.list)-1]
	w.list = w.list[:len(w.list)-1]
	return x
}

// drive runs a program on a wire and returns the cycle of its end.
func drive(t *testing.T, p patterns.Waking, latency int64) (int64, error) {
	t.Helper()
	w := &wire{latency: latency}
	p.At(0)
	send := func(batch []patterns.Message) {
		for _, m := range batch {
			heap.Push(w, arrival{w.now + w.latency + int64(m.Flits) + m.Delay, w.order, m})
			w.order++
			p.Sent(m)
		}
	}
	send(p.Start(nil))
	for !p.Done() {
		wake, err := p.Next()
		if err != nil {
			return w.now, err
		}
		if len(w.list) > 0 && w.list[0].at <= wake {
			a := heap.Pop(w).(arrival)
			w.now = a.at
			p.At(w.now)
			send(p.Delivered(nil, a.m))
			continue
		}
		w.now = wake
		p.At(w.now)
		send(p.Wake(nil))
	}
	return w.now, nil
}

func send(to patterns.Rank, tag int32, bytes int64, after ...int32) Task {
	return Task{Kind: Send, Peer: to, Tag: tag, Bytes: bytes, After: after}
}

func receive(from patterns.Rank, tag int32, after ...int32) Task {
	return Task{Kind: Receive, Peer: from, Tag: tag, After: after}
}

func calc(time int64, after ...int32) Task { return Task{Time: time, After: after} }

// cpu puts a task on a stream.
func cpu(c int32, t Task) Task {
	t.CPU = c
	return t
}

func TestProgramTakesItsCriticalPath(t *testing.T) {
	cases := []struct {
		name  string
		graph [][]Task
		work  Work
		want  int64 // with a latency of 10 and a cycle for a flit of 8 bytes
	}{
		{"nothing", [][]Task{{}}, Work{}, 0},
		{"a calc at the end counts", [][]Task{{send(1, 0, 8)}, {receive(0, 0), calc(100, 0)}}, Work{},
			111},
		{"one stream does one thing at a time", [][]Task{{calc(5), calc(7)}}, Work{}, 12},
		{"streams of a rank do not", [][]Task{{calc(5), cpu(1, calc(7))}}, Work{}, 7},
		{"a send waits for its stream", [][]Task{{calc(5), send(1, 0, 8)}, {receive(0, 0)}}, Work{},
			16},
		{"a receive does not", [][]Task{{send(1, 0, 8)}, {calc(50), receive(0, 0), cpu(1, calc(1, 1))}},
			Work{}, 50},
		{"with the beginning", [][]Task{{calc(5), {Time: 7, CPU: 1, With: []int32{0}}}}, Work{}, 7},
		{"after the end", [][]Task{{calc(5), {Time: 7, CPU: 1, After: []int32{0}}}}, Work{}, 12},
		{"an early message waits for its receive",
			[][]Task{{send(1, 0, 8)}, {calc(50), receive(0, 0, 0), calc(3, 1)}}, Work{}, 53},
		{"cycles and fractions that are left", [][]Task{{calc(1), calc(1, 0), calc(1, 1)}},
			Work{Cycles: 2, Nanoseconds: 3}, 2},
		{"a slow rank", [][]Task{{calc(10)}, {calc(10)}}, Work{Slow: []float64{1, 2.5}}, 25},
		{"to itself", [][]Task{{send(0, 0, 8), receive(0, 0), calc(4, 1)}}, Work{}, 4},
		{"by tag", [][]Task{{send(1, 1, 8), send(1, 2, 800)}, {receive(0, 2), calc(5, 0), receive(0, 1),
			cpu(1, calc(7, 2))}}, Work{}, 115},
		{"any rank and tag", [][]Task{{send(2, 1, 8)}, {send(2, 2, 80)}, {receive(AnyRank, AnyTag),
			calc(5, 0), receive(AnyRank, AnyTag, 1), calc(5, 2)}}, Work{}, 25},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := &Graph{Ranks: c.graph}
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			c.work.Graph = g
			got, err := drive(t, c.work.Program(patterns.Config{}, 1).(patterns.Waking), 10)
			if err != nil || got != c.want {
				t.Errorf("takes %d cycles, %v; want %d", got, err, c.want)
			}
		})
	}
}

// Iterations follow each other rank by rank, and lengths are rounded up.
func TestIterationsAndLengths(t *testing.T) {
	for _, c := range []struct {
		graph      [][]Task
		pad        int
		iterations int64
		want       int64
	}{
		{[][]Task{{calc(5), send(1, 0, 8, 0)}, {receive(0, 0), calc(100, 0)}}, 0, 3, 16 + 300},
		{[][]Task{{send(1, 0, 65)}, {receive(0, 0)}}, 4, 1, 22},
	} {
		p := Work{Graph: &Graph{Ranks: c.graph}}.Program(patterns.Config{PadFlits: c.pad}, c.iterations)
		if got, err := drive(t, p.(patterns.Waking), 10); err != nil || got != c.want {
			t.Errorf("takes %d cycles, %v; want %d", got, err, c.want)
		}
	}
}

// TestOvertakenMessagesKeepTheirOrder sends a long message and then a short one with the same tag.
// The short one arrives first and is received second.
func TestOvertakenMessagesKeepTheirOrder(t *testing.T) {
	g := &Graph{Ranks: [][]Task{{send(1, 0, 800), send(1, 0, 8)}, {receive(0, 0), receive(0, 0),
		calc(3, 0)}}}
	p := Work{Graph: g}.Program(patterns.Config{}, 1).(patterns.Waking)
	if got, err := drive(t, p, 10); err != nil || got != 113 {
		t.Errorf("takes %d cycles, %v; want 113: the calc waits for the long message", got, err)
	}
}

func TestCheckNamesTheFault(t *testing.T) {
	named := func(t Task, name string) Task {
		t.Name = name
		return t
	}
	for _, c := range []struct {
		graph [][]Task
		want  string
	}{
		{nil, "0 ranks: a job has 1 to"},
		{[][]Task{{calc(1, 1), calc(1, 0)}}, "rank 0, task 0: it waits for task 1, and so for itself"},
		{[][]Task{{named(calc(1, 1), "a"), {With: []int32{0}, Name: "b"}}},
			"rank 0, a: it waits for b, and so for itself"},
		{[][]Task{{calc(1), calc(1, 0, 2), calc(1, 1)}},
			"rank 0, task 1: it waits for task 2, and so for itself"},
		{[][]Task{{calc(1, 0)}}, "rank 0, task 0: it waits for itself"},
		{[][]Task{{calc(1, 7)}}, "rank 0, task 0: it waits for task 7, and the rank has tasks 0 to 0"},
		{[][]Task{{calc(-1)}}, "computes for -1 ns"},
		{[][]Task{{send(1, 0, 1)}}, "rank 0, task 0: there is no rank 1: ranks are 0 to 0"},
		{[][]Task{{receive(-2, 0)}}, "there is no rank -2"},
		{[][]Task{{send(0, -1, 1)}}, "tag -1: tags are at least 0"},
		{[][]Task{{send(1, 3, 1), send(1, 3, 1)}, {receive(0, 3)}},
			"rank 0, task 1: rank 1 never receives its message with tag 3"},
		{[][]Task{{}, {receive(0, 4)}},
			"rank 1, task 0: it waits for a message from rank 0 with tag 4, and nothing"},
		{[][]Task{{receive(1, 0), send(1, 0, 1, 0)}, {receive(0, 0), send(0, 0, 1, 0)}},
			"rank 0, task 0: it waits for a message from rank 1 with tag 0, and nothing is under way"},
	} {
		err := (&Graph{Ranks: c.graph}).Check()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.graph, err, c.want)
		}
	}
}

// TestUnmatchedWildcardsAreNamed: what Check cannot tell, the program says instead of hanging.
func TestFaultsOfMatchingAreNamed(t *testing.T) {
	small := receive(0, 5)
	small.Bytes = 7
	for _, c := range []struct {
		graph [][]Task
		want  string
	}{
		{[][]Task{{send(1, 5, 8)}, {receive(AnyRank, 5), receive(AnyRank, AnyTag)}},
			"rank 1, task 1: it waits for a message from any rank with any tag, and nothing is under way"},
		{[][]Task{{send(1, 5, 8), send(1, 6, 8)}, {receive(AnyRank, 5)}},
			"rank 0, task 1: rank 1 never receives its message with tag 6"},
		{[][]Task{{send(1, 5, 8)}, {small}},
			"rank 1, task 0: it has room for 7 bytes and is met by a message of 8 bytes from rank 0"},
	} {
		g := &Graph{Ranks: c.graph}
		err := g.Check()
		if err == nil {
			_, err = drive(t, Work{Graph: g}.Program(patterns.Config{}, 1).(patterns.Waking), 10)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
