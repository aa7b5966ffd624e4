package chakra

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"contend/internal/input"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/patterns/training"
)

// Options say what a trace leaves open.
type Options struct {
	// Algorithm is that of collectives; "" means the first of training.Algorithms.
	Algorithm training.Algorithm
	// FlopRate is the rate of operations of a rank, in flop/s; 0 for recorded durations. MemoryRate
	// is that of its memory in bytes/s; 0 for memory that takes no time.
	FlopRate, MemoryRate float64
}

// Graph returns the tasks of the trace. It is checked.
func (t *Trace) Graph(o Options) (*tasks.Graph, error) {
	calls, err := t.calls()
	if err != nil {
		return nil, err
	}
	l := lowering{Trace: t, Options: o, calls: calls}
	if err := l.makeCodes(); err != nil {
		return nil, err
	}
	g := &tasks.Graph{Ranks: make([][]tasks.Task, len(t.ranks))}
	total := 0
	for r := range t.ranks {
		if g.Ranks[r], err = l.rank(r); err != nil {
			return nil, err
		}
		if total += len(g.Ranks[r]); total > training.MaxTasks {
			return nil, &input.Error{File: t.prefix, Problem: fmt.Sprintf("its collectives are more "+
				"than %d messages", training.MaxTasks), Right: "take an algorithm of fewer messages"}
		}
	}
	if err := g.Check(); err != nil {
		bad := &input.Error{File: t.prefix, Problem: err.Error()}
		if at := (*tasks.Error)(nil); errors.As(err, &at) {
			bad.File = file(t.prefix, int(at.Rank))
		}
		return nil, bad
	}
	return g, nil
}

// at is an error about a node of a rank.
func (t *Trace) at(rank int, id uint64, problem string, args ...any) error {
	return &input.Error{File: file(t.prefix, rank),
		Problem: fmt.Sprintf("node %d: ", id) + fmt.Sprintf(problem, args...)}
}

// lowering turns nodes into tasks.
type lowering struct {
	*Trace
	Options
	calls calls
	codes []patterns.Code // by call
}

// makeCodes makes the code of each collective.
func (l *lowering) makeCodes() error {
	for _, c := range l.calls.list {
		code, err := training.Code(c.kind, l.Algorithm, len(c.group), c.vector())
		if err != nil {
			return l.at(c.rank, c.id, "%v", err)
		}
		l.codes = append(l.codes, code)
	}
	return nil
}

// Streams beside those of package training.
const memoryStream = training.HostStream + 1

// rank returns the tasks of a rank. Nodes get theirs in the order of the file, but after those on
// which they depend.
func (l *lowering) rank(r int) ([]tasks.Task, error) {
	nodes := l.ranks[r]
	order, cycle, ok := tasks.Order(len(nodes), func(i int32) []int32 { return nodes[i].after })
	if !ok {
		return nil, l.at(r, nodes[cycle[0]].id, "it depends on node %d, and so on itself",
			nodes[cycle[1]].id)
	}
	var list []tasks.Task
	ends := make([][]int32, len(nodes)) // tasks with which a node ends
	for _, i := range order {
		x := &nodes[i]
		var after []int32
		for _, before := range x.after {
			after = append(after, ends[before]...)
		}
		slices.Sort(after)
		after = slices.Compact(after)
		switch x.kind {
		case metadataNode:
			ends[i] = after
			continue
		case collectiveNode:
			call := l.calls.of[r][i]
			c := &l.calls.list[call]
			member := slices.Index(c.group, patterns.Rank(r))
			name := fmt.Sprintf("node %d, %s", x.id, c.kind)
			list, ends[i] = training.AppendCollective(list, l.codes[call], c.group, member,
				int32(len(l.calls.tags)+call), after, name)
			continue
		}
		task, err := l.task(r, x)
		if err != nil {
			return nil, err
		}
		task.After, task.Name = after, fmt.Sprintf("node %d", x.id)
		ends[i] = []int32{int32(len(list))}
		list = append(list, task)
	}
	return list, nil
}

// task returns the task of a node that has one, without what it waits for.
func (l *lowering) task(r int, x *node) (t tasks.Task, err error) {
	switch x.kind {
	case computeNode, loadNode, storeNode:
		t.CPU = training.ComputeStream
		switch {
		case x.kind != computeNode:
			t.CPU = memoryStream
		case x.value[onHost] != 0:
			t.CPU = training.HostStream
		}
		if t.Time = l.time(x); t.Time > tasks.MaxTime {
			return t, l.at(r, x.id, "it computes for more than 2^53 ns")
		}
		return t, nil
	case sendNode:
		t.Kind, t.CPU, t.Bytes = tasks.Send, training.MessageStream, x.value[commBytes]
		t.Peer, err = l.peer(r, x, "comm_dst", x.value[sink], "comm_src", x.value[source])
	case receiveNode:
		t.Kind, t.Bytes = tasks.Receive, x.value[commBytes]
		t.Peer, err = l.peer(r, x, "comm_src", x.value[source], "comm_dst", x.value[sink])
	default:
		return t, l.at(r, x.id, "its type is %d: there are METADATA_NODE (1) to COMM_COLL_NODE (7)",
			x.kind)
	}
	t.Tag = l.calls.tags[x.value[commTag]]
	return t, err
}

// peer returns the other rank of a message.
func (l *lowering) peer(r int, x *node, name string, rank int64, ownName string, own int64,
) (patterns.Rank, error) {
	switch n := int64(len(l.ranks)); {
	case rank == none:
		return 0, l.at(r, x.id, "it has no attribute %s", name)
	case rank >= n:
		return 0, l.at(r, x.id, "%s is %d, and the trace has ranks 0 to %d", name, rank, n-1)
	case own != none && own != int64(r):
		return 0, l.at(r, x.id, "%s is %d in the file of rank %d", ownName, own, r)
	}
	return patterns.Rank(rank), nil
}

// time returns the time of a computation in nanoseconds, and more than tasks.MaxTime if that is too
// long.
func (l *lowering) time(x *node) int64 {
	if l.FlopRate == 0 || x.kind != computeNode || x.value[onHost] != 0 || x.value[operations] == 0 {
		return int64(min(x.micros, tasks.MaxTime) * 1000)
	}
	seconds := float64(x.value[operations]) / l.FlopRate
	if l.MemoryRate > 0 {
		seconds = max(seconds, float64(x.value[tensorBytes])/l.MemoryRate)
	}
	return int64(math.Round(min(seconds*1e9, 2*tasks.MaxTime)))
}
