package executor

import (
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Chains finds the critical path of each job: back from its end to the event that it waited for
// last, from there to the one that this event waited for last, and so on to the start of the job.
// Events are the ends of computations, messages that enter the network, and messages that are
// received. A process that is busy with another message makes one wait too.
//
// An event holds the one before it, so what is in memory are the paths to events for which
// something may still wait.
type Chains struct {
	// Waited returns, for a packet that arrives, how long its header waited for packets of which
	// jobs. It may be nil.
	Waited func(p *router.Arrival) []ForJob
	// Ended receives the critical path of each job that ends, its last event first. It is valid
	// during the call.
	Ended func(id scheduler.JobID, path []Hop)

	net      *netsim.Network
	traces   []*patterns.Trace // by slot
	transfer []*transfer       // by number, which replaces the tag of a message; nil if unused
	free     []int32           // numbers of unused transfers
	nodes    []nodeState
	path     []Hop
}

// nodeState is the state of the packets and of the process of a node.
type nodeState struct {
	flits  int64        // of packets that the node has sent and that have arrived
	newest *packetWaits // waits of the packet of the node that arrived last
	busy   *event       // the sending or receipt for which the process was occupied last, or nil
}

// packetWaits are the waits of the header of a packet.
type packetWaits struct {
	list []ForJob
	next *packetWaits // those of the packet of the node that arrived next
}

// event is a patterns.Event: the start of a job, the end of a computation, or the sending or
// receipt of a message.
type event struct {
	after     *event // the event that it waited for last; nil for the start of a job
	cycle     int64
	computing int64     // cycles of computing between after and this event
	transfer  *transfer // of the message that is sent or received, or nil
}

// transfer is a message with its two events.
type transfer struct {
	sent, received event
	slot           int32
	tag            int32          // of the message
	before         *packetWaits   // nodeState.newest when it was sent; nil once waits are found
	newest         *packetWaits   // nodeState.newest before its last packet arrived
	waited         bool           // the header of its last packet waited: newest.next has how long
	resend         int64          // Hop.Resend of its last packet
	flits          int64          // nodeState.flits when it was sent
	length         int64          // of the message, in flits
	arrived        int64          // flits of its node that arrived between then and its last packet
	packet         router.Arrival // its packet that arrived last
	waits          []ForJob       // of the header of that packet, set by findWaits
	ahead          []ForJob       // of packets of its node that arrived meanwhile, set by findWaits
}

// FindChains makes the executor find the critical paths of jobs. It must be called before the first
// job starts, and the network must call Packet for each packet that arrives.
func (x *Executor) FindChains(c *Chains) {
	c.net = x.Net
	c.nodes = make([]nodeState, x.Net.Config().Topology.Nodes())
	for i := range c.nodes {
		c.nodes[i].newest = new(packetWaits)
	}
	x.chains = c
}

// start begins the trace of a job that gets a slot and nodes.
func (c *Chains) start(slot int32, nodes []topology.Node) {
	for int(slot) >= len(c.traces) {
		c.traces = append(c.traces, nil)
	}
	t := &patterns.Trace{Now: &event{cycle: c.net.Now()}}
	t.Compute = func(end int64) patterns.Event {
		after := t.Now.(*event)
		if after.transfer == nil && after.after != nil {
			after = after.after // two computations are one
		}
		return &event{after: after, cycle: end, computing: end - after.cycle}
	}
	c.traces[slot] = t
	for _, n := range nodes {
		c.nodes[n].busy = nil
	}
}

// trace gives the trace of the job in a slot to its program.
func (c *Chains) trace(slot int32, p patterns.Program) {
	if p, ok := p.(patterns.Traced); ok {
		p.Trace(c.traces[slot])
	}
}

// addTransfers adds a transfer for each message that the program of the job in a slot has returned.
// Its number replaces the tag of the message.
func (c *Chains) addTransfers(slot int32, batch []patterns.Message) {
	t := c.traces[slot]
	for i := range batch {
		after := t.Now.(*event)
		if len(t.Released) > 0 {
			after = t.Released[i].(*event)
		}
		c.findWaits(after)
		n := freePlace(&c.transfer, &c.free)
		k := &transfer{slot: slot, tag: batch[i].Tag, length: int64(batch[i].Flits)}
		k.sent = event{after: after, transfer: k,
			computing: c.net.Now() + batch[i].Delay - after.cycle}
		k.received = event{after: &k.sent, transfer: k}
		c.transfer[n], batch[i].Tag = k, n
	}
	clear(t.Released)
	t.Released = t.Released[:0]
}

// occupied records that the process on a node is occupied to send or receive a message. If it has
// to finish other messages first, the event waits for the last of them.
func (c *Chains) occupied(node topology.Node, n int32, sends, waits bool) {
	k, e := &c.nodes[node], &c.transfer[n].received
	if sends {
		e = &c.transfer[n].sent
	}
	if waits && k.busy != nil {
		c.findWaits(k.busy)
		e.after, e.computing = k.busy, 0
	}
	k.busy = e
}

// injected records that a message is given to the network.
func (c *Chains) injected(n int32, node topology.Node) {
	k, of := c.transfer[n], &c.nodes[node]
	k.sent.cycle = c.net.Now()
	k.flits, k.before = of.flits, of.newest
}

// entered makes the entry of a message into the network the current event of its program, and
// returns the tag.
func (c *Chains) entered(n int32) (tag int32) {
	k := c.transfer[n]
	c.traces[k.slot].Now = &k.sent
	return k.tag
}

// Packet records a packet that arrives.
func (c *Chains) Packet(p *router.Arrival) {
	k, of := c.transfer[p.User], &c.nodes[p.From]
	k.packet, k.newest, k.arrived, k.waited = *p, of.newest, of.flits-k.flits, false
	k.resend = 0
	if at, lost := c.net.FirstLost(); lost {
		k.resend = p.Turn - at
	}
	of.flits += int64(p.Length)
	if c.Waited == nil {
		return
	}
	if list := c.Waited(p); len(list) > 0 {
		of.newest.next = &packetWaits{list: slices.Clone(list)}
		of.newest, k.waited = of.newest.next, true
	}
}

// received ends the transfer of a message that its job receives now, and returns the tag.
func (c *Chains) received(n int32) (tag int32) {
	k := c.transfer[n]
	k.received.cycle = c.net.Now()
	c.traces[k.slot].Now = &k.received
	c.transfer[n], c.free = nil, append(c.free, n)
	return k.tag
}

// findWaits sets waits and, if the message had to queue, ahead of the received message that an
// event is, or that it waited for as the end of a computation. It is called when another event
// follows, so messages that nothing waits for keep no waits.
func (c *Chains) findWaits(e *event) {
	if e.transfer == nil && e.after != nil {
		e = e.after
	}
	k := e.transfer
	if k == nil || e != &k.received || k.before == nil {
		return
	}
	if k.waited {
		k.waits = k.newest.next.list
	}
	for w := k.before; w != k.newest && k.packet.Injected-k.packet.Created > k.arrived; {
		w = w.next
		for _, f := range w.list {
			k.ahead = AddWait(k.ahead, f)
		}
	}
	k.before, k.newest = nil, nil
}

// forget drops the transfers of the job in a slot, none of which is in the network: the job was
// abandoned. Until then its packets that arrive are recorded as others are.
func (c *Chains) forget(slot int32) {
	for n, k := range c.transfer {
		if k != nil && k.slot == slot {
			c.transfer[n], c.free = nil, append(c.free, int32(n))
		}
	}
	c.traces[slot] = nil
}

// end passes the critical path of the job in a slot, which ends now, to Ended.
func (c *Chains) end(slot int32, id scheduler.JobID) {
	e := c.traces[slot].Now.(*event)
	c.findWaits(e)
	c.path = c.path[:0]
	if rest := c.net.Now() - e.cycle; rest > 0 {
		c.path = append(c.path, Hop{Computing: rest})
	}
	for ; e.after != nil; e = e.after {
		c.path = append(c.path, c.hop(id, e))
	}
	c.Ended(id, c.path)
	c.traces[slot] = nil
}

// Hop is the time between two events of a critical path that follow each other. Its parts sum to
// that time. A hop either computes and sends, or crosses the network and receives. Parts in the
// network are of the packet of the message that arrived last.
type Hop struct {
	// Crossed reports whether a message crossed the network.
	Crossed bool
	// Computing is the time in which the process computed.
	Computing int64
	// Software is the time that sending or receiving took at the process.
	Software int64
	// Serialization is the time of the packets before the last one of the message on the slowest link
	// of its path. It is taken out of Queue, Entry, Shared and Waits for the own job, in this order.
	Serialization int64
	// Queue is the wait in the source queue behind packets of the same node, and Entry the wait for
	// a place in the router after that, both without what is in Ahead.
	Queue, Entry int64
	// Resend is the time from when the packet was lost first, on a link that failed, until it was at
	// the front of the source queue again.
	Resend int64
	// Ahead are the parts of these two in which packets ahead waited for packets of other jobs. A
	// packet that waits keeps the node from sending the next one. So a node's waits beyond the time
	// that its links take for the flits ahead are charged to the jobs that the packets waited for
	// that arrived meanwhile, in proportion and no more than they waited.
	Ahead []ForJob
	// Network is the time that the packet takes on an empty network.
	Network int64
	// Shared is what neither these nor waits of headers explain: flits that shared links or buffers
	// with other packets, and detours.
	Shared int64
	// Waits are the waits of the header for packets of jobs.
	Waits []ForJob
}

// ForJob is how long a header waited for packets of a job.
type ForJob struct {
	// Job is that job, or Nobody.
	Job    scheduler.JobID
	Cycles int64
}

// Nobody is no job's number: headers wait for their turn on links that virtual channels share.
const Nobody scheduler.JobID = -1

// AddWait adds waits for a job to a list in which each job is once.
func AddWait(list []ForJob, w ForJob) []ForJob {
	for i := range list {
		if list[i].Job == w.Job {
			list[i].Cycles += w.Cycles
			return list
		}
	}
	return append(list, w)
}

// hop divides the time before an event.
func (c *Chains) hop(id scheduler.JobID, e *event) Hop {
	k, since := e.transfer, e.after.cycle
	if k == nil || e.after != &k.sent {
		return Hop{Computing: e.computing, Software: e.cycle - since - e.computing}
	}
	p, config, pace, slowest := &k.packet, c.net.Config(), int64(1), int64(1)
	h := Hop{Crossed: true, Software: e.cycle - p.Delivered + p.Created - since,
		Queue: p.Turn - p.Created - k.resend, Resend: k.resend,
		Entry: p.Injected - p.Turn, Waits: k.waits}
	rest := p.Delivered - p.Injected - p.Blocked
	path := c.net.UncontendedPath(router.Header{Source: p.From, Destination: p.To, Packet: p.Identity,
		Flow: p.Flow})
	if len(path) > 0 {
		pace = int64(path[0].Flit)
	}
	for _, l := range path {
		slowest = max(slowest, int64(l.Flit))
	}
	h.Network = min(rest, config.ZeroLoadLatencyOver(path, int(p.Length)))
	h.Shared = rest - h.Network
	if c.Waited == nil && p.Blocked > 0 {
		h.Waits = append(slices.Clip(h.Waits), ForJob{Nobody, p.Blocked})
	}
	h.chargeQueue(id, k.ahead, h.Queue+h.Entry-k.arrived*pace)
	h.serialize(id, (k.length-int64(p.Length))*slowest)
	return h
}

// serialize finds Serialization of a hop, at most the given time, and takes it out of other parts.
func (h *Hop) serialize(id scheduler.JobID, most int64) {
	take := func(from *int64) {
		n := min(most, *from)
		h.Serialization, most, *from = h.Serialization+n, most-n, *from-n
	}
	take(&h.Queue)
	take(&h.Entry)
	take(&h.Shared)
	h.Waits = slices.Clone(h.Waits)
	for i := range h.Waits {
		if w := &h.Waits[i]; w.Job == id || w.Job == Nobody {
			take(&w.Cycles)
		}
	}
	h.Waits = slices.DeleteFunc(h.Waits, func(w ForJob) bool { return w.Cycles == 0 })
}

// chargeQueue finds Ahead of a hop and takes it out of Queue and Entry, given the waits of packets
// ahead and for how long the node was kept from sending.
func (h *Hop) chargeQueue(id scheduler.JobID, ahead []ForJob, stalled int64) {
	waits := int64(0)
	for _, w := range ahead {
		waits += w.Cycles
	}
	if stalled <= 0 || waits == 0 {
		return
	}
	share := min(1, float64(stalled)/float64(waits))
	for _, w := range ahead {
		n := int64(share * float64(w.Cycles))
		if w.Job == id || w.Job == Nobody || n == 0 {
			continue
		}
		queue := min(n, h.Queue)
		h.Queue -= queue
		n = queue + min(n-queue, h.Entry)
		h.Entry -= n - queue
		h.Ahead = append(h.Ahead, ForJob{w.Job, n})
	}
}
