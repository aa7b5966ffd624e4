package patterns

import (
	"cmp"
	"math/bits"
	"math/rand/v2"

	"contend/internal/call"
)

// The tests and congestors of GPCNeT (Chunduri et al., SC 2019; network_load_test.c of version 1.3).

// gpcnetSource is the paper that defines the patterns.
const gpcnetSource = "Chunduri et al. 2019"

var (
	hostNodesParameter = call.Parameter{Name: "host", Type: call.Integer, Default: "1", Min: "1",
		Max: "65536", Unit: "nodes", Doc: "of a host, which are consecutive ranks: each communicates " +
			"with those of its number in other hosts, as its network interfaces do. Jobs fill whole hosts"}
	processesParameter = call.Parameter{Name: "processes", Type: call.Integer, Default: "1", Min: "1",
		Max: "64", Doc: "of a node: each communicates with those of its number on other nodes, and " +
			"waits for its own messages alone"}
	overheadParameter = call.Parameter{Name: "overhead", Type: call.Integer, Default: "0", Min: "0",
		Max: "1000000000", Unit: "ns", Doc: "in which a process is busy with a message that it sends"}
	ringExchangeParameters = []call.Parameter{hostNodesParameter, processesParameter,
		overheadParameter,
		{Name: "redraw", Type: call.Integer, Default: "0", Min: "0", Max: "1000000000",
			Unit: "iterations", Doc: "after which processes form another ring, drawn at random; 0: " +
				"one ring, in the order of ranks"},
		{Name: "barrier", Type: call.Boolean, Default: "false",
			Doc: "at the end of each iteration, by dissemination in ceil(log2 n) steps"}}
	streamParameters = []call.Parameter{hostNodesParameter, processesParameter,
		{Name: "bytes", Type: call.Integer, Default: "0", Min: "0", Max: "1073741824", Unit: "bytes",
			Doc: "of a message; 0: job.bytes"},
		{Name: "outstanding", Type: call.Integer, Default: "1", Min: "1", Max: "255", Unit: "messages",
			Doc: "of a sender to a receiver, on their way at a time"}}
)

// hostCode is a code of each number of a process on its node and of a node in its host: those of
// one number on all hosts run it among themselves.
type hostCode struct {
	nodes, processes int    // of a host, and of a node
	codes            []Code // by process, node by node
}

// Independent implements Independent.
func (c hostCode) Independent() {}

func (c hostCode) Threads() int { return c.processes * c.codes[0].Threads() }

func (c hostCode) Parts() int { return c.processes * c.codes[0].Parts() }

func (c hostCode) Messages() int64 { return int64(len(c.codes)) * c.codes[0].Messages() }

func (c hostCode) Part(dst []Operation, r Rank, k int) []Operation { return c.PartOf(dst, r, 0, k) }

// PartOf implements Redrawn.
func (c hostCode) PartOf(dst []Operation, r Rank, iteration int64, k int) []Operation {
	nodes, each := Rank(c.nodes), c.codes[0].Threads()
	thread, before := k%c.Threads(), len(dst)
	process := thread / each
	code := c.codes[int(r%nodes)*c.processes+process]
	dst = partOf(code, dst, r/nodes, iteration, k/c.Threads()*each+thread%each)
	for i := range dst[before:] {
		o := &dst[before+i]
		o.peer, o.tag = o.peer*nodes+r%nodes, o.tag+int32(process*each)
	}
	return dst
}

// onHosts makes a code for as many nodes of a host, and processes of a node, as the parameters say.
func (t traffic) onHosts(newCode func(traffic) (Code, error)) (Code, error) {
	if t.Processes*t.Host <= 1 { // 0 in other patterns, whose hosts are their own
		return newCode(t)
	}
	hosts, err := t.hosts()
	if err != nil {
		return nil, err
	}
	c := hostCode{nodes: t.Host, processes: t.Processes}
	for t.n = hosts; len(c.codes) < t.Host*t.Processes; t.seed++ {
		code, err := newCode(t)
		if err != nil {
			return nil, err
		}
		c.codes = append(c.codes, code)
	}
	return c, nil
}

// exchangeCode is a code of rings that are drawn anew.
type exchangeCode struct {
	traffic
	round int64  // of which ring has the order, -1 at first
	ring  []Rank // the processes in the order of the ring
	place []Rank // the inverse
}

// ringExchange sends a message of Config.Bytes bytes to both neighbours round the ring and waits
// for one from each. With rings that are drawn anew it is the random ring, two-sided, and with a
// barrier the test of bandwidth, of eight messages at a time.
func ringExchange(t traffic) (Code, error) {
	t.busy = t.Overhead
	return &exchangeCode{traffic: t, round: -1, ring: make([]Rank, t.n), place: make([]Rank, t.n)}, nil
}

func (c *exchangeCode) Parts() int { return 1 }

func (c *exchangeCode) Messages() int64 {
	messages := 2 * group{n: c.n}.oneEach()
	if c.Barrier {
		messages += int64(c.n) * int64(bits.Len32(uint32(c.n-1)))
	}
	return messages
}

func (c *exchangeCode) Part(dst []Operation, r Rank, k int) []Operation {
	return c.PartOf(dst, r, 0, k)
}

// PartOf implements Redrawn.
func (c *exchangeCode) PartOf(dst []Operation, r Rank, iteration int64, _ int) []Operation {
	dst = c.compute(dst)
	if c.n == 1 {
		return dst
	}
	c.draw(iteration)
	g := group{n: c.n}
	left, right := c.ring[g.shift(c.place[r], c.n-1)], c.ring[g.shift(c.place[r], 1)]
	dst = c.send(c.send(dst, left, c.bytes), right, c.bytes)
	dst = c.receive(c.receive(dst, left), right)
	for d := Rank(1); c.Barrier && d < c.n; d *= 2 {
		dst = c.receive(c.send(dst, g.shift(r, d), 0), g.shift(r, c.n-d))
	}
	return dst
}

// draw makes the ring of an iteration. That of a round depends on the seed and the round alone, so
// processes may be at different iterations.
func (c *exchangeCode) draw(iteration int64) {
	round := int64(0)
	if c.Redraw > 0 {
		round = iteration / c.Redraw
	}
	if round == c.round {
		return
	}
	c.round = round
	for i := range c.ring {
		c.ring[i] = Rank(i)
	}
	if c.Redraw > 0 {
		rng := rand.New(rand.NewPCG(c.seed, uint64(round)))
		rng.Shuffle(len(c.ring), func(i, j int) { c.ring[i], c.ring[j] = c.ring[j], c.ring[i] })
	}
	for i, r := range c.ring {
		c.place[r] = Rank(i)
	}
}

// allToAllPairwise exchanges a message with each other process in n-1 steps, in step d one to the
// process d places further round the ring for one from d places before.
func allToAllPairwise(t traffic) (Code, error) {
	n, g := int64(t.n), group{n: t.n}
	return onePart(n*(n-1), func(dst []Operation, r Rank) []Operation {
		dst = t.compute(dst)
		for d := Rank(1); d < t.n; d++ {
			dst = t.receive(t.send(dst, g.shift(r, d), t.message()), g.shift(r, t.n-d))
		}
		return dst
	}), nil
}

// message returns the bytes of a message of a congestor.
func (t *traffic) message() int64 { return cmp.Or(t.Message, t.bytes) }

// streams is a code of n-1 streams of messages, each a thread at both of its ends: between process
// i and process 0 it is thread i-1.
type streams struct{ coded }

// Independent implements Independent.
func (streams) Independent() {}

// streamsOf makes streams to process 0, or from it. A message of a stream is sent when one before
// has arrived, as puts and gets of which each is waited for.
func streamsOf(t traffic, put bool) (Code, error) {
	threads := max(1, int(t.n)-1)
	window := uint8(max(1, t.Outstanding))
	return streams{coded{threads, threads, int64(t.n) - 1,
		func(dst []Operation, r Rank, k int) []Operation {
			peer := Rank(k + 1) // of process 0
			if r > 0 {
				peer = 0
			}
			if r > 0 && int(r) != k+1 || t.n == 1 {
				return dst
			}
			if dst = t.compute(dst); put == (r == 0) {
				return append(dst, Receive(peer, int32(k)))
			}
			o := Send(peer, t.flits(t.message()), int32(k))
			o.window = window
			return append(dst, o)
		}}}, nil
}

// putIncast makes the incast of puts: every process but the first has messages to process 0 on
// their way.
func putIncast(t traffic) (Code, error) { return streamsOf(t, true) }

// getBroadcast makes the broadcast of gets: process 0 has messages to every other on their way.
func getBroadcast(t traffic) (Code, error) { return streamsOf(t, false) }
