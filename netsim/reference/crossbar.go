package reference

import (
	"cmp"

	"contend/router"
)

// Rule 1b of the reference model: switch allocation.

// refInput is an input port of a router: a physical channel that ends at it, or one of S ports that
// have its virtual channels in turn if they are matched with outputs.
type refInput struct {
	pointer int     // virtual channel at which the search for nominees begins
	last    int     // output that it was matched with last
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

// inputArbitration returns the input virtual channels that are nominated in this cycle, or those
// that send where ports are matched.
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
	r.vain = map[router.Channel]bool{}
	for _, i := range r.speculating {
		if !could[i] && r.links[r.output(i)].nextSend <= r.now {
			could[i], r.vain[i] = true, true
		}
	}
	if r.c.HeadersYield {
		could = r.withoutYieldingHeads(could)
	}
	if r.c.SwitchAllocator != router.InputFirst {
		chosen := r.matchPorts(could)
		for i := range r.vain {
			r.vain[i] = chosen[i]
			delete(chosen, i)
		}
		return chosen
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

// matchPorts returns the input virtual channels that send in this cycle if outputs offer themselves
// to input ports round-robin, and these accept one of the offers round-robin, or with
// SeparableInputFirst the other way about.
func (r *Model) matchPorts(could map[router.Channel]bool) map[router.Channel]bool {
	n, ports := r.w.Links(), len(r.inputs)
	output := r.output
	portTurn := func(i router.Channel) int {
		return (r.port(i) - r.links[output(i)].last - 1 + ports) % ports
	}
	outputTurn := func(i router.Channel) int {
		return (int(output(i)) - r.inputs[r.port(i)].last - 1 + n) % n
	}
	vcTurn := func(i router.Channel) int {
		v := r.vcsOf(r.w.LinkOf(i))
		return (int(i-r.w.First(r.w.LinkOf(i))) - r.inputs[r.port(i)].pointer + v) % v
	}
	late := func(i router.Channel) int {
		yields := r.c.HeadersYield && r.c.VirtualChannels > 1 && r.c.SwitchAllocator != router.ISLIP
		if yields && r.yields(i) {
			return 1
		}
		return 0
	}
	offerer := func(i router.Channel) int { return int(output(i)) }
	accepter, offerTurn, acceptTurn := r.port, portTurn, outputTurn
	if r.c.SwitchAllocator == router.SeparableInputFirst {
		offerer, accepter, offerTurn, acceptTurn = accepter, offerer, outputTurn, portTurn
	}
	offers, accepted := map[int]router.Channel{}, map[int]router.Channel{}
	for i := range could {
		if r.limited(i) && r.budget(i) == 0 {
			continue
		}
		best, has := offers[offerer(i)]
		if !has || cmp.Or(cmp.Compare(late(i), late(best)), cmp.Compare(offerTurn(i), offerTurn(best)),
			cmp.Compare(vcTurn(i), vcTurn(best))) < 0 {
			offers[offerer(i)] = i
		}
	}
	for _, i := range offers {
		best, has := accepted[accepter(i)]
		if !has || cmp.Or(cmp.Compare(late(i), late(best)),
			cmp.Compare(acceptTurn(i), acceptTurn(best))) < 0 {
			accepted[accepter(i)] = i
		}
	}
	chosen := map[router.Channel]bool{}
	for _, i := range accepted {
		chosen[i] = true
	}
	for i := range chosen {
		r.links[output(i)].last, r.inputs[r.port(i)].last = r.port(i), int(output(i))
	}
	return chosen
}

// output returns the link that the head or packet at the front of FIFO i requests.
func (r *Model) output(i router.Channel) router.Link {
	if o := r.vcs[i].outputVC; o >= 0 {
		return r.w.LinkOf(o)
	}
	return r.w.LinkOf(r.vcs[i].offered[0])
}

// yields reports whether the flit at the front of FIFO i is a head that may yield to others: where
// heads are speculative only one that has no channel or was granted one in this cycle.
func (r *Model) yields(i router.Channel) bool {
	v := &r.vcs[i]
	return v.fifo[0].index == 0 && (!r.speculative() || v.outputVC < 0 || v.mayBeSent == r.now)
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
		if i := first + router.Channel(v); (sent[i] || r.vain[i]) && v%r.portsPerLink == p {
			if sent[i] {
				in.sent = append(in.sent, r.now)
			}
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
				r.output(i) == r.output(j)
			if together && r.yields(i) && !r.yields(j) {
				delete(out, i)
			}
		}
	}
	return out
}
