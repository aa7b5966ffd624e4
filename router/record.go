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
		b.closed.record(r, b.w, b.most, b.timing)
		return
	}
	b.trace = &sentFlits{r, b.w, b.timing.Flit}
}

// sentFlits is the Tracer of a Recorder: the engines that move flits tell of each.
type sentFlits struct {
	to   Recorder
	w    *Wiring
	flit int64
}

// Sent implements Tracer.
func (s *sentFlits) Sent(cycle int64, c Channel, _ int64, _ int32, _ int64) {
	s.to.Carried(s.w.LinkOf(c), cycle, s.flit)
}

// recording is what the closed form needs to tell a Recorder of flits.
type recording struct {
	to     Recorder
	w      *Wiring
	flit   int64
	credit int64
	buffer int64
}

// record makes the closed form remember all header times that the flits of a packet follow
// from, also where the tail follows from the last one alone.
func (c *closed) record(r Recorder, w *Wiring, most int32, t Timing) {
	c.recording = &recording{r, w, t.Flit, t.Credit, int64(t.Buffer)}
	c.remember(most, t.Buffer)
}

// carried tells the Recorder of the flits of packet p on channel o. The headers of the
// channel and of so many ahead are those from first of the packet's progress. The terms of
// the closed form that hold for a flit are those of the headers before it, so the flits
// come in groups of a buffer, each at the full rate from the time of its first flit on.
func (c *closed) carried(p int32, o Channel, first, ahead int32) {
	x, times := c.recording, c.times[p*(c.mask+1):][:c.mask+1]
	link, left := x.w.LinkOf(o), int64(c.progress[p].length)
	group := -never
	for m := range ahead + 1 {
		group = max(group+x.buffer*x.flit, times[(first+m)&c.mask]+int64(m)*x.credit)
		flits := min(x.buffer, left)
		if m == ahead {
			flits = left
		}
		x.to.Carried(link, group, flits*x.flit)
		left -= flits
	}
}

// WaitRecorder is told when headers waited for packets.
type WaitRecorder interface {
	// Waited says that a ready header of the job waiting waited so many cycles for a virtual
	// channel that a packet of the job holding held. Its tail was sent in cycle tail.
	Waited(waiting, holding int32, tail, cycles int64)
}

// RecordWaits tells r of all waits that Usage counts, from now on.
func (b *Routers) RecordWaits(r WaitRecorder) { b.waits = r }
