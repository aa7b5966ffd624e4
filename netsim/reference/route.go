package reference

import (
	"contend/router"
	"contend/router/topology"
)

// Rule 4 of the reference model: the call of the routing, and its view.

// route computes the route of the head at the front of FIFO i, which requests a channel at router
// n, unless it is known.
func (r *Model) route(n topology.Router, i router.Channel) {
	v := &r.vcs[i]
	if v.offered != nil {
		return
	}
	before := v.packet.header
	v.offered = r.x.Route(nil, n, i, &v.packet.header, view{r})
	if _, ok := r.x.(router.Branching); ok {
		before = v.packet.header
	}
	v.escapes = v.offered
	if x, ok := r.x.(router.Escaping); ok {
		v.escapes = x.Escape(nil, n, i, &before)
	}
}

// view is the view of a routing at the end of the cycle before.
type view struct{ r *Model }

// Free implements router.View.
func (v view) Free(o router.Channel) bool { return v.r.free(o) }

// Credits implements router.View.
func (v view) Credits(o router.Channel) int32 {
	if v.r.w.Kind(v.r.w.LinkOf(o)) == router.Ejection && v.r.c.EjectionCreditCycles == 0 {
		return int32(v.r.c.BufferFlits)
	}
	return int32(v.r.credits(o))
}

// Queued implements router.View.
func (v view) Queued(o router.Channel) int32 {
	n := 0
	here, _ := v.r.w.Ends(v.r.w.LinkOf(o))
	for i := range router.Channel(len(v.r.vcs)) {
		in := &v.r.vcs[i]
		if v.r.router(i) != here.Router ||
			v.r.w.Kind(v.r.w.LinkOf(i)) == router.Ejection || in.packet == nil {
			continue
		}
		q, waits := v.r.requesting(i)
		waits = waits && q < v.r.now && in.offered[0] == o
		if in.outputVC != o && !waits {
			continue
		}
		for _, f := range in.fifo {
			if f.p == in.packet {
				n++
			}
		}
	}
	return int32(n)
}
