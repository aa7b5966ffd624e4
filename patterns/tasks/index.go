package tasks

import (
	"slices"

	"contend/patterns"
)

// index is a graph as flat arrays. Tasks have numbers over all ranks: those of rank r begin at
// first[r].
type index struct {
	first   []int32
	rank    []patterns.Rank // by task
	waits   []int32         // by task: number of tasks that it waits for
	ended   lists           // by task: tasks that wait for its end
	begun   lists           // by task: tasks that wait for its beginning
	stream  []int32         // by task: the stream of a Calc or Send, numbered over all ranks
	streams int             // number of streams
	// route is, by task, the number of the route of a Send, and of a Receive without wildcards, or -1.
	route  []int32
	routes []route
	into   lists // by rank: the routes to it
	sends  int64 // number of messages to other ranks
}

// route identifies messages that are received in the order in which they were sent.
type route struct {
	from, to patterns.Rank
	tag      int32
}

// lists are lists in one array: list i is all[first[i]:first[i+1]].
type lists struct{ first, all []int32 }

// at returns list i.
func (l *lists) at(i int32) []int32 { return l.all[l.first[i]:l.first[i+1]] }

// newLists returns n lists: list i has the values that each yields with i, in that order. It calls
// each twice.
func newLists(n int, each func(yield func(i, value int32))) lists {
	l := lists{first: make([]int32, n+1)}
	each(func(i, _ int32) { l.first[i+1]++ })
	for i := range n {
		l.first[i+1] += l.first[i]
	}
	l.all = make([]int32, l.first[n])
	next := append([]int32(nil), l.first[:n]...)
	each(func(i, value int32) {
		l.all[next[i]] = value
		next[i]++
	})
	return l
}

// index returns the graph as arrays, which it makes at the first call. Check must accept the graph.
func (g *Graph) index() *index {
	g.once.Do(func() { g.built = newIndex(g.Ranks) })
	return g.built
}

// newIndex makes the index of the tasks of ranks.
func newIndex(ranks [][]Task) *index {
	x := &index{first: make([]int32, len(ranks)+1)}
	for r, list := range ranks {
		x.first[r+1] = x.first[r] + int32(len(list))
	}
	n := int(x.first[len(ranks)])
	x.rank = make([]patterns.Rank, n)
	x.waits, x.stream, x.route = make([]int32, n), make([]int32, n), make([]int32, n)
	streams, routes := map[[2]int32]int32{}, map[route]int32{}
	for r, list := range ranks {
		for i := range list {
			t, at := &list[i], x.first[r]+int32(i)
			x.rank[at] = patterns.Rank(r)
			x.waits[at] = int32(len(t.After) + len(t.With))
			x.stream[at] = numberOf(streams, [2]int32{int32(r), t.CPU})
			x.route[at] = x.routeOf(routes, patterns.Rank(r), t)
		}
	}
	x.streams = len(streams)
	dependents := func(of func(*Task) []int32) lists {
		return newLists(n, func(yield func(i, value int32)) {
			for r, list := range ranks {
				for i := range list {
					for _, before := range of(&list[i]) {
						yield(x.first[r]+before, x.first[r]+int32(i))
					}
				}
			}
		})
	}
	x.ended = dependents(func(t *Task) []int32 { return t.After })
	x.begun = dependents(func(t *Task) []int32 { return t.With })
	x.into = newLists(len(ranks), func(yield func(i, value int32)) {
		for i, k := range x.routes {
			yield(int32(k.to), int32(i))
		}
	})
	return x
}

// routeOf returns the number of the route of a task of rank r, or -1, and counts messages.
func (x *index) routeOf(known map[route]int32, r patterns.Rank, t *Task) int32 {
	k := route{r, t.Peer, t.Tag}
	switch t.Kind {
	case Calc:
		return -1
	case Send:
		if t.Peer != r {
			x.sends++
		}
	case Receive:
		if k = (route{t.Peer, r, t.Tag}); t.wildcard() {
			return -1
		}
	}
	at := numberOf(known, k)
	if int(at) == len(x.routes) {
		x.routes = append(x.routes, k)
	}
	return at
}

// numberOf returns the number of a key. Keys are numbered in the order of their first use.
func numberOf[K comparable](known map[K]int32, key K) int32 {
	n, ok := known[key]
	if !ok {
		n = int32(len(known))
		known[key] = n
	}
	return n
}

// wildcard reports whether messages of several routes match a Receive.
func (t *Task) wildcard() bool { return t.Peer == AnyRank || t.Tag == AnyTag }

// Maxima returns the maximum time of a computation in nanoseconds, the maximum length of a message
// in bytes, and the maximum number of a network interface.
func (g *Graph) Maxima() (time, bytes int64, nic uint8) {
	for _, list := range g.Ranks {
		for i := range list {
			t := &list[i]
			time, bytes, nic = max(time, t.Time), max(bytes, t.Bytes), max(nic, t.NIC)
		}
	}
	return time, bytes, nic
}

// Messages returns the number of messages of one iteration. Those of a rank to itself do not count.
func (g *Graph) Messages() int64 { return g.index().sends }

// Instant returns the first rank whose iterations take no time, whatever the network does, or
// AnyRank: a rank that computes nothing, receives nothing of other ranks and, where sends take
// time, sends nothing to them. An endless program would repeat its iterations at once.
func (g *Graph) Instant(sendsTakeTime bool) patterns.Rank {
	for r, list := range g.Ranks {
		if len(list) > 0 && !slices.ContainsFunc(list, func(t Task) bool {
			return t.Time > 0 || int(t.Peer) != r &&
				(t.Kind == Receive || t.Kind == Send && sendsTakeTime)
		}) {
			return patterns.Rank(r)
		}
	}
	return AnyRank
}
