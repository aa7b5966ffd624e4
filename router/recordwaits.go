package router

import "slices"

// Wait is a time [From, Until) in which a ready header waited to be sent on a link for one packet.
// The waits of a header on a link follow each other and sum to what the header adds to
// Packet.Blocked.
type Wait struct {
	From, Until int64
	// Tail is the cycle in which the tail of the packet For was sent on the channel. Before it, and
	// from Resume on, the header could go no sooner than that packet did: it held the virtual
	// channel, and its flits were in the buffer behind.
	Tail, Resume int64
	// Held is the part of the wait that counts in Usage: the cycles in which the packet held the
	// virtual channel.
	Held int64
	// Packet waited for the packet For, or nobody: the header waited for its turn on a link that
	// several virtual channels share. They have numbers of their own, small ones, which are those of
	// other packets once ForgetWaits has returned them. Job and ForJob are their jobs.
	Packet, For, Job, ForJob int32
	// Link is the link.
	Link Link
}

// Nobody reports whether the header waited for no packet.
func (w *Wait) Nobody() bool { return w.For == none }

// WaitRecorder is told of each Wait, of those of one header in order of time. The list is valid
// during the call. It is empty if only ForgetWaits is due, since many packets have arrived.
type WaitRecorder interface{ Waited(list []Wait) }

// waits is what is remembered to tell a WaitRecorder of waits.
type waits struct {
	to            WaitRecorder
	log           []Wait  // that are not told yet
	reportedUntil []int64 // of each FIFO, up to when the waits of the header at its head are in the log
	noCredit      []bool  // of each channel, whether it had no room for the header that got it last
	merged        bool    // the waits of a header that gets a channel are one with what comes then
	numbers       []int32 // in waits, of each packet
	jobs          []int32 // by these numbers; they take the place of jobs in vcState and progress
	free          []int32
	arrived       []event // packets that have arrived, whose numbers waits may still have
	maxArrived    int     // so many of them
	span          int64   // so long headers may wait for a packet after it has arrived
}

// waitsAtOnce is how many waits are told at once, and packets forgotten, at most.
const maxLoggedWaits = 1 << 10

// RecordWaits tells r of all waits, from now on. It is called before the first packet.
func (b *Routers) RecordWaits(r WaitRecorder) {
	n := len(b.vcs)
	slowest := b.timing.slowest()
	b.waits = &waits{to: r, log: make([]Wait, 0, maxLoggedWaits), reportedUntil: make([]int64, n),
		noCredit: make([]bool, n), merged: b.queuePerVC && b.w.VirtualChannels == 1, maxArrived: maxLoggedWaits,
		span: int64(slowest.Credit) + int64(slowest.Flit) + 1}
	for c := range b.vcs {
		b.vcs[c].job = none
	}
}

// enter gives packet p a number.
func (w *waits) enter(p, job int32) {
	for int(p) >= len(w.numbers) {
		w.numbers = append(w.numbers, none)
	}
	if len(w.free) == 0 {
		w.free, w.jobs = append(w.free, int32(len(w.jobs))), append(w.jobs, none)
	}
	last := len(w.free) - 1
	n := w.free[last]
	w.free, w.numbers[p], w.jobs[n] = w.free[:last], n, job
}

// leave notes packets that arrive now.
func (w *waits) leave(packets []int32, now int64) {
	for _, p := range packets {
		w.arrived = append(w.arrived, event{cycle: now, id: w.numbers[p]})
	}
	if len(w.arrived) > w.maxArrived {
		w.flush()
		w.to.Waited(nil)
		w.maxArrived = len(w.arrived) + maxLoggedWaits
	}
}

// allocated leaves the cycles of its allocation out of the wait of the header at the head of FIFO
// i, which asked for its channel in cycle ready.
func (w *waits) excludeAllocation(i Channel, ready, cycles int64) {
	w.reportedUntil[i] = max(w.reportedUntil[i], ready) + cycles
}

// flush tells of the waits in the log.
func (w *waits) flush() {
	if len(w.log) > 0 {
		w.to.Waited(w.log)
		w.log = w.log[:0]
	}
}

// reserve makes room in the log for so many waits.
func (w *waits) reserve(n int) {
	if len(w.log)+n > cap(w.log) {
		w.flush()
		w.log = slices.Grow(w.log, n)
	}
}

// next returns the next place of the log, to be set field by field: the processor would wait for a
// copy. There is room.
func (w *waits) next() *Wait {
	w.log = w.log[:len(w.log)+1]
	return &w.log[len(w.log)-1]
}

// tell notes a wait of the header at the head of FIFO i for channel o that is not told yet, for the
// last packet that had it or for nobody, and returns it, or nil if it is of no cycles.
func (b *Routers) reportWait(o, i Channel, until int64, nobody bool) *Wait {
	w, out, in := b.waits, &b.vcs[o], &b.vcs[i]
	from := max(w.reportedUntil[i], in.ready)
	if from >= until {
		return nil
	}
	w.reserve(1)
	w.reportedUntil[i] = until
	k, p := w.next(), w.numbers[in.packet]
	k.From, k.Until, k.Tail, k.Resume = from, until, out.freeAt-b.flitTime(o), until
	k.Packet, k.For, k.Job, k.ForJob, k.Held, k.Link = p, none, w.jobs[p], none, 0, b.w.link(o)
	if !nobody && out.job != none {
		k.For, k.ForJob = out.job, w.jobs[out.job]
	}
	return k
}

// tellHeld tells of a wait for the packet that held channel o, which is granted now, and returns
// the job of that packet. So many cycles of it are counted in Usage.
func (b *Routers) reportHeld(o, i Channel, held int64) (job int32) {
	w, out := b.waits, &b.vcs[o]
	if !w.merged || out.firstWaiting != int32(i) { // else it gets the channel
		if k := b.reportWait(o, i, b.now, false); k != nil {
			k.Held = max(0, held)
		}
	}
	if out.job == none {
		return none
	}
	return w.jobs[out.job]
}

// tellSent tells of what is left of a wait: the header at the head of FIFO i is sent on channel o
// in a cycle. It has waited behind the flits of the packet that had the channel before if there
// was no room when it got the channel, and for that packet if it took the channel in the end.
// Otherwise it has waited for its turn on the link.
func (b *Routers) reportSent(o, i Channel, cycle int64) {
	w, out := b.waits, &b.vcs[o]
	from, tail := max(w.reportedUntil[i], b.vcs[i].ready), out.freeAt-b.flitTime(o)
	behind := b.w.VirtualChannels == 1 || w.noCredit[o]
	if k := b.reportWait(o, i, cycle, !behind && tail < from); k != nil && w.merged {
		k.Resume, k.Held = out.since, max(0, tail-from)
	} else if k != nil && behind {
		k.Tail, k.Resume = min(tail, from), from
	}
}

// NumberOf returns the number in waits of one of the packets that the last Advance returned.
func (b *Routers) NumberOf(arrival int) int32 { return b.waits.numbers[b.arrivedPackets[arrival]] }

// TellWaits tells the WaitRecorder of all waits so far.
func (b *Routers) ReportWaits() {
	if b.waits != nil {
		b.waits.flush()
	}
}

// WaitsToldUntil returns a cycle up to which the WaitRecorder knows all waits but those that
// TellWaits tells of.
func (b *Routers) WaitsReportedUntil() int64 {
	known := b.now
	for i := range b.vcs {
		if v := &b.vcs[i]; v.state == waitingVC || v.state == active {
			known = min(known, max(v.ready, b.waits.reportedUntil[i]))
		}
	}
	return known
}

// ForgetWaits says that only waits from a cycle on matter, or those that are not told yet. It
// returns the numbers of packets that new packets may get; they are valid until the next packet.
func (b *Routers) ForgetWaits(before int64) []int32 {
	w, n, had := b.waits, 0, len(b.waits.free)
	for ; n < len(w.arrived) && w.arrived[n].cycle+w.span <= before; n++ {
		w.free = append(w.free, w.arrived[n].id)
	}
	w.arrived = w.arrived[:copy(w.arrived, w.arrived[n:])]
	return w.free[had:]
}
