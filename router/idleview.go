package router

// LoadMatters reports whether the links that a packet takes may depend on what else is on the
// network.
func LoadMatters(w *Wiring, x Routing) bool {
	t := TraitsOf(w, x)
	return !t.Oblivious || !t.OneLink
}

// Still is the View of a network on which nothing moves, and all channels are alike.
type IdleView struct {
	Room    int32 // in flits; none is free where it is 0
	Waiting int32 // flits for each channel
}

// Free implements View.
func (v IdleView) Free(Channel) bool { return v.Room > 0 }

// Credits implements View.
func (v IdleView) Credits(Channel) int32 { return v.Room }

// Queued implements View.
func (v IdleView) Queued(Channel) int32 { return v.Waiting }
