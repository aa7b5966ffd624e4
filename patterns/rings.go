package patterns

import (
	"fmt"
	"math"

	"contend/internal/call"
)

// Collective has the parameters of collectives as libraries of GPU clusters have them (NCCL, RCCL).
// The zero value is a collective of one channel on processes that share no hosts.
type Collective struct {
	// Channels is the number of parts of the vector that go separate ways at the same time, each by
	// a thread of its own; 0 means 1, or 2 for the two trees.
	Channels int
	// Host is the number of consecutive ranks on a host. A job of fewer ranks is on one host. The
	// value 0 means that no ranks share a host.
	Host int
	// Chunk is the most bytes of a block, or of a vector on a tree, that go round at a time: longer
	// ones go in several rounds, one after the other. The value 0 means no limit.
	Chunk int64
	// Slices is the number of messages of a chunk: a process passes a slice on as soon as it has
	// come; 0 means 1.
	Slices int
	// Overhead is the time in cycles in which a thread is busy with a message, and CyclesPerByte the
	// time in which it copies a byte of it, before the message is created. A message to another host
	// is created HostLatency cycles later.
	Overhead, HostLatency int64
	CyclesPerByte         float64
	// Of the patterns of GPCNeT: processes of a node, each of which communicates with those of its
	// number on other nodes; bytes of a message, 0 for Config.Bytes; messages that a process has on
	// their way; iterations after which a ring is drawn anew, 0 for one in the order of ranks; and
	// whether an iteration ends in a barrier. The value 0 of Processes and Outstanding means 1.
	Processes, Outstanding int
	Message, Redraw        int64
	Barrier                bool

	seed uint64 // of drawn rings
}

// The parameters of collectives. What they say about NCCL is of version 2.30: src/include/device.h,
// collectives.h and src/graph/tuning.cc, with the protocol Simple.
var (
	channelsParameter = call.Parameter{Name: "channels", Type: call.Integer, Default: "1", Min: "1",
		Max: "64", Doc: "parts of the vector that go separate ways at the same time; with host the " +
			"ring of channel c enters each host at its rank c and leaves it at c-1, modulo host, as " +
			"rail-aligned rings do"}
	hostParameter = call.Parameter{Name: "host", Type: call.Integer, Default: "0", Min: "0",
		Max: "65536", Unit: "ranks",
		Doc: "of a host, which are consecutive; 0: hosts are not known. Jobs of more ranks fill " +
			"whole hosts"}
	chunkParameter = call.Parameter{Name: "chunk", Type: call.Integer, Default: "0", Min: "0",
		Max: "2147483647", Unit: "bytes",
		Doc: "of a block that go round at a time; 0: the whole block. NCCL: 2097152 in 2 slices"}
	slicesParameter = call.Parameter{Name: "slices", Type: call.Integer, Default: "1", Min: "1",
		Max: "64", Doc: "messages of a chunk, each passed on as soon as it comes"}
	timeParameters = []call.Parameter{
		{Name: "overhead", Type: call.Integer, Default: "0", Min: "0", Max: "1000000000", Unit: "ns",
			Doc: "in which a channel is busy with a message. NCCL: 3400 on NVLink"},
		{Name: "rate", Type: call.Number, Default: "0", Min: "0", Max: "1000000", Unit: "GB/s",
			Doc: "at which a channel, a thread block of a GPU, copies a message before it enters the " +
				"network; 0: in no time"},
		{Name: "host_latency", Type: call.Integer, Default: "0", Min: "0", Max: "1000000000",
			Unit: "ns", Doc: "of a message to another host, beside overhead and the network. NCCL: 10600"}}

	ringParameters = append([]call.Parameter{channelsParameter, hostParameter, chunkParameter,
		slicesParameter}, timeParameters...)
	hierarchicalParameters = append([]call.Parameter{withDefault(channelsParameter, "1",
		"parts of the vector, each of which does its phases beside the others"),
		withDefault(hostParameter, "8", ""), withDefault(chunkParameter, "0",
			"of the part of a rank that go round its host at a time; 0: the whole part"),
		slicesParameter}, timeParameters...)
	treeParameters = append([]call.Parameter{withDefault(channelsParameter, "2",
		"parts of the vector, an even number: every second one takes the second tree. Channels 2c and "+
			"2c+1 enter each host at its rank c, modulo host"), hostParameter,
		withDefault(chunkParameter, "524288",
			"that go up and down a tree at a time, at most 8 on their way between two ranks; halved, to "+
				"at least 32768, while a channel has few chunks for its tree, as in NCCL; 0: the whole "+
				"part")}, timeParameters...)
)

// withDefault returns a parameter with another default and, unless it is "", description.
func withDefault(p call.Parameter, value, doc string) call.Parameter {
	p.Default = value
	if doc != "" {
		p.Doc = doc
	}
	return p
}

// hosts sets the number of ranks of a host, at least 1, and returns the number of hosts.
func (t *traffic) hosts() (Rank, error) {
	if t.Host == 0 {
		t.Host, t.HostLatency = 1, 0
	}
	t.Host = min(t.Host, int(t.n))
	if int(t.n)%t.Host != 0 {
		return 0, &SizeError{fmt.Sprintf("pattern %s: %d processes do not fill hosts of %d: take a "+
			"multiple", t.name, t.n, t.Host)}
	}
	return t.n / Rank(t.Host), nil
}

// copyOut appends the time in which a thread is busy with a message.
func (t *traffic) copyOut(dst []Operation, part span) []Operation {
	busy := t.Overhead + int64(math.Round(float64(part.bytes)*t.scale*t.CyclesPerByte))
	if busy == 0 {
		return dst
	}
	return append(dst, Compute(busy))
}

// sendOn appends a message with a part of the vector to a thread of a process.
func (t *traffic) sendOn(dst []Operation, from, to Rank, thread int32, part span) []Operation {
	dst = t.sendPart(dst, to, part)
	o := &dst[len(dst)-1]
	o.tag = thread
	if h := Rank(t.Host); from/h != to/h {
		o.cycles = t.HostLatency
	}
	return dst
}

// rounds returns the number of rounds in which a block goes round in chunks.
func (t *traffic) rounds(block int64) int64 {
	if t.Chunk == 0 {
		return 1
	}
	return max(1, (block+t.Chunk-1)/t.Chunk)
}

// up returns a quotient, rounded up.
func up(a, b int64) int64 { return (a + b - 1) / b }

// rings is a code in which each channel does a number of rounds, and in each round the same phases.
type rings struct {
	traffic
	rounds int64
	phases []phase
	parts  int // of a round, all phases together
}

// phase is a part of a collective in which blocks go round the rings of groups of processes. In
// step s each process sends the block of the process s+back places before it to the next one. In
// the first steps, as many as adds, the receiver adds the block to its own.
type phase struct {
	size              Rank // of a group
	steps, adds, back Rank
	// place returns the place of a process on the ring of a channel of its group, and process is its
	// inverse for the group of process r.
	place   func(r, channel Rank) Rank
	process func(r, channel, place Rank) Rank
	// block returns the block of process x, of the group of process r, that goes round in a round of a
	// channel.
	block func(r, x Rank, channel, round int64) span
}

// newRings makes a code of phases.
func newRings(t traffic, rounds int64, phases ...phase) Code {
	c := rings{traffic: t, rounds: rounds, phases: phases}
	for i := range phases {
		c.parts += int(phases[i].steps) + 1
	}
	return c
}

func (c rings) Threads() int { return c.Channels }

func (c rings) Parts() int { return c.Channels * int(c.rounds) * c.parts }

func (c rings) Messages() (messages int64) {
	for i := range c.phases {
		messages += int64(c.phases[i].steps)
	}
	return messages * int64(c.n) * int64(c.Channels) * c.rounds * int64(c.Slices)
}

func (c rings) Part(dst []Operation, r Rank, k int) []Operation {
	channel := k % c.Channels
	if k /= c.Channels; k == 0 {
		dst = c.compute(dst)
	}
	round, step := int64(k/c.parts), Rank(k%c.parts)
	p := c.phases
	for ; step > p[0].steps; p = p[1:] {
		step -= p[0].steps + 1
	}
	return c.step(dst, r, &p[0], Rank(channel), round, step)
}

// step appends a step of a phase: for each slice the receive of the step before and the send of
// this one.
func (c *rings) step(
	dst []Operation, r Rank, p *phase, channel Rank, round int64, step Rank,
) []Operation {
	at := p.place(r, channel)
	next := p.process(r, channel, (at+1)%p.size)
	last := p.process(r, channel, (at+p.size-1)%p.size)
	of := p.process(r, channel, (at-step-p.back+2*p.size)%p.size)
	block := p.block(r, of, int64(channel), round)
	for i := range c.Slices {
		if step > 0 {
			dst = append(dst, Receive(last, int32(channel)))
			dst[len(dst)-1].adds = step-1 < p.adds
		}
		if step < p.steps {
			slice := block.part(int64(c.Slices), int64(i))
			dst = c.sendOn(c.copyOut(dst, slice), r, next, int32(channel), slice)
		}
	}
	return dst
}

// ring makes a code in which blocks go round one ring of all processes in some steps. With Host the
// ring of channel c enters each host at its process c and leaves it at the one before, modulo Host.
func (t traffic) ring(steps, adds, back Rank) (Code, error) {
	if _, err := t.hosts(); err != nil {
		return nil, err
	}
	t.Channels = max(1, t.Channels)
	h, channels := Rank(t.Host), int64(t.Channels)
	rounds := t.rounds(up(up(t.bytes, int64(t.n)), channels))
	return newRings(t, rounds, phase{size: t.n, steps: steps, adds: adds, back: back,
		place:   func(r, channel Rank) Rank { return r - r%h + (r+h-channel%h)%h },
		process: func(_, channel, place Rank) Rank { return place - place%h + (place+channel)%h },
		block: func(_, x Rank, channel, round int64) span {
			return t.blocks(x, x+1).part(channels, channel).part(rounds, round)
		}}), nil
}

// allGatherRing passes the blocks round the ring. Each process first sends its own block. It runs
// on any number of processes.
func allGatherRing(t traffic) (Code, error) { return t.ring(t.n-1, 0, 0) }

// reduceScatterRing adds up the blocks on their way round the ring. After n-1 steps
// each block arrives at its process. It runs on any number of processes.
func reduceScatterRing(t traffic) (Code, error) { return t.ring(t.n-1, t.n-1, 1) }

// allReduceRing is a reduce-scatter and then an all-gather (Patarasuk and Yuan, JPDC 69(2), 2009).
func allReduceRing(t traffic) (Code, error) { return t.ring(2*(t.n-1), t.n-1, 1) }

// allReduceHierarchical is a reduce-scatter round the ring of each host, an all-reduce round the
// rings of the processes of the same number in all hosts, and an all-gather round the ring of each
// host (Cho et al., BlueConnect, MLSys 2019).
func allReduceHierarchical(t traffic) (Code, error) {
	hosts, err := t.hosts()
	if err != nil {
		return nil, err
	}
	t.Channels = max(1, t.Channels)
	h, channels := Rank(t.Host), int64(t.Channels)
	rounds := t.rounds(up(up(t.bytes, channels), int64(h)))
	inside := phase{size: h, steps: h - 1,
		place:   func(r, channel Rank) Rank { return (r%h + h - channel%h) % h },
		process: func(r, channel, place Rank) Rank { return r - r%h + (place+channel)%h },
		block: func(_, x Rank, channel, round int64) span {
			return t.whole().part(channels, channel).part(rounds, round).part(int64(h), int64(x%h))
		}}
	across := phase{size: hosts, steps: 2 * (hosts - 1), adds: hosts - 1, back: 1,
		place:   func(r, _ Rank) Rank { return r / h },
		process: func(r, _, place Rank) Rank { return place*h + r%h },
		block: func(r, x Rank, channel, round int64) span {
			return inside.block(r, r, channel, round).part(int64(hosts), int64(x/h))
		}}
	scatter, gather := inside, inside
	scatter.adds, scatter.back = h-1, 1
	return newRings(t, rounds, scatter, across, gather), nil
}
