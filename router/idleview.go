package router

// LoadMatters reports whether the links that a packet takes may depend on the load of the network.
func LoadMatters(w *Wiring, x Routing) bool {
	t := TraitsOf(w, x)
	return !t.Oblivious || !t.OneLink
}

// IdleView is the View of a network on which nothing moves and all channels have the same state.
type IdleView struct {
	Room    int32 // credits of each channel; if 0 no channel is free
	Waiting int32 // flits queued for each channel
}

// Free implements View.
func (v IdleView) Free(Channel) bool { return v.Room > 0 }

// Credits implements View.
func (v IdleView) Credits(Channel) int32 { return v.Room }

// Queued implements View.
func (v IdleView) Queued(Channel) int32 { return v.Waiting }
