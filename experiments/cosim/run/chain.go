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

	net    *netsim.Network
	links  []link
	free   []int32
	last   []int32 // by slot, the message that its job received last, or noLink
	path   []Hop
	nodes  []nodeSums
	waits  []packetWaits
	unused []int32
}

// nodeSums is what there is of the packets that a node has sent and that have arrived.
type nodeSums struct {
	flits  int64
	newest int32 // the waits of the one that arrived last
}

// packetWaits are the waits of the header of a packet. They are kept as long as the node has none
// that are newer, or the message in whose time they may have come is kept, or those before them.
type packetWaits struct {
	list []ForJob
	next int32 // those of the packet of the node that arrived next
	refs int32
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
	before   int32          // the newest waits of its node when it was sent, or noLink once it is settled
	after    int32          // the newest ones when the packet arrived
	waited   bool           // the packet has those that came next
	flits    int64          // of its node that had arrived when it was sent
	arrived  int64          // and those that arrived from then on until the packet did
	packet   router.Arrival // that arrived last
	waits    []ForJob       // see settle
	ahead    []ForJob       // waits of packets of its node that arrived meanwhile
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
	k.packet, k.after, k.arrived, k.waited = *p, of.newest, of.flits-k.flits, false
	of.flits += int64(p.Length)
	if c.Waited == nil {
		return
	}
	if list := c.Waited(p); len(list) > 0 {
		n := c.newWaits(2) // they are the newest, and the next
		c.waits[n].list = append(c.waits[n].list, list...)
		c.waits[of.newest].next, k.waited = n, true
		c.forget(of.newest)
		of.newest = n
	}
}

// sent notes that a message is given to the network.
func (c *Chains) sent(n int32, node topology.Node) {
	k, of := &c.links[n], c.sumsOf(node)
	k.flits, k.before = of.flits, of.newest
	c.waits[of.newest].refs++
}

func (c *Chains) sumsOf(node topology.Node) *nodeSums {
	for int(node) >= len(c.nodes) {
		c.nodes = append(c.nodes, nodeSums{newest: c.newWaits(1)})
	}
	return &c.nodes[node]
}

func (c *Chains) newWaits(refs int32) int32 {
	n := freePlace(&c.waits, &c.unused)
	c.waits[n] = packetWaits{c.waits[n].list[:0], noLink, refs}
	return n
}

// forget drops a reason to keep waits.
func (c *Chains) forget(n int32) {
	for ; n != noLink; n = c.waits[n].next {
		if c.waits[n].refs--; c.waits[n].refs > 0 {
			return
		}
		c.unused = append(c.unused, n)
	}
}

// settle finds the waits of a message that is the cause of others, and those ahead of it if it had
// to queue.
func (c *Chains) settle(k *link) {
	if k.before == noLink {
		return
	}
	k.waits, k.ahead = k.waits[:0], k.ahead[:0]
	if k.waited {
		k.waits = append(k.waits, c.waits[c.waits[k.after].next].list...)
	}
	for n := k.before; n != k.after && k.packet.Injected-k.packet.Created > k.arrived; {
		n = c.waits[n].next
		for _, w := range c.waits[n].list {
			k.ahead = AddWait(k.ahead, w)
		}
	}
	c.forget(k.before)
	k.before = noLink
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
	if cause != noLink && len(batch) > 0 {
		since = c.links[cause].received
		c.links[cause].refs += int32(len(batch))
		c.settle(&c.links[cause])
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
	return k.tag
}

// drop ends the time in which a message may be a cause.
func (c *Chains) drop(n int32) {
	for n != noLink {
		k := &c.links[n]
		if k.refs--; k.refs > 0 {
			return
		}
		if k.before != noLink {
			c.forget(k.before)
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
		c.settle(&c.links[*last])
	}
	c.path = c.path[:0]
	if now := c.net.Now(); now > since {
		c.path = append(c.path, Hop{Computing: now - since})
	}
	for n := *last; n != noLink; n = c.links[n].cause {
		c.path = append(c.path, c.hop(id, &c.links[n]))
	}
	c.Ended(id, c.path)
	c.leave(slot)
}

// leave drops what the job in a slot has received last.
func (c *Chains) leave(slot int32) {
	last := c.lastOf(slot)
	c.drop(*last)
	*last = noLink
}

// never drops the messages of a timer that does not go off: they are not received.
func (c *Chains) never(t *timer) {
	list := t.batch
	if t.kind == sendTimer {
		list = append(list, t.message)
	}
	for _, m := range list {
		c.links[m.Tag].before = noLink // it was not sent
		c.drop(m.Tag)
	}
	if t.kind == receiveTimer {
		c.drop(t.message.Tag)
	}
}

// hop divides the time of a message.
func (c *Chains) hop(id scheduler.JobID, k *link) Hop {
	p, config, pace := &k.packet, c.net.Config(), int64(1)
	h := Hop{Computing: k.delay, Software: p.Created - k.from - k.delay + k.received - p.Delivered,
		Queue: p.Turn - p.Created, Entry: p.Injected - p.Turn, Waits: k.waits}
	rest := p.Delivered - p.Injected - p.Blocked
	way := c.net.LonelyWay(router.Header{Source: p.From, Destination: p.To, Packet: p.Identity,
		Flow: p.Flow})
	if len(way) > 0 {
		pace = int64(way[0].Flit)
	}
	h.Network = min(rest, config.ZeroLoadLatencyOver(way, int(p.Length)))
	h.Shared = rest - h.Network
	if c.Waited == nil && p.Blocked > 0 {
		h.Waits = append(slices.Clip(h.Waits), ForJob{Nobody, p.Blocked})
	}
	h.chargeQueue(id, k.ahead, h.Queue+h.Entry-k.arrived*pace)
	return h
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
