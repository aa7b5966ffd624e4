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

// Options are what a trace does not define.
type Options struct {
	training.Collectives
	// FlopRate is the rate of operations of a rank, in flop/s; 0 for recorded durations. MemoryRate
	// is that of its memory in bytes/s; 0 for memory that takes no time.
	FlopRate, MemoryRate float64
}

// Graph returns the tasks of the trace. It is checked.
func (t *Trace) Graph(o Options) (*tasks.Graph, error) {
	matched, err := t.matchCollectives()
	if err != nil {
		return nil, err
	}
	l := lowering{Trace: t, Options: o, collectives: matched}
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
			bad.File = rankFile(t.prefix, int(at.Rank))
		}
		return nil, bad
	}
	return g, nil
}

// badNode returns an error about a node of a rank.
func (t *Trace) badNode(rank int, id uint64, problem string, args ...any) error {
	return &input.Error{File: rankFile(t.prefix, rank),
		Problem: fmt.Sprintf("node %d: ", id) + fmt.Sprintf(problem, args...)}
}

// lowering converts nodes to tasks.
type lowering struct {
	*Trace
	Options
	collectives collectives
	codes       []patterns.Code // by collective
}

// makeCodes makes the code of each collective.
func (l *lowering) makeCodes() error {
	for _, c := range l.collectives.list {
		code, err := l.Code(c.kind, c.group, c.vector())
		if err != nil {
			return l.badNode(c.rank, c.id, "%v", err)
		}
		l.codes = append(l.codes, code)
	}
	return nil
}

// memoryStream is the stream of loads and stores, beside those of package training.
const memoryStream = training.HostStream + 1

// rank returns the tasks of a rank in the order of the nodes of the file, except that a node comes
// after those on which it depends.
func (l *lowering) rank(r int) ([]tasks.Task, error) {
	nodes := l.ranks[r]
	order, cycle, ok := tasks.Order(len(nodes), func(i int32) []int32 { return nodes[i].after })
	if !ok {
		return nil, l.badNode(r, nodes[cycle[0]].id, "it depends on node %d, and so on itself",
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
			index := l.collectives.of[r][i]
			c := &l.collectives.list[index]
			member := slices.Index(c.group, patterns.Rank(r))
			name := fmt.Sprintf("node %d, %s", x.id, c.kind)
			list, ends[i] = training.AppendCollective(list, l.codes[index], c.group, member,
				int32(len(l.collectives.tags)+index), after, name)
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

// task returns the task of a computation, send or receive, without the tasks that it waits for.
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
			return t, l.badNode(r, x.id, "it computes for more than 2^53 ns")
		}
		return t, nil
	case sendNode:
		t.Kind, t.CPU, t.Bytes = tasks.Send, training.MessageStream, x.value[commBytes]
		t.Peer, err = l.peer(r, x, "comm_dst", x.value[sink], "comm_src", x.value[source])
	case receiveNode:
		t.Kind, t.Bytes = tasks.Receive, x.value[commBytes]
		t.Peer, err = l.peer(r, x, "comm_src", x.value[source], "comm_dst", x.value[sink])
	default:
		return t, l.badNode(r, x.id, "its type is %d: there are METADATA_NODE (1) to COMM_COLL_NODE (7)",
			x.kind)
	}
	t.Tag = l.collectives.tags[x.value[commTag]]
	return t, err
}

// peer returns the other rank of a message. It refuses a message whose own rank is not that of the
// file.
func (l *lowering) peer(r int, x *node, name string, rank int64, ownName string, own int64,
) (patterns.Rank, error) {
	switch n := int64(len(l.ranks)); {
	case rank == notGiven:
		return 0, l.badNode(r, x.id, "it has no attribute %s", name)
	case rank >= n:
		return 0, l.badNode(r, x.id, "%s is %d, and the trace has ranks 0 to %d", name, rank, n-1)
	case own != notGiven && own != int64(r):
		return 0, l.badNode(r, x.id, "%s is %d in the file of rank %d", ownName, own, r)
	}
	return patterns.Rank(rank), nil
}

// time returns the time of a computation in nanoseconds. It is above tasks.MaxTime if it is too
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

// collectives are the collectives of a trace.
type collectives struct {
	list []collective
	of   []map[int32]int // by rank and index of a node: index in list
	// tags are the tags of messages by comm_tag. Collectives have the tags above these.
	tags map[int64]int32
}

// collective is a collective of a process group, as the first of its ranks describes it.
type collective struct {
	rank  int    // the first rank
	id    uint64 // of its node
	kind  training.Kind
	size  int64
	group training.Group
}

// vector returns the length of the whole vector in bytes.
func (c *collective) vector() int64 {
	if c.kind == training.AllGather && c.size < training.MaxCollectiveBytes {
		return c.size * int64(len(c.group))
	}
	return c.size
}

// everyRank is the name of the group of all ranks, which ASTRA-sim also calls 0.
const everyRank = ""

// collectiveKinds are the kinds of collectives by comm_type of the schema.
var collectiveKinds = map[int64]training.Kind{0: training.AllReduce, 2: training.AllGather,
	5: training.Broadcast, 6: training.AllToAll, 7: training.ReduceScatter, 9: training.Barrier}

// matchCollectives matches the collectives of all ranks. If a member of its group lacks one,
// messages are missing, which Graph.Check reports.
func (t *Trace) matchCollectives() (collectives, error) {
	c := collectives{of: make([]map[int32]int, len(t.ranks)), tags: map[int64]int32{}}
	byGroup := map[string][]int{} // collectives of a group in their order
	for r, nodes := range t.ranks {
		c.of[r] = map[int32]int{}
		done := map[string]int{}
		for i := range nodes {
			x := &nodes[i]
			if _, ok := c.tags[x.value[commTag]]; !ok && (x.kind == sendNode || x.kind == receiveNode) {
				c.tags[x.value[commTag]] = int32(len(c.tags))
			}
			if x.kind != collectiveNode {
				continue
			}
			own, err := t.collective(r, x)
			if err != nil {
				return c, err
			}
			k := done[x.group]
			if done[x.group]++; k == len(byGroup[x.group]) {
				byGroup[x.group] = append(byGroup[x.group], len(c.list))
				c.list = append(c.list, own)
			}
			at := byGroup[x.group][k]
			c.of[r][int32(i)] = at
			if first := &c.list[at]; first.kind != own.kind || first.size != own.size ||
				!slices.Equal(first.group, own.group) {
				return c, t.badNode(r, x.id, "it is collective %d of its group, %s of %d bytes from rank %d "+
					"on, and in %s node %d is %s of %d bytes from rank %d on", k+1, own.kind, own.size,
					own.group[0], rankFile(t.prefix, first.rank), first.id, first.kind, first.size, first.group[0])
			}
		}
	}
	return c, nil
}

// collective returns the collective of a node.
func (t *Trace) collective(r int, x *node) (collective, error) {
	group := t.groups[x.group]
	if x.group == everyRank {
		group = t.everyone
	}
	c := collective{rank: r, id: x.id, size: x.value[commBytes], group: group}
	kind, ok := collectiveKinds[x.value[commType]]
	switch {
	case x.value[commType] == notGiven:
		return c, t.badNode(r, x.id, "it has no attribute comm_type")
	case !ok:
		return c, t.badNode(r, x.id, "comm_type is %d: there are ALL_REDUCE (0), ALL_GATHER (2), "+
			"BROADCAST (5), ALL_TO_ALL (6), REDUCE_SCATTER (7) and BARRIER (9)", x.value[commType])
	case group == nil:
		return c, t.badNode(r, x.id, "there is no process group %q (pg_name): give the file of groups",
			x.group)
	case !slices.Contains(group, patterns.Rank(r)):
		return c, t.badNode(r, x.id, "rank %d is not in its process group %q", r, x.group)
	}
	if c.kind = kind; kind == training.Broadcast && x.value[source] != notGiven {
		root := slices.Index(group, patterns.Rank(x.value[source]))
		if root < 0 {
			return c, t.badNode(r, x.id, "comm_src is %d, which is not in the process group",
				x.value[source])
		}
		c.group = append(slices.Clone(group[root:]), group[:root]...)
	}
	return c, nil
}
