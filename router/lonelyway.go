package router

// LonelyWay appends the links of a packet that is alone on an empty network whose buffers have
// so many flits, those from and to the nodes included. Of the links that routing x offers it
// takes the one that is listed first, since all are free. h is the header at the source.
func LonelyWay(dst []Link, w *Wiring, x Routing, h Header, bufferFlits int32) []Link {
	at := w.Injection(h.Source)
	dst = append(dst, w.link[at])
	var list []Channel
	for r := w.Enters(at); r != none; r = w.Enters(at) {
		list = x.Route(list[:0], r, at, &h, Still{Room: bufferFlits})
		at = list[0]
		dst = append(dst, w.link[at])
	}
	return dst
}

// LoadMatters reports whether the links that a packet takes may depend on what else is on the
// network.
func LoadMatters(w *Wiring, x Routing) bool {
	t := TraitsOf(w, x)
	return !t.Oblivious || !t.OneLink
}

// Still is the View of a network on which nothing moves, and all channels are alike.
type Still struct {
	Room    int32 // in flits; none is free where it is 0
	Waiting int32 // flits for each channel
}

// Free implements View.
func (v Still) Free(Channel) bool { return v.Room > 0 }

// Credits implements View.
func (v Still) Credits(Channel) int32 { return v.Room }

// Queued implements View.
func (v Still) Queued(Channel) int32 { return v.Waiting }
