package training

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/patterns"
	"contend/patterns/tasks"
)

// Graph returns the tasks of a step of a job of n ranks. It returns an error if the step does not
// fit n ranks, has too many tasks, or its algorithm cannot do a collective.
func (s Step) Graph(n int) (*tasks.Graph, error) {
	s, err := s.Fit(n)
	if err != nil {
		return nil, err
	}
	made := map[codeKey]patterns.Code{}
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n), FullRate: s.fullRate()}
	for r := range n {
		w := &rankBuilder{Step: &s, codes: made, place: s.placeOf(r)}
		for a := range w.groups {
			w.groups[a], w.members[a] = s.axis(w.place, axis(a))
		}
		if w.writePasses(); w.err != nil {
			return nil, w.err
		}
		g.Ranks[r] = w.list
	}
	return g, nil
}

// codeKey identifies the program of a collective of n ranks. Each program is made once and used for
// all ranks and groups.
type codeKey struct {
	kind    Kind
	n, host int
	bytes   int64
}

// rankBuilder builds the list of tasks of one rank, in the order of its passes.
type rankBuilder struct {
	*Step
	codes   map[codeKey]patterns.Code // programs of collectives, shared by all ranks
	place                             // of the rank
	groups  [4]Group                  // of the rank along each axis
	members [4]int                    // index of the rank in each of groups
	list    []tasks.Task
	// passAfter are the tasks that the next task of a pass depends on. sumAfter are those that the
	// next sum of gradients depends on: the messages of a group follow each other.
	passAfter, sumAfter []int32
	// denseBytes and expertBytes are the gradients in the open bucket: those summed over all ranks
	// along data, and those summed over ranks with the same expert.
	denseBytes, expertBytes int64
	err                     error // the first error of a collective
}

// pass is a forward or backward pass of a microbatch.
type pass struct {
	backward bool
	last     bool // the last one of a step
}

// passes returns the passes of a stage in the order 1F1B.
func (s *Step) passes(stage int) (list []pass) {
	ahead := min(s.Pipeline-1-stage, s.Microbatches)
	for range ahead {
		list = append(list, pass{})
	}
	for range s.Microbatches - ahead {
		list = append(list, pass{}, pass{backward: true})
	}
	for range ahead {
		list = append(list, pass{backward: true})
	}
	list[len(list)-1].last = true
	return list
}

// writePasses writes all passes of the rank: for each the receive from the stage before, the layers
// of the stage, and the send to the stage after. It sets err if the step has too many tasks.
func (w *rankBuilder) writePasses() {
	for _, p := range w.passes(w.stage) {
		from, to, tag := w.stage-1, w.stage+1, forwardTag
		if p.backward {
			from, to, tag = to, from, backwardTag
		}
		w.receive(from, tag)
		for range w.stageLayers() {
			if ranks := w.Ranks(); len(w.list) > MaxTasks/ranks {
				w.err = fmt.Errorf("a step of %d ranks has more than %d tasks: take fewer layers or "+
					"microbatches, or an algorithm of fewer messages", ranks, MaxTasks)
				return
			}
			if p.backward {
				w.backward(p)
			} else {
				w.forward()
			}
		}
		w.send(to, tag)
	}
	w.reduceGradients() // what is left, after the send that another stage waits for
}

// forward writes a layer of a forward pass.
func (w *rankBuilder) forward() {
	attention, perceptron := w.times()
	w.compute(attention, "forward pass")
	w.sumActivations()
	w.tokens()
	w.compute(perceptron, "forward pass")
	w.sumActivations()
	w.tokens()
}

// backward writes a layer of backward pass p. In the last pass of the step it also adds the layer's
// gradients to the bucket, and reduces the bucket if it is full.
func (w *rankBuilder) backward(p pass) {
	attention, perceptron := w.times()
	w.tokens()
	w.compute(2*perceptron, "backward pass")
	w.sumActivations()
	w.tokens()
	w.compute(2*attention, "backward pass")
	w.sumActivations()
	if !p.last {
		return
	}
	dense, expert := w.gradients()
	if w.Expert == 1 {
		dense, expert = dense+expert, 0
	}
	w.denseBytes, w.expertBytes = w.denseBytes+dense, w.expertBytes+expert
	if w.denseBytes+w.expertBytes >= w.Bucket {
		w.reduceGradients()
	}
}

// reduceGradients writes the all-reduces of the gradients in the bucket and empties it. They begin
// after the tasks so far of the pass and after earlier sums. No pass waits for them.
func (w *rankBuilder) reduceGradients() {
	if w.denseBytes+w.expertBytes == 0 {
		return
	}
	after := slices.Concat(w.passAfter, w.sumAfter)
	after = w.writeCollective(AllReduce, dataAxis, w.denseBytes, after, "sum of gradients")
	if w.expertBytes > 0 {
		after = w.writeCollective(AllReduce, sameExpertAxis, w.expertBytes, after,
			"sum of gradients of experts")
	}
	w.sumAfter, w.denseBytes, w.expertBytes = after, 0, 0
}

// compute writes a computation of some cycles, which the next task of the pass depends on.
func (w *rankBuilder) compute(time int64, name string) {
	w.add(tasks.Task{Kind: tasks.Calc, CPU: ComputeStream, Time: time, After: w.passAfter, Name: name})
	w.passAfter = []int32{int32(len(w.list)) - 1}
}

// sumActivations writes the sum of activations over the ranks along tensor, on which the next task
// of the pass depends.
func (w *rankBuilder) sumActivations() {
	w.passAfter = w.writeCollective(AllReduce, tensorAxis, w.activation(), w.passAfter,
		"collective of activations")
}

// tokens writes the all-to-all of tokens among experts, of which the ranks along tensor send equal
// parts.
func (w *rankBuilder) tokens() {
	w.passAfter = w.writeCollective(AllToAll, expertAxis, w.activation()/int64(w.Tensor), w.passAfter,
		"tokens to their experts")
}

// writeCollective writes the rank's part of a collective of its group along an axis, which begins
// after the given tasks, and returns the tasks that end it. A group of one rank needs none: it
// returns after. An error goes to err.
func (w *rankBuilder) writeCollective(
	k Kind, of axis, bytes int64, after []int32, name string,
) []int32 {
	g := w.groups[of]
	if len(g) == 1 {
		return after
	}
	host, err := w.perHost(k, g)
	key := codeKey{k, len(g), host, bytes}
	code := w.codes[key]
	if code == nil && err == nil {
		code, err = w.Code(k, g, bytes)
		w.codes[key] = code
	}
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return after
	}
	w.list, after = AppendCollective(w.list, code, g, w.members[of], int32(of), after, name)
	return after
}

// receive writes a receive of activations, or of their gradients, from a stage. The next task of
// the pass depends on it too. It does nothing beyond the ends of the pipeline.
func (w *rankBuilder) receive(stage int, tag axis) {
	if stage < 0 || stage >= w.Pipeline {
		return
	}
	w.add(tasks.Task{Kind: tasks.Receive, Peer: w.peerIn(stage), Tag: int32(tag),
		Name: "receive from another stage"})
	w.passAfter = append(slices.Clip(w.passAfter), int32(len(w.list))-1)
}

// send writes a send of the pass's activations, or of their gradients, to a stage. No task of this
// rank waits for it. It does nothing beyond the ends of the pipeline.
func (w *rankBuilder) send(stage int, tag axis) {
	if stage < 0 || stage >= w.Pipeline {
		return
	}
	w.add(tasks.Task{Kind: tasks.Send, CPU: MessageStream, Peer: w.peerIn(stage), Tag: int32(tag),
		Bytes: w.passed(), After: w.passAfter, Name: "send to another stage"})
}

// peerIn returns the rank with the same tensor and data coordinates in another stage.
func (w *rankBuilder) peerIn(stage int) patterns.Rank {
	return w.rankAt(place{w.tensor, w.place.data, stage})
}

// add adds a task to the rank.
func (w *rankBuilder) add(t tasks.Task) { w.list = append(w.list, t) }

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
// reduce-scatter. If the literature has no such algorithm for one of them, the row has the
// algorithm that is used with it in practice (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005).
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
	{Hierarchical, [3]string{"all-reduce-hierarchical", "all-gather-ring", "reduce-scatter-ring"}},
}

// Hierarchical is the algorithm that knows which ranks share a host.
const Hierarchical Algorithm = "hierarchical"

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

// Collectives says how groups of ranks do collectives.
type Collectives struct {
	Algorithm Algorithm // "" means the first of Algorithms
	// Host is the number of consecutive ranks of a job that share a host, for the algorithm
	// hierarchical; 0 means 1.
	Host int
}

// perHost returns the number of ranks of a group on each of its hosts, and 0 if a collective does
// not depend on it. It refuses groups that have different numbers on their hosts.
func (x Collectives) perHost(k Kind, g Group) (int, error) {
	if x.Algorithm != Hierarchical || k != AllReduce {
		return 0, nil
	}
	of := func(i int) int { return int(g[i]) / max(1, x.Host) }
	n := 1
	for n < len(g) && of(n) == of(0) {
		n++
	}
	for i := range g {
		if of(i) != of(i-i%n) || i >= n && i%n == 0 && of(i) == of(i-1) || len(g)%n != 0 {
			return 0, patterns.NewSizeError(fmt.Sprintf("a collective of %d ranks from %d on has different "+
				"numbers of ranks on its hosts of %d: take another size, or another algorithm", len(g), g[0],
				x.Host))
		}
	}
	return n, nil
}

// Code returns the code of a collective of a group. All blocks of the vector together have the
// given bytes. An all-to-all is direct and a broadcast goes down a binomial tree, whatever the
// algorithm. A barrier is a recursive doubling of empty messages.
func (x Collectives) Code(k Kind, g Group, bytes int64) (patterns.Code, error) {
	if bytes < 0 || bytes > MaxCollectiveBytes {
		return nil, fmt.Errorf("%s of %d bytes: a collective has 0 to %d", k, bytes,
			int64(MaxCollectiveBytes))
	}
	host, err := x.perHost(k, g)
	if err != nil {
		return nil, err
	}
	c := patterns.Config{Bytes: max(1, bytes), FlitBytes: 1,
		Collective: patterns.Collective{Host: host}}
	switch k {
	case Broadcast:
		return patterns.Broadcast(c, len(g))
	case Barrier:
		c.Name, c.Bytes = "all-reduce-doubling", 1
	case AllToAll:
		c.Name = "all-to-all-direct"
	default:
		at := 0
		if x.Algorithm != "" {
			at = slices.Index(Algorithms(), string(x.Algorithm))
		}
		if at < 0 {
			return nil, fmt.Errorf("algorithm %q: there are %s", x.Algorithm,
				strings.Join(Algorithms(), ", "))
		}
		c.Name = algorithms[at].patterns[k]
	}
	return patterns.NewCode(c, len(g))
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
// They begin when the tasks in after have ended. A receive and a send wait for the receive before
// them and not for each other, as in patterns.Processes. AppendCollective returns the tasks whose
// ends complete the collective at this rank: its last receive and its last send, or after itself
// without any.
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
