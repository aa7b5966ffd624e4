package router

// Recorder is told when links carry flits. Times may lie ahead of the current cycle, and
// come in any order.
type Recorder interface {
	// Carried says that link l carries flits without a break for so many cycles, the
	// first of them from. A flit takes Timing.Flit cycles.
	Carried(l Link, from, cycles int64)
}

// Record tells r of all flits that are sent from now on. It is called before the first
// packet, and takes the place of Trace.
func (b *Routers) Record(r Recorder) {
	if b.closed != nil {
		b.closed.record(r, b.w, b.packetFlits, b.timing)
		return
	}
	b.trace = &sentFlits{r, b}
}

// sentFlits is the Tracer of a Recorder: the engines that move flits tell of each.
type sentFlits struct {
	to Recorder
	of *Routers
}

// Sent implements Tracer.
func (s *sentFlits) Sent(cycle int64, c Channel, _ int64, _ int32, _ int64) {
	s.to.Carried(s.of.w.LinkOf(c), cycle, s.of.flitTime(c))
}

// recording is what the closed form needs to tell a Recorder of flits.
type recording struct {
	to     Recorder
	w      *Wiring
	flit   int64
	credit int64 // 0 where links differ: then it is in the times
	buffer int64
}

// record makes the closed form remember all header times that the flits of a packet follow
// from, also where the tail follows from the last one alone.
func (c *closed) record(r Recorder, w *Wiring, most int32, t Timing) {
	credit := t.Credit
	if c.creditSums != nil {
		credit = 0
	}
	c.recording = &recording{r, w, t.Flit, credit, int64(t.Buffer)}
	c.remember(most, t.Buffer)
}

// carried tells the Recorder of the flits of packet p on channel o. The headers of the
// channel and of so many ahead are those from first of the packet's progress. The terms of
// the closed form that hold for a flit are those of the headers before it, so the flits
// come in groups of a buffer, each at the full rate from the time of its first flit on.
func (c *closed) carried(p int32, o Channel, first, ahead int32) {
	behind := int64(0) // the credits of the links before, where links differ
	if c.creditSums != nil {
		behind = c.creditSums[p].settled
	}
	c.groups(p, o, first, ahead, behind, true)
}

// groups tells the Recorder of a group of flits for each header time so far, no more than a buffer
// from each; the last one has all flits that are left if it is the last of the packet.
func (c *closed) groups(p int32, o Channel, first, ahead int32, behind int64, last bool) {
	x, times := c.recording, c.times[p*(c.mask+1):][:c.mask+1]
	link, left := x.w.LinkOf(o), int64(c.progress[p].length)
	group := -never
	for m := range ahead + 1 {
		group = max(group+x.buffer*x.flit, times[(first+m)&c.mask]+int64(m)*x.credit-behind)
		flits := min(x.buffer, left)
		if m == ahead && last {
			flits = left
		}
		x.to.Carried(link, group, flits*x.flit)
		left -= flits
	}
}

// RecordRest tells the Recorder of the flits of packets that are still on their way, as far as
// their times are known: all that were sent before the current cycle. Only the closed form
// has any that it has not told of yet.
func (b *Routers) RecordRest() {
	if b.closed == nil || b.closed.recording == nil {
		return
	}
	free := make([]bool, len(b.packets))
	for _, p := range b.freePacket {
		free[p] = true
	}
	for p := range int32(len(b.packets)) {
		w := &b.closed.progress[p]
		if free[p] || w.last >= 0 && b.vcs[w.last].sink() {
			continue // it has arrived, or all is told
		}
		o, behind := b.settling(w), int64(0)
		if b.linkTimings != nil {
			behind = b.closed.creditSums[p].settled
			if w.last >= 0 {
				behind += int64(b.linkTimings[w.last].Credit)
			}
		}
		for first := max(0, w.next-w.steps); first < w.next; first++ {
			b.closed.groups(p, o, first, w.next-1-first, behind, false)
			if b.linkTimings != nil {
				behind += int64(b.linkTimings[o].Credit)
			}
			o = Channel(b.vcs[o].outputVC)
		}
	}
}
