package training

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/patterns"
	"contend/patterns/tasks"
)

// Kind is a collective operation of a process group.
type Kind uint8

// The collectives.
const (
	AllReduce Kind = iota
	AllGather
	ReduceScatter
	AllToAll
	Broadcast
	Barrier
)

// kindNames are the names of the kinds.
var kindNames = [...]string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
	"broadcast", "barrier"}

func (k Kind) String() string { return kindNames[k] }

// Algorithm is a choice of algorithms for collectives. The first is the default.
type Algorithm string

// algorithms has the patterns of each algorithm for an all-reduce, an all-gather and a
// reduce-scatter. If the literature has no such algorithm for one of them, the row has the one
// that is used with it in practice (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005).
var algorithms = []struct {
	name     Algorithm
	patterns [3]string
}{
	{"ring", [3]string{"all-reduce-ring", "all-gather-ring", "reduce-scatter-ring"}},
	{"doubling", [3]string{"all-reduce-doubling", "all-gather-doubling", "reduce-scatter-halving"}},
	{"halving-doubling", [3]string{"all-reduce-halving", "all-gather-doubling",
		"reduce-scatter-halving"}},
	{"tree", [3]string{"all-reduce-tree", "all-gather-ring", "reduce-scatter-ring"}},
	{"direct", [3]string{"all-reduce-direct", "all-gather-direct", "all-to-all-direct"}},
}

// Algorithms lists the names of algorithms.
func Algorithms() (names []string) {
	for _, a := range algorithms {
		names = append(names, string(a.name))
	}
	return names
}

// MaxTasks is the maximum number of tasks of a job made of collectives. They take some gigabytes of
// memory.
const MaxTasks = 1 << 26

// MaxCollectiveBytes is the maximum length of the vector of a collective.
const MaxCollectiveBytes = math.MaxInt32

// Code returns the code of a collective among n ranks. All blocks of the vector together have the
// given bytes. An all-to-all is direct and a broadcast goes down a binomial tree, whatever the
// algorithm. A barrier is a recursive doubling of empty messages.
func Code(k Kind, a Algorithm, n int, bytes int64) (patterns.Code, error) {
	if bytes < 0 || bytes > MaxCollectiveBytes {
		return nil, fmt.Errorf("%s of %d bytes: a collective has 0 to %d", k, bytes,
			int64(MaxCollectiveBytes))
	}
	c := patterns.Config{Bytes: max(1, bytes), FlitBytes: 1}
	switch k {
	case Broadcast:
		return patterns.Broadcast(c, n)
	case Barrier:
		c.Name, c.Bytes = "all-reduce-doubling", 1
	case AllToAll:
		c.Name = "all-to-all-direct"
	default:
		at := 0
		if a != "" {
			at = slices.Index(Algorithms(), string(a))
		}
		if at < 0 {
			return nil, fmt.Errorf("algorithm %q: there are %s", a, strings.Join(Algorithms(), ", "))
		}
		c.Name = algorithms[at].patterns[k]
	}
	return patterns.NewCode(c, n)
}

// Streams of a rank: computations of the accelerator, messages, and computations of its host.
const (
	ComputeStream int32 = iota
	MessageStream
	HostStream
)

// Group is a process group: its ranks in the order in which a collective numbers them.
type Group []patterns.Rank

// AppendCollective appends the tasks of a member of a group in a collective to those of its rank.
// They begin when those of after have ended. A receive and a send wait for the receive before them
// and not for each other, as in patterns.Processes. It returns what the end of the collective waits
// for at this rank: its last receive and its last send, or after itself if it has none.
func AppendCollective(list []tasks.Task, c patterns.Code, g Group, member int, tag int32,
	after []int32, name string) ([]tasks.Task, []int32) {
	var part []patterns.Operation
	send, receive := int32(-1), after
	for k := range c.Parts() {
		part = c.Part(part[:0], patterns.Rank(member), k)
		for _, o := range part {
			t := tasks.Task{Tag: tag, CPU: MessageStream, After: receive, Name: name}
			if to, bytes, ok := o.Sends(); ok {
				t.Kind, t.Peer, t.Bytes = tasks.Send, g[to], int64(bytes)
				send = int32(len(list))
			} else if from, ok := o.Receives(); ok {
				t.Kind, t.Peer = tasks.Receive, g[from]
				receive = []int32{int32(len(list))}
			} else {
				continue // a collective has no computations
			}
			list = append(list, t)
		}
	}
	if send >= 0 {
		receive = append(receive[:len(receive):len(receive)], send)
	}
	return list, receive
}
