package router

// LinkTiming is how long things take on one link, where links differ.
type LinkTiming struct {
	// Delay is the time a flit takes to the other end, Flit that between two flits, and
	// Credit that from a flit's leaving the buffer at the other end to the sender's
	// knowing. All are in cycles and at least 1.
	Delay, Flit, Credit int32
}

// on returns how long things take on link l.
func (t *Timing) on(l Link) LinkTiming {
	if t.Links == nil {
		return LinkTiming{int32(t.Link), int32(t.Flit), int32(t.Credit)}
	}
	return t.Links[l]
}

// settled returns the timing with Links where links differ only. Of links that are all the same
// it is in Link, Flit and Credit, and so is what all links have in common.
func (t Timing) normalized() Timing {
	if len(t.Links) == 0 {
		t.Links = nil
		return t
	}
	first := t.Links[0]
	t.Link, t.Flit, t.Credit = int64(first.Delay), int64(first.Flit), int64(first.Credit)
	for _, k := range t.Links {
		if k != first {
			return t
		}
	}
	t.Links = nil
	return t
}

// slowest returns the longest times of all links.
func (t *Timing) slowest() LinkTiming {
	slowest := LinkTiming{int32(t.Link), int32(t.Flit), int32(t.Credit)}
	for _, k := range t.Links {
		slowest.Delay, slowest.Flit = max(slowest.Delay, k.Delay), max(slowest.Flit, k.Flit)
		slowest.Credit = max(slowest.Credit, k.Credit)
	}
	return slowest
}

// span returns how many cycles lie between the sending of the first of so many flits, one after
// the other, and the last that follows from them alone.
func (t *Timing) span(flits int32) int64 {
	slowest := t.slowest()
	return t.Routing + t.Allocation + int64(slowest.Delay) + int64(flits)*int64(slowest.Flit) +
		int64(slowest.Credit) + 2
}

// ofChannels returns the timing of the link of each channel, nil where all links are the same.
func (t *Timing) ofChannels(w *Wiring) []LinkTiming {
	if t.Links == nil {
		return nil
	}
	own := make([]LinkTiming, w.Channels())
	for c := range own {
		own[c] = t.Links[w.link(Channel(c))]
	}
	return own
}

// delay returns the time a flit takes to the other end of channel c.
func (b *Routers) delay(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Link
	}
	return int64(b.linkTimings[c].Delay)
}

// flitTime returns the time between two flits on the link of channel c.
func (b *Routers) flitTime(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Flit
	}
	return int64(b.linkTimings[c].Flit)
}

// credit returns the time from a flit's leaving the FIFO of channel c to the sender's knowing.
func (b *Routers) credit(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Credit
	}
	return int64(b.linkTimings[c].Credit)
}
