package reference

import (
	"cmp"
	"slices"

	"contend/router"
)

// Rule 1b of the reference model: switch allocation.

// refInput is an input port of a router: a physical channel that ends at it, or with ISLIP one of S
// ports that have its virtual channels in turn.
type refInput struct {
	pointer int     // virtual channel at which the search for nominees begins
	last    int     // output that it accepted last, of ISLIP
	sent    []Cycle // when it sent flits, in order
}

// limited reports whether rule 1b limits what virtual channel i's port sends.
func (r *Model) limited(i router.Channel) bool {
	return r.c.InputSpeedup > 0 && r.vcsOf(r.w.LinkOf(i)) > 1
}

// port returns the number of the input port that sends from virtual channel i.
func (r *Model) port(i router.Channel) int {
	l := r.w.LinkOf(i)
	return int(l)*r.portsPerLink + int(i-r.w.First(l))%r.portsPerLink
}

// inputArbitration returns the input virtual channels that are nominated in this cycle, or with
// ISLIP those that send.
func (r *Model) inputArbitration() map[router.Channel]bool {
	could := map[router.Channel]bool{}
	for o := range router.Channel(len(r.vcs)) {
		l := r.w.LinkOf(o)
		if r.w.Kind(l) == router.Injection || r.links[l].nextSend > r.now {
			continue
		}
		if i, ok := r.sendable(o); ok {
			could[i] = true
		}
	}
	if r.c.HeadersYield {
		could = r.withoutYieldingHeads(could)
	}
	if r.c.SwitchAllocator == router.ISLIP {
		return r.islip(could)
	}
	chosen := map[router.Channel]bool{}
	for i := range could {
		if !r.limited(i) {
			chosen[i] = true
		}
	}
	for l := range router.Link(r.w.Links()) {
		first, n := r.w.First(l), r.vcsOf(l)
		if !r.limited(first) {
			continue
		}
		in, left := &r.inputs[l], r.budget(first)
		for k := 0; k < n && left > 0; k++ {
			if i := first + router.Channel((in.pointer+k)%n); could[i] {
				chosen[i] = true
				left--
			}
		}
	}
	return chosen
}

// islip returns the input virtual channels that send in this cycle if outputs offer themselves to
// input ports round-robin, and these accept one of the offers round-robin.
func (r *Model) islip(could map[router.Channel]bool) map[router.Channel]bool {
	n, ports := r.w.Links(), len(r.inputs)
	offers := map[int][]router.Channel{} // of each input port
	for o := range n {
		best, turns := router.Channel(-1), 0
		for i := range could {
			l, in := r.w.LinkOf(i), r.port(i)
			if r.w.LinkOf(r.vcs[i].outputVC) != router.Link(o) ||
				r.limited(i) && r.budget(i) == 0 {
				continue
			}
			// In turn input ports, and of a port its virtual channels.
			port := (in - r.links[o].last - 1 + ports) % ports
			v := r.vcsOf(l)
			t := port*r.c.VirtualChannels + (int(i-r.w.First(l))-r.inputs[in].pointer+v)%v
			if best < 0 || t < turns {
				best, turns = i, t
			}
		}
		if best >= 0 {
			offers[r.port(best)] = append(offers[r.port(best)], best)
		}
	}
	chosen := map[router.Channel]bool{}
	for in, list := range offers {
		turns := func(i router.Channel) int {
			return (int(r.w.LinkOf(r.vcs[i].outputVC)) - r.inputs[in].last - 1 + n) % n
		}
		i := slices.MinFunc(list, func(a, b router.Channel) int {
			return cmp.Compare(turns(a), turns(b))
		})
		o := r.w.LinkOf(r.vcs[i].outputVC)
		chosen[i], r.links[o].last, r.inputs[in].last = true, in, int(o)
	}
	return chosen
}

// budget returns the number of flits that the input port of virtual channel i may send now.
func (r *Model) budget(i router.Channel) int {
	left := r.c.InputSpeedup / r.portsPerLink
	for _, t := range r.inputs[r.port(i)].sent {
		if t > r.now-r.flitTime(i) {
			left--
		}
	}
	return left
}

// advancePointers moves the pointers of the input ports past the last of the virtual channels that
// have sent in this cycle.
func (r *Model) advancePointers(sent map[router.Channel]bool) {
	for l := range router.Link(r.w.Links()) {
		first, n := r.w.First(l), r.vcsOf(l)
		for p := range min(n, r.portsPerLink) {
			if r.limited(first) {
				r.advancePointer(&r.inputs[r.port(first+router.Channel(p))], first, n, p, sent)
			}
		}
	}
}

// advancePointer is advancePointers for the p-th port of a link with n virtual channels.
func (r *Model) advancePointer(in *refInput, first router.Channel, n, p int,
	sent map[router.Channel]bool) {
	next := -1
	for k := range n {
		v := (in.pointer + k) % n
		if i := first + router.Channel(v); sent[i] && v%r.portsPerLink == p {
			in.sent = append(in.sent, r.now)
			next = (v + 1) % n
		}
	}
	if next >= 0 {
		in.pointer = next
	}
}

// withoutYieldingHeads removes the heads for whose output another virtual channel of the same port
// may send a body or tail flit.
func (r *Model) withoutYieldingHeads(could map[router.Channel]bool) map[router.Channel]bool {
	out := map[router.Channel]bool{}
	for i := range could {
		out[i] = true
		for j := range could {
			together := r.limited(i) && r.port(i) == r.port(j) &&
				r.w.LinkOf(r.vcs[i].outputVC) == r.w.LinkOf(r.vcs[j].outputVC)
			if together && r.vcs[i].fifo[0].index == 0 && r.vcs[j].fifo[0].index > 0 {
				delete(out, i)
			}
		}
	}
	return out
}
