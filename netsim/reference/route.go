package reference

import (
	"contend/router"
	"contend/router/topology"
)

// Rule 5 of the reference model: what routing is asked and what it sees.

// route asks routing which channels the header at the head of FIFO i, which asks at
// router n, may take, unless that is known.
func (r *Model) route(n topology.Router, i router.Channel) {
	v := &r.vcs[i]
	if v.offered != nil {
		return
	}
	before := v.known.header
	v.offered = r.x.Route(nil, n, i, &v.known.header, view{r})
	if _, ok := r.x.(router.Branching); ok {
		before = v.known.header
	}
	v.wants = v.offered
	if x, ok := r.x.(router.Escaping); ok {
		v.wants = x.Escape(nil, n, i, &before)
	}
}

// view is what a header sees of its router, or a routing with the trait SeesAll of any, at the
// end of the cycle before.
type view struct{ r *Model }

// Free implements router.View.
func (v view) Free(o router.Channel) bool { return v.r.free(o) }

// Credits implements router.View.
func (v view) Credits(o router.Channel) int32 {
	if v.r.w.Kind(v.r.w.LinkOf(o)) == router.Ejection {
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
			v.r.w.Kind(v.r.w.LinkOf(i)) == router.Ejection || in.known == nil {
			continue
		}
		q, waits := v.r.asks(i)
		waits = waits && q < v.r.now && in.offered[0] == o
		if in.granted != o && !waits {
			continue
		}
		for _, f := range in.fifo {
			if f.p == in.known {
				n++
			}
		}
	}
	return int32(n)
}
