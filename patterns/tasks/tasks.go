// Package tasks runs jobs that are given as graphs of tasks: the computations, sends and receives
// of each process, and their dependencies. GOAL schedules (Hoefler, Siebert and Lumsdaine, Group
// Operation Assembly Language, ICPP 2009) and execution traces of training jobs are such graphs.
//
// # What happens when
//
// A task is ready when all tasks of After have ended and all tasks of With have begun.
//
// A Calc or Send begins when its stream is free. A stream does one task at a time, in the order in
// which its tasks become ready; tasks that become ready in the same cycle begin in the order of
// their numbers, unless one of them begins before the next event of the cycle. A Calc ends after
// its time. A Send ends when its message has left the process and enters the network, after the
// software latency that the driver of the program adds. The process does not wait for the receiver,
// unless the message is so long that it goes by rendezvous, as in MPI libraries (Rashti and Afsahi,
// Improving Communication Progress and Overlap in MPI Rendezvous Protocol over RDMA-enabled
// Interconnects, HPCS 2008): the sender sends a request, the receiver answers that it is clear to
// send when the receive is posted, and then the message follows. The stream is free when the
// request has left, and the Send ends when the message itself has left. Requests and answers are
// messages of control flits, so the driver adds its software latency to them too.
//
// A Receive takes no stream. It begins, or is posted, when it is ready, and ends when a matching
// message has arrived. Receives and messages are matched by (source, tag), as in MPI. If several
// receives match a message, the receive posted first gets it. If several messages match a receive,
// it gets the message that arrived first. Messages with the same sender, receiver and tag are
// matched in the order in which they were sent, in whatever order they arrive. AnyRank and AnyTag
// match everything.
//
// Example: rank 0 computes for 1 µs, sends 4096 bytes to rank 1 and receives the answer; rank 1
// receives, then sends 64 bytes (ExampleGraph). At 1 GHz, with no latency in the network:
//
//	time 0     both Receives are posted; the Calc of rank 0 begins
//	     1000  the Calc ends, and the Send after it: 256 flits of 16 bytes go from 0 to 1
//	           the Receive of rank 1 ends, and the Send after it: 4 flits go from 1 to 0
//	           the Receive of rank 0 ends: all tasks have ended
//
// A job is done when all tasks have ended. With several iterations each process begins its next
// iteration when all of its own tasks have ended; there is no barrier.
package tasks

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"contend/patterns"
)

// Kind is the kind of a task.
type Kind uint8

// The kinds of tasks.
const (
	Calc    Kind = iota // computes for Time
	Send                // sends Bytes to Peer
	Receive             // waits for a message of Peer
)

const (
	// AnyRank as the Peer of a Receive matches messages of any sender.
	AnyRank patterns.Rank = -1
	// AnyTag as the Tag of a Receive matches messages with any tag.
	AnyTag int32 = -1
)

// Task is one task of a rank.
type Task struct {
	Kind Kind
	// NIC is the number of the network interface that the message of a Send requests.
	NIC uint8
	// Peer is the receiver of a Send, and the sender of a Receive or AnyRank.
	Peer patterns.Rank
	// Tag is the tag of the message of a Send or Receive, at least 0. A Receive may have AnyTag.
	Tag int32
	// CPU is the number of the rank's stream that executes a Calc or Send, at least 0.
	CPU int32
	// Line is the line of the task in its file, from 1. It is 0 for a task without a file.
	Line int32
	// Bytes is the length of the message of a Send, at least 0. For a Receive it is the maximum
	// length of the message; 0 means no limit.
	Bytes int64
	// Time is the time of a Calc in nanoseconds, at least 0.
	Time int64
	// After and With list tasks of the same rank, by index, for which the task waits: all of After
	// must have ended (GOAL requires), and all of With must have begun (GOAL irequires).
	After, With []int32
	// Name is a label for errors. Errors about a task without a name give its line.
	Name string
}

// Graph has the tasks of all ranks of a job. It must not change after the first call of a method.
type Graph struct {
	Ranks [][]Task
	// FullRate is the time in nanoseconds in which a mean rank does the operations of the model at the
	// full rate of its accelerator; 0 where operations or rate are not known.
	FullRate float64

	once  sync.Once // makes built
	built *index
}

// Work is the patterns.Work of a job that runs a graph. With zero values a cycle is a nanosecond
// and all ranks compute at full speed.
type Work struct {
	*Graph
	// Cycles is the number of network cycles in Nanoseconds; if both are 0, a nanosecond has one
	// cycle. A Calc takes whole cycles. Its remaining fraction of a cycle is added to the next Calc
	// of its stream.
	Cycles, Nanoseconds int64
	// Slow has a factor for each rank, which multiplies the times of its Calc tasks. Ranks beyond
	// its end have the factor 1.
	Slow []float64
}

// MaxTime is the longest time of a Calc, in nanoseconds.
const MaxTime = 1 << 53

// Error is an error about one task of a graph.
type Error struct {
	Rank patterns.Rank
	// Task is the index of the task in the rank.
	Task int32
	text string
}

func (e *Error) Error() string { return e.text }

// label returns the name of a task within its rank.
func (t *Task) label(i int32) string {
	switch {
	case t.Name != "":
		return t.Name
	case t.Line > 0:
		return fmt.Sprintf("line %d", t.Line)
	}
	return fmt.Sprintf("task %d", i)
}

// badTask returns the Error about task i of rank r. Its text names the rank and the task before the
// problem.
func badTask(ranks [][]Task, r patterns.Rank, i int32, problem string, args ...any) error {
	name := fmt.Sprintf("rank %d, %s: ", r, ranks[r][i].label(i))
	return &Error{r, i, name + fmt.Sprintf(problem, args...)}
}

// source describes the messages that match a Receive.
func (t *Task) source() string {
	from, tag := fmt.Sprintf("from rank %d", t.Peer), fmt.Sprintf("with tag %d", t.Tag)
	if t.Peer == AnyRank {
		from = "from any rank"
	}
	if t.Tag == AnyTag {
		tag = "with any tag"
	}
	return from + " " + tag
}

// Check returns an error if the graph has no ranks or too many, if a value of a task is out of its
// bounds, if tasks of a rank wait for each other in a cycle, or if a message is never received or
// never sent. The error is an *Error if one task is at fault.
//
// To find unmatched messages, Check runs a graph without wildcards on a network where each message
// arrives at once. The order of a rank's tasks then does not depend on the times of arrival (Kahn,
// IFIP 1974), so a graph that ends once ends on every network. A graph with wildcards may get stuck
// in some runs only: Next of the running program returns the error.
func (g *Graph) Check() error {
	if n := len(g.Ranks); n < 1 || n > patterns.MaxProcesses {
		return fmt.Errorf("%d ranks: a job has 1 to %d", n, patterns.MaxProcesses)
	}
	total := 0
	for _, list := range g.Ranks {
		total += len(list)
	}
	if total > math.MaxInt32-1 {
		return fmt.Errorf("%d tasks: a graph has at most %d", total, math.MaxInt32-1)
	}
	wild := false
	for r, list := range g.Ranks {
		for i := range list {
			t := &list[i]
			if wrong := t.problem(int32(len(list)), int32(i), len(g.Ranks)); wrong != "" {
				return badTask(g.Ranks, patterns.Rank(r), int32(i), "%s", wrong)
			}
			wild = wild || t.Kind == Receive && t.wildcard()
		}
	}
	if err := g.checkAcyclic(); err != nil {
		return err
	}
	if wild {
		return nil
	}
	_, err := patterns.Rehearse(Work{Graph: g}.Program(patterns.Config{}, 1), func(patterns.Message) {})
	return err
}

// problem describes the first value of task i that is out of its bounds, in a rank with the given
// number of tasks and a graph with the given number of ranks. It returns "" for a valid task.
func (t *Task) problem(tasks, i int32, ranks int) string {
	for _, list := range [][]int32{t.After, t.With} {
		for _, before := range list {
			if before < 0 || before >= tasks {
				return fmt.Sprintf("it waits for task %d, and the rank has tasks 0 to %d", before, tasks-1)
			}
			if before == i {
				return "it waits for itself"
			}
		}
	}
	if t.CPU < 0 {
		return fmt.Sprintf("cpu %d: streams have numbers from 0", t.CPU)
	}
	anyRank := t.Kind == Receive && t.Peer == AnyRank
	switch {
	case t.Kind > Receive:
		return "it is no Calc, Send or Receive"
	case t.Kind == Calc && (t.Time < 0 || t.Time > MaxTime):
		return fmt.Sprintf("it computes for %d ns: the time is 0 to %d", t.Time, int64(MaxTime))
	case t.Kind == Calc:
	case !anyRank && (t.Peer < 0 || int(t.Peer) >= ranks):
		return fmt.Sprintf("there is no rank %d: ranks are 0 to %d", t.Peer, ranks-1)
	case t.Tag < 0 && !(t.Kind == Receive && t.Tag == AnyTag):
		return fmt.Sprintf("tag %d: tags are at least 0", t.Tag)
	case t.Bytes < 0:
		return fmt.Sprintf("%d bytes: a message has at least 0", t.Bytes)
	}
	return ""
}

// checkAcyclic refuses tasks that wait for each other. A task of With counts as one of After,
// because its beginning waits for the same tasks as its end.
func (g *Graph) checkAcyclic() error {
	for r, list := range g.Ranks {
		_, cycle, ok := Order(len(list), func(i int32) []int32 {
			if len(list[i].With) == 0 {
				return list[i].After
			}
			return append(slices.Clone(list[i].After), list[i].With...)
		})
		if !ok {
			return badTask(g.Ranks, patterns.Rank(r), cycle[0], "it waits for %s, and so for itself",
				list[cycle[1]].label(cycle[1]))
		}
	}
	return nil
}

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
	// route is, by task, the index in routes of the route of a Send, or of a Receive without
	// wildcards. It is -1 for other tasks.
	route  []int32
	routes []route
	into   lists // by rank: the routes that lead to it
	sends  int64 // number of messages to other ranks
}

// route identifies the messages with one sender, receiver and tag, which are received in the order
// in which they were sent.
type route struct {
	from, to patterns.Rank
	tag      int32
}

// lists are lists in one array: list i is all[first[i]:first[i+1]].
type lists struct{ first, all []int32 }

// at returns list i.
func (l *lists) at(i int32) []int32 { return l.all[l.first[i]:l.first[i+1]] }

// newLists returns n lists. each yields pairs: value joins list i, after the values that joined
// before. newLists calls each twice.
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

// index returns the graph as arrays, and computes them on the first call. The graph must pass
// Check.
func (g *Graph) index() *index {
	g.once.Do(func() { g.built = newIndex(g.Ranks) })
	return g.built
}

// newIndex computes the index of the tasks of ranks.
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

// routeOf returns the index of the route of a task of rank r, or -1 for a Calc and for a Receive
// with wildcards. It appends a new route to x.routes, and counts a Send to another rank in x.sends.
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

// Instant returns the first rank whose iterations take no time on any network, or AnyRank if there
// is none. Such a rank computes nothing, receives nothing from other ranks and, if sends take time,
// sends nothing to other ranks. An endless program would repeat its iterations for ever in one
// cycle.
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
