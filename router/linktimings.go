package router

// LinkTiming has the delays of a link.
type LinkTiming struct {
	Delay  int32 // cycles of link traversal, at least 1
	Flit   int32 // cycles between two flits, at least 1
	Credit int32 // cycles from when a flit leaves the FIFO until the sender has the credit, at least 1
}

// on returns the delays of link l.
func (t *Timing) on(l Link) LinkTiming {
	if t.Links == nil {
		return LinkTiming{int32(t.Link), int32(t.Flit), int32(t.Credit)}
	}
	return t.Links[l]
}

// normalized returns the timing with Links only if links differ, or may come to. Link, Flit and
// Credit have what all links have in common.
func (t Timing) normalized() Timing {
	if len(t.Links) == 0 {
		t.Links = nil
		return t
	}
	first := t.Links[0]
	t.Link, t.Flit, t.Credit = int64(first.Delay), int64(first.Flit), int64(first.Credit)
	for _, k := range t.Links {
		if k != first || t.SlowestFlit > 0 {
			return t
		}
	}
	t.Links = nil
	return t
}

// slowest returns the maximum of each delay over all links.
func (t *Timing) slowest() LinkTiming {
	slowest := LinkTiming{int32(t.Link), int32(max(t.Flit, t.SlowestFlit)), int32(t.Credit)}
	for _, k := range t.Links {
		slowest.Delay, slowest.Flit = max(slowest.Delay, k.Delay), max(slowest.Flit, k.Flit)
		slowest.Credit = max(slowest.Credit, k.Credit)
	}
	return slowest
}

// span returns the maximum number of cycles from when the first of n flits, one after the other, is
// sent until the last event that follows from them alone.
func (t *Timing) span(n int32) int64 {
	slowest := t.slowest()
	return t.Routing + t.Allocation + int64(slowest.Delay) + int64(n)*int64(slowest.Flit) +
		int64(slowest.Credit) + 2
}

// ofChannels returns the delays of the link of each VC, nil if all links are the same.
func (t *Timing) ofChannels(w *Wiring) []LinkTiming {
	if t.Links == nil {
		return nil
	}
	list := make([]LinkTiming, w.Channels())
	for c := range list {
		list[c] = t.Links[w.link(Channel(c))]
	}
	return list
}

// delay returns the cycles of link traversal of VC c.
func (b *Routers) delay(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Link
	}
	return int64(b.linkTimings[c].Delay)
}

// flitTime returns the cycles between two flits on the link of VC c.
func (b *Routers) flitTime(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Flit
	}
	return int64(b.linkTimings[c].Flit)
}

// credit returns the credit delay of VC c.
func (b *Routers) credit(c Channel) int64 {
	if b.linkTimings == nil {
		return b.timing.Credit
	}
	return int64(b.linkTimings[c].Credit)
}

// SetFlitTime sets the cycles between two flits on link l from now on, at most Timing.SlowestFlit.
func (b *Routers) SetFlitTime(l Link, cycles int32) {
	for c := b.w.firstVC(l); c < b.w.firstVC(l+1); c++ {
		b.linkTimings[c].Flit = cycles
	}
}
