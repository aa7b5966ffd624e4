package run

import (
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// Chains finds the critical path of each job: the chain of messages that decided when the job
// ended. The last message that a job receives ends it. That message was released when another one
// was received, and so on back to the start of the job. A message that nothing is received for,
// such as the first ones, begins a chain: what comes before it counts as computing.
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

	net   *netsim.Network
	links []link
	free  []int32
	cause int32 // of what a program releases now
	path  []Hop
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
	// a place in the router after that.
	Queue, Entry int64
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
	refs     int32 // links that it is the cause of, and itself while it is under way
	tag      int32 // of the message
	from     int64 // when the link before ended
	delay    int64
	received int64
	packet   router.Arrival // that arrived last
	waits    []ForJob
}

// noLink is the cause of messages that a job sends at its start.
const noLink = -1

// FindChains has the executor find the critical paths of jobs. It is called before the first job
// starts. The network must tell the chains of packets that arrive.
func (x *Executor) FindChains(c *Chains) {
	c.net, c.cause = x.Net, noLink
	x.chains = c
}

// Packet notes a packet that arrives.
func (c *Chains) Packet(p *router.Arrival) {
	k := &c.links[p.User]
	k.packet, k.waits = *p, k.waits[:0]
	if c.Waited != nil {
		k.waits = append(k.waits, c.Waited(p)...)
	}
}

// released makes a link of each message of a batch. A link has the number that takes the place of
// the tag.
func (c *Chains) released(batch []patterns.Message, since int64) {
	now := c.net.Now()
	for i := range batch {
		n := c.newLink()
		k := &c.links[n]
		*k = link{cause: c.cause, refs: 1, tag: batch[i].Tag, from: now,
			delay: batch[i].Delay, waits: k.waits[:0]}
		if c.cause == noLink {
			k.from, k.delay = since, now-since+k.delay
		} else {
			c.links[c.cause].refs++
		}
		batch[i].Tag = n
	}
}

func (c *Chains) newLink() int32 {
	if n := len(c.free); n > 0 {
		k := c.free[n-1]
		c.free = c.free[:n-1]
		return k
	}
	c.links = append(c.links, link{})
	return int32(len(c.links) - 1)
}

// receives notes that a message is received, and makes it the cause of what follows. It returns
// the tag of the message.
func (c *Chains) receives(n int32) (tag int32) {
	k := &c.links[n]
	k.received, c.cause = c.net.Now(), n
	return k.tag
}

// receivedAll ends the time in which a message that was received is the cause of what follows.
func (c *Chains) receivedAll() {
	n := c.cause
	c.cause = noLink
	for n != noLink {
		k := &c.links[n]
		if k.refs--; k.refs > 0 {
			return
		}
		c.free = append(c.free, n)
		n = k.cause
	}
}

// ended reports the critical path of a job that ends with the message that is received now.
func (c *Chains) ended(id scheduler.JobID, since int64) {
	c.path = c.path[:0]
	for n := c.cause; n != noLink; n = c.links[n].cause {
		c.path = append(c.path, c.hop(&c.links[n]))
	}
	if c.cause == noLink && c.net.Now() > since {
		c.path = append(c.path, Hop{Computing: c.net.Now() - since})
	}
	c.Ended(id, c.path)
}

// hop divides the time of a message.
func (c *Chains) hop(k *link) Hop {
	p, config := &k.packet, c.net.Config()
	h := Hop{Computing: k.delay, Software: p.Created - k.from - k.delay + k.received - p.Delivered,
		Queue: p.Turn - p.Created, Entry: p.Injected - p.Turn, Waits: k.waits}
	rest := p.Delivered - p.Injected - p.Blocked
	way := c.net.LonelyWay(p.From, p.To, p.Number)
	h.Network = min(rest, config.ZeroLoadLatencyOver(way, int(p.Length)))
	h.Shared = rest - h.Network
	if c.Waited == nil && p.Blocked > 0 {
		h.Waits = append(slices.Clip(h.Waits), ForJob{Nobody, p.Blocked})
	}
	return h
}
