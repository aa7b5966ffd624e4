package router

import "slices"

// Recorder receives the times at which links carry flits. Times may be ahead of the current cycle,
// and come in any order.
type Recorder interface {
	// Carried reports that link l carries flits without a break from cycle from on, for the given
	// number of cycles. A flit takes Timing.Flit cycles.
	Carried(l Link, from, cycles int64)
}

// Record reports to r the times of all flits sent from now on. It replaces Trace. The closed form,
// which moves no body flits, reports none.
func (b *Routers) Record(r Recorder) { b.trace = &sentFlits{r, b} }

// sentFlits is a Tracer that reports flits to a Recorder.
type sentFlits struct {
	to Recorder
	of *Routers
}

// Sent implements Tracer.
func (s *sentFlits) Sent(cycle int64, c Channel, _ int64, _ int32, _ int64) {
	s.to.Carried(s.of.w.LinkOf(c), cycle, s.of.flitTime(c))
}

// Wait is a time [From, Until) in which a ready head waited to be sent on a link for one packet.
// The waits of a head on a link follow each other and sum to the cycles that the head adds to
// Packet.Blocked.
type Wait struct {
	From, Until int64
	// Tail is the cycle in which packet For sent its tail on the VC. Before Tail that packet held the
	// VC, and from Resume on its flits filled the buffer behind the link: in both intervals the head
	// had to wait until that packet moved on.
	Tail, Resume int64
	// Held is the number of cycles of the wait in which the packet For held the VC: the part that
	// counts in Usage.
	Held int64
	// Packet is the waiting packet, For the packet that it waited for, or none: see Nobody. Both are
	// small numbers; ForgetWaits returns those that other packets may get.
	Packet, For int32
	// Job and ForJob are the jobs of the two packets.
	Job, ForJob int32
	// Link is the link on which the head was to be sent.
	Link Link
}

// Nobody reports whether the head waited for no packet: it waited for its turn on a link that
// several VCs share.
func (w *Wait) Nobody() bool { return w.For == none }

// WaitRecorder receives all waits, those of one head in order of time. The list is valid during the
// call. An empty list means that ForgetWaits is due because many packets have arrived.
type WaitRecorder interface{ Waited(list []Wait) }

// waits is the state of the routers for a WaitRecorder.
type waits struct {
	to            WaitRecorder
	log           []Wait  // waits not yet reported
	reportedUntil []int64 // by FIFO: cycle up to which the waits of its head are in the log
	noCredit      []bool  // by VC: it had no credits for the head that got it last
	merged        bool    // the wait for a VC and the wait for credits after its grant are one
	numbers       []int32 // by packet: its number in waits
	jobs          []int32 // by that number; the numbers replace jobs in vcState and progress
	free          []int32 // unused numbers
	arrived       []event // packets that have arrived, whose numbers waits may still name
	maxArrived    int     // length of arrived that makes ForgetWaits due
	span          int64   // cycles that heads may wait for a packet after it has arrived
}

// maxLoggedWaits is the maximum number of waits that are reported at once, and the number of
// arrived packets after which ForgetWaits is due.
const maxLoggedWaits = 1 << 10

// RecordWaits reports all waits from now on to r. It is called before the first packet.
func (b *Routers) RecordWaits(r WaitRecorder) {
	n := len(b.vcs)
	slowest := b.timing.slowest()
	b.waits = &waits{to: r, log: make([]Wait, 0, maxLoggedWaits), reportedUntil: make([]int64, n),
		noCredit: make([]bool, n), merged: b.queuePerVC && b.w.VirtualChannels == 1,
		maxArrived: maxLoggedWaits, span: int64(slowest.Credit) + int64(slowest.Flit) + 1}
	if b.closed != nil {
		b.closed.inlined = false // it reports no waits
	}
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

// leave enters packets that arrive now in arrived.
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

// exclude excludes cycles, such as the allocation time, from the wait of the head at the front of
// FIFO i, which requested its VC in cycle ready: those after what is reported.
func (w *waits) exclude(i Channel, ready, cycles int64) {
	w.reportedUntil[i] = max(w.reportedUntil[i], ready) + cycles
}

// flush reports the waits in the log.
func (w *waits) flush() {
	if len(w.log) > 0 {
		w.to.Waited(w.log)
		w.log = w.log[:0]
	}
}

// reserve makes room in the log for n waits.
func (w *waits) reserve(n int) {
	if len(w.log)+n > cap(w.log) {
		w.flush()
		w.log = slices.Grow(w.log, n)
	}
}

// next returns the next entry of the log, to be set field by field, since copying a Wait would
// stall the processor. There must be room.
func (w *waits) next() *Wait {
	w.log = w.log[:len(w.log)+1]
	return &w.log[len(w.log)-1]
}

// reportWait logs the part that is not in the log yet of the wait of the head at the front of FIFO
// i for VC o: for the last packet that held the VC, or for nobody. It returns nil if the wait has
// no cycles.
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

// reportHeld logs the wait of head i for the packet that held VC o, which is granted now, and
// returns the job of that packet. held cycles of it count in Usage.
func (b *Routers) reportHeld(o, i Channel, held int64) (job int32) {
	w, out := b.waits, &b.vcs[o]
	if !w.merged || out.firstWaiting != int32(i) { // otherwise it gets the VC: see reportSent
		if k := b.reportWait(o, i, b.now, false); k != nil {
			k.Held = max(0, held)
		}
	}
	if out.job == none {
		return none
	}
	return w.jobs[out.job]
}

// reportSent logs the rest of a wait: head i is sent on VC o in a cycle. It waited for the packet
// that held the VC before if there were no credits when it got the VC, or if that packet held the
// VC to the end. Otherwise it waited for its turn on the link.
func (b *Routers) reportSent(o, i Channel, cycle int64) {
	w, out := b.waits, &b.vcs[o]
	from, tail := max(w.reportedUntil[i], b.vcs[i].ready), out.freeAt-b.flitTime(o)
	behind := b.w.VirtualChannels == 1 && !b.w.EscapePaths || w.noCredit[o]
	if k := b.reportWait(o, i, cycle, !behind && tail < from); k != nil && w.merged {
		k.Resume, k.Held = out.since, max(0, tail-from)
	} else if k != nil && behind {
		k.Tail, k.Resume = min(tail, from), from
	}
}

// NumberOf returns the number in waits of a packet that the last Advance returned.
func (b *Routers) NumberOf(arrival int) int32 { return b.waits.numbers[b.arrivedPackets[arrival]] }

// ReportWaits reports all waits so far to the WaitRecorder.
func (b *Routers) ReportWaits() {
	if b.waits != nil {
		b.waits.flush()
	}
}

// WaitsReportedUntil returns a cycle up to which the WaitRecorder has received all waits once
// ReportWaits has returned.
func (b *Routers) WaitsReportedUntil() int64 {
	known := b.now
	for i := range b.vcs {
		if v := &b.vcs[i]; v.state == waitingVC || v.state == active {
			known = min(known, max(v.ready, b.waits.reportedUntil[i]))
		}
	}
	return known
}

// ForgetWaits declares that the caller needs of the reported waits only those from a cycle on. It
// returns the numbers that new packets may get; they are valid until the next packet.
func (b *Routers) ForgetWaits(before int64) []int32 {
	w, n, had := b.waits, 0, len(b.waits.free)
	for ; n < len(w.arrived) && w.arrived[n].cycle+w.span <= before; n++ {
		w.free = append(w.free, w.arrived[n].id)
	}
	w.arrived = w.arrived[:copy(w.arrived, w.arrived[n:])]
	return w.free[had:]
}
