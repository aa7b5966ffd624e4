package run

import (
	"slices"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// Chains finds the critical path of each job: the chain of messages that decided when the job
// ended. The last message that a job receives ends it. That message was released when another one
// was received, and so on back to the start of the job. A message that nothing is received for,
// such as the first ones, begins a chain: what comes before it counts as computing. So does the
// time since the last receipt where a program goes on by itself.
//
// Of a message that was released and not yet received, only its ancestors are kept, so memory
// depends on the messages under way and on the lengths of chains.
type Chains struct {
	// Waited returns, for a packet that arrives, how long its header waited for packets of which
	// jobs. It may be nil.
	Waited func(p *router.Arrival) []ForJob
	// Ended receives the critical path of each job that ends, its last message first. It is valid
	// during the call.
	Ended func(id scheduler.JobID, path []Hop)

	net     *netsim.Network
	links   []link
	free    []int32
	last    []int32 // by slot, the message that its job received last, or noLink
	path    []Hop
	nodes   []nodeSums
	ledgers []ledger
	unused  []int32
}

// nodeSums sums what the packets that a node has sent have met with, as far as they have arrived.
type nodeSums struct {
	flits  int64
	ledger int32
}

// ledger has the waits of the headers of these packets, by job. It stays as it is as long as there
// are messages that were sent when it was its node's.
type ledger struct {
	waits []ForJob
	refs  int32 // those messages, and its node as long as it has it
}

// ForJob is how long a header waited for packets of a job.
type ForJob struct {
	// Job is that job, or Nobody.
	Job    scheduler.JobID
	Cycles int64
}

// Nobody is no job's number: headers wait for their turn on links that virtual channels share.
const Nobody scheduler.JobID = -1

// Hop is a message of a critical path. Its parts sum to the time from the end of the hop before.
// Those in the network are of the packet of the message that arrived last.
type Hop struct {
	// Computing is the time from the event that released the message until it was sent.
	Computing int64
	// Software is the time that sending and receiving took at processes, including waits for
	// processes that were busy with other messages.
	Software int64
	// Queue is the wait in the source queue behind packets of the same node, and Entry the wait for
	// a place in the router after that, both without what is in Ahead.
	Queue, Entry int64
	// Ahead are the parts of these two in which packets ahead waited for packets of other jobs. A
	// packet that waits keeps the node from sending the next one. So a node's waits beyond the time
	// that its links take for the flits ahead are charged to the jobs that the packets waited for
	// that arrived meanwhile, in proportion and no more than they waited.
	Ahead []ForJob
	// Network is the time that the packet takes on an empty network.
	Network int64
	// Shared is what neither that nor waits of headers explain: flits that shared links or buffers
	// with other packets, and detours.
	Shared int64
	// Waits are the waits of the header for packets of jobs.
	Waits []ForJob
}

// link is a message of which others are released, or that is under way.
type link struct {
	cause    int32 // the link before, or noLink
	refs     int32 // links that it is the cause of, and itself until its job has received another
	tag      int32 // of the message
	from     int64 // when the link before ended
	delay    int64
	received int64
	ledger   int32 // of its node when it was sent
	flits    int64 // that had arrived of its node then, and arrived more until the packet did
	arrived  int64
	packet   router.Arrival // that arrived last
	waits    []ForJob
	ahead    []ForJob // the waits that came to the ledger until then, if the packet had to queue
}

// noLink is the cause of messages that a job sends at its start.
const noLink = -1

// FindChains has the executor find the critical paths of jobs. It is called before the first job
// starts. The network must tell the chains of packets that arrive.
func (x *Executor) FindChains(c *Chains) {
	c.net = x.Net
	x.chains = c
}

// Packet notes a packet that arrives.
func (c *Chains) Packet(p *router.Arrival) {
	k, of := &c.links[p.User], c.sumsOf(p.From)
	k.packet, k.waits, k.ahead = *p, k.waits[:0], k.ahead[:0]
	if k.arrived = of.flits - k.flits; p.Injected-p.Created > k.arrived {
		k.ahead = since(k.ahead, c.ledgers[of.ledger].waits, c.ledgers[k.ledger].waits)
	}
	of.flits += int64(p.Length)
	if c.Waited == nil {
		return
	}
	if k.waits = append(k.waits, c.Waited(p)...); len(k.waits) > 0 {
		own := c.own(of)
		for _, w := range k.waits {
			own.waits = AddWait(own.waits, w)
		}
	}
}

// sent notes that a message is given to the network.
func (c *Chains) sent(n int32, node topology.Node) {
	k, of := &c.links[n], c.sumsOf(node)
	k.flits, k.ledger = of.flits, of.ledger
	c.ledgers[of.ledger].refs++
}

func (c *Chains) sumsOf(node topology.Node) *nodeSums {
	for int(node) >= len(c.nodes) {
		c.nodes = append(c.nodes, nodeSums{ledger: c.newLedger()})
	}
	return &c.nodes[node]
}

// own returns the ledger of a node to add to: another one if messages rest on what it is.
func (c *Chains) own(of *nodeSums) *ledger {
	if before := of.ledger; c.ledgers[before].refs > 1 {
		of.ledger = c.newLedger()
		own := &c.ledgers[of.ledger]
		own.waits = append(own.waits, c.ledgers[before].waits...)
		c.ledgers[before].refs--
	}
	return &c.ledgers[of.ledger]
}

func (c *Chains) newLedger() int32 {
	n := freePlace(&c.ledgers, &c.unused)
	c.ledgers[n] = ledger{c.ledgers[n].waits[:0], 1}
	return n
}

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

// since appends what has come to a ledger since it was as before. Jobs keep their places in it.
func since(list, now, before []ForJob) []ForJob {
	list = append(list, now...)
	for i := range before {
		list[i].Cycles -= before[i].Cycles
	}
	return list
}

// lastOf returns where the message stands that the job in a slot received last.
func (c *Chains) lastOf(slot int32) *int32 {
	for int(slot) >= len(c.last) {
		c.last = append(c.last, noLink)
	}
	return &c.last[slot]
}

// released makes a link of each message of a batch of a job that has its slot since a cycle. The
// message that the job received last is the cause. A link has the number that takes the place of
// the tag.
func (c *Chains) released(slot int32, batch []patterns.Message, since int64) {
	cause := *c.lastOf(slot)
	if cause != noLink {
		since = c.links[cause].received
		c.links[cause].refs += int32(len(batch))
	}
	for i := range batch {
		n := freePlace(&c.links, &c.free)
		k := &c.links[n]
		k.cause, k.refs, k.tag, k.from = cause, 1, batch[i].Tag, since
		k.delay = c.net.Now() - since + batch[i].Delay
		batch[i].Tag = n
	}
}

// receives notes that the job in a slot receives a message, the cause of what follows. It returns
// the tag of the message.
func (c *Chains) receives(slot, n int32) (tag int32) {
	last := c.lastOf(slot)
	c.drop(*last)
	*last = n
	k := &c.links[n]
	k.received = c.net.Now()
	c.release(k.ledger)
	return k.tag
}

// release ends the time in which a message rests on a ledger.
func (c *Chains) release(n int32) {
	if l := &c.ledgers[n]; l.refs > 1 {
		l.refs--
	} else {
		c.unused = append(c.unused, n)
	}
}

// lose drops a message that was sent and that its job does not receive.
func (c *Chains) lose(n int32) {
	c.release(c.links[n].ledger)
	c.drop(n)
}

// drop ends the time in which a message may be a cause.
func (c *Chains) drop(n int32) {
	for n != noLink {
		k := &c.links[n]
		if k.refs--; k.refs > 0 {
			return
		}
		c.free = append(c.free, n)
		n = k.cause
	}
}

// ended reports the critical path of the job in a slot, which ends now and began at a cycle.
func (c *Chains) ended(slot int32, id scheduler.JobID, since int64) {
	last := c.lastOf(slot)
	if *last != noLink {
		since = c.links[*last].received
	}
	c.path = c.path[:0]
	if now := c.net.Now(); now > since {
		c.path = append(c.path, Hop{Computing: now - since})
	}
	for n := *last; n != noLink; n = c.links[n].cause {
		c.path = append(c.path, c.hop(id, &c.links[n]))
	}
	c.Ended(id, c.path)
	c.forget(slot)
}

// forget drops what the job in a slot has received last.
func (c *Chains) forget(slot int32) {
	last := c.lastOf(slot)
	c.drop(*last)
	*last = noLink
}

// never drops the messages of a timer that does not go off: they are not received.
func (c *Chains) never(t *timer) {
	switch t.kind {
	case issueTimer:
		for _, m := range t.batch {
			c.drop(m.Tag)
		}
	case sendTimer:
		c.drop(t.message.Tag)
	case receiveTimer:
		c.lose(t.message.Tag)
	}
}

// hop divides the time of a message.
func (c *Chains) hop(id scheduler.JobID, k *link) Hop {
	p, config := &k.packet, c.net.Config()
	h := Hop{Computing: k.delay, Software: p.Created - k.from - k.delay + k.received - p.Delivered,
		Queue: p.Turn - p.Created, Entry: p.Injected - p.Turn, Waits: k.waits}
	rest := p.Delivered - p.Injected - p.Blocked
	way := c.lonelyWay(p)
	h.Network = min(rest, config.ZeroLoadLatencyOver(way, int(p.Length)))
	h.Shared = rest - h.Network
	if c.Waited == nil && p.Blocked > 0 {
		h.Waits = append(slices.Clip(h.Waits), ForJob{Nobody, p.Blocked})
	}
	c.chargeQueue(id, k, &h)
	return h
}

// lonelyWay returns the way of a packet on an empty network.
func (c *Chains) lonelyWay(p *router.Arrival) []router.LinkTiming {
	return c.net.LonelyWay(router.Header{Source: p.From, Destination: p.To, Packet: p.Number,
		Flow: p.Flow})
}

// chargeQueue finds Ahead of a hop, and takes it out of Queue and Entry.
func (c *Chains) chargeQueue(id scheduler.JobID, k *link, h *Hop) {
	pace := int64(1)
	if way := c.lonelyWay(&k.packet); len(way) > 0 {
		pace = int64(way[0].Flit)
	}
	stalled, waits := h.Queue+h.Entry-k.arrived*pace, int64(0)
	for _, w := range k.ahead {
		waits += w.Cycles
	}
	if stalled <= 0 || waits == 0 {
		return
	}
	share := min(1, float64(stalled)/float64(waits))
	for _, w := range k.ahead {
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
