package router

// Recorder receives the times at which links carry flits. They may lie ahead of the current cycle,
// and come in any order.
type Recorder interface {
	// Carried reports that link l carries flits without a break for some cycles, the first of them
	// from. A flit takes Timing.Flit cycles.
	Carried(l Link, from, cycles int64)
}

// Record reports to r the times of all flits sent from now on. It is called before the first packet
// and replaces Trace.
func (b *Routers) Record(r Recorder) {
	if b.closed != nil {
		b.closed.record(r, b.w, b.packetFlits, b.timing)
		return
	}
	b.trace = &sentFlits{r, b}
}

// sentFlits is the Tracer that reports to a Recorder, in the engines that move flits.
type sentFlits struct {
	to Recorder
	of *Routers
}

// Sent implements Tracer.
func (s *sentFlits) Sent(cycle int64, c Channel, _ int64, _ int32, _ int64) {
	s.to.Carried(s.of.w.LinkOf(c), cycle, s.of.flitTime(c))
}

// recording is the state of the closed form for a Recorder.
type recording struct {
	to     Recorder
	w      *Wiring
	flit   int64 // Timing.Flit
	credit int64 // Timing.Credit; 0 if links differ: the times include credit delays then
	buffer int64 // Timing.Buffer
}

// record makes the closed form keep all head times from which the times of flits follow.
func (c *closed) record(r Recorder, w *Wiring, most int32, t Timing) {
	credit := t.Credit
	if c.creditSums != nil {
		credit = 0
	}
	c.recording = &recording{r, w, t.Flit, credit, int64(t.Buffer)}
	c.remember(most, t.Buffer)
}

// carried reports the flits of packet p on channel o, given the index first of the head time on
// that channel and the number of channels that the head is ahead. The terms of the closed form for
// a flit are those of the heads before it, so flits come in groups of a buffer, each at the full
// rate from the time of its first flit on.
func (c *closed) carried(p int32, o Channel, first, ahead int32) {
	behind := int64(0) // credit delays of the links before, if links differ
	if c.creditSums != nil {
		behind = c.creditSums[p].settled
	}
	c.groups(p, o, first, ahead, behind, true)
}

// groups reports a group of flits for each head time so far, at most a buffer each. If last is set
// the last group has all remaining flits.
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

// RecordRest reports to the Recorder the flits, sent before the current cycle, of packets that are
// still in the network. Only the closed form has any that it has not reported.
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
			continue // it has arrived, or all is reported
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
