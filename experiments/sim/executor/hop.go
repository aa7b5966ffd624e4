package executor

import (
	"slices"

	"contend/router"
	"contend/scheduler"
)

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
	// Shared is what neither that nor waits of headers explain: flits that shared links or buffers
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
	p, config, pace := &k.packet, c.net.Config(), int64(1)
	h := Hop{Crossed: true, Software: e.cycle - p.Delivered + p.Created - since,
		Queue: p.Turn - p.Created - k.resend, Resend: k.resend,
		Entry: p.Injected - p.Turn, Waits: k.waits}
	rest := p.Delivered - p.Injected - p.Blocked
	path := c.net.UncontendedPath(router.Header{Source: p.From, Destination: p.To, Packet: p.Identity,
		Flow: p.Flow})
	if len(path) > 0 {
		pace = int64(path[0].Flit)
	}
	h.Network = min(rest, config.ZeroLoadLatencyOver(path, int(p.Length)))
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
