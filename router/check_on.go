//go:build invariants

package router

import "fmt"

// check panics if the state of the routers breaks an invariant. It looks at
// everything, so it is compiled in only with the tag invariants.
func (b *Routers) check() {
	inNetwork := map[int32]int32{} // flits in FIFOs, by packet
	for c := range b.vcs {
		b.checkHold(Channel(c))
		if b.channels == nil {
			continue // it knows of no flits
		}
		b.checkAble(Channel(c))
		ch, k := &b.channels[c], &b.vcs[c]
		if ch.sink() {
			b.require(ch.count == 0 && ch.packet == source && ch.out == none, c,
				"an ejection channel stores flits")
			continue
		}
		b.require(ch.packet == k.packet && (k.state == active) == (ch.out != none), c,
			"its two halves differ: packet %d and %d", ch.packet, k.packet)
		b.require(ch.count >= 0 && int32(ch.count) <= b.timing.Buffer, c, "%d flits in a FIFO of %d",
			ch.count, b.timing.Buffer)
		b.require((ch.count == 0) == (k.state == idle) || k.state == active, c, "state %d with %d flits",
			k.state, ch.count)
		b.checkFIFO(Channel(c), inNetwork)
	}
	if b.channels != nil {
		b.checkConservation(inNetwork)
	}
}

// checkFIFO: flits follow each other, in time and packet by packet. Whose a flit is
// is noted at headers.
func (b *Routers) checkFIFO(c Channel, inNetwork map[int32]int32) {
	ch, size := &b.channels[c], b.timing.Buffer
	packet, left, before := ch.packet, max(ch.left, -ch.left), -never
	b.require(ch.count == 0 || left > 0, int(c), "more flits than packet %d has", packet)
	for k := range int32(ch.count) {
		if left == 0 {
			packet = b.notes[packet].after
			left = b.packets[packet].Length
		}
		inNetwork[packet]++
		left--
		if b.times == nil {
			continue
		}
		t := b.times[int32(c)*size+(int32(ch.head)+k)%size]
		b.require(t >= before+b.flitTime(c), int(c), "flits arrive at %d and %d", before, t)
		before = t
	}
	b.require(packet == none || packet == ch.last || left == 0 && ch.count == 0, int(c),
		"the last flit in the FIFO is of packet %d, not %d", packet, ch.last)
}

// checkHold: a held channel is held by exactly one packet, which knows it.
func (b *Routers) checkHold(c Channel) {
	k := &b.vcs[c]
	if k.holder >= 0 {
		in := &b.vcs[k.holder]
		b.require(in.want == int32(c) && in.state == active, int(c), "held by %d, which does not know",
			k.holder)
	}
	if k.state == active {
		b.require(b.vcs[k.want].holder == int32(c), int(c), "holds %d, which does not know", k.want)
	}
	if b.channels != nil && k.marks&fromNode == 0 {
		b.require(k.holder == b.channels[c].holder, int(c), "its two halves are held by %d and %d",
			k.holder, b.channels[c].holder)
	}
}

// checkAble: the channels that could send, now or later, are known.
func (b *Routers) checkAble(o Channel) {
	k := &b.channels[o]
	if b.crossbar == nil && b.switches == nil || k.holder == source {
		return
	}
	able := k.holder >= 0 && b.channels[k.holder].count > 0 && int32(k.count) < b.timing.Buffer
	bit := uint64(0)
	if b.crossbar != nil {
		lead := b.lead(o)
		bit = b.crossbar.able[lead] >> (o - lead) & 1
	} else {
		if k.holder < 0 {
			return
		}
		if b.switches.may(b.switches.slot(Channel(k.holder))) {
			bit = 1
		}
		if !b.switches.prompt {
			able = able && bit == 1 // it may be looked at later
		}
	}
	b.require(able == (bit == 1), int(o), "that it can send is %v, and is known as %v", able, bit == 1)
}

// may reports whether a FIFO may send.
func (x *narrowSwitch) may(s int32) bool {
	w := &x.in[s>>6]
	return w.flit&w.room>>(s&63)&1 == 1
}

// checkConservation: every flit injected is in a FIFO or was ejected.
func (b *Routers) checkConservation(inNetwork map[int32]int32) {
	injected := map[int32]int32{}
	for i := range b.injecting {
		if cur := &b.injecting[i]; cur.packet != none {
			injected[cur.packet] = cur.gone
		}
	}
	ejected := map[int32]int32{}
	for c := range b.channels {
		if ch := &b.channels[c]; ch.out != none && b.channels[ch.out].sink() {
			ejected[ch.packet] = b.packets[ch.packet].Length - max(ch.left, -ch.left)
		}
	}
	for p, n := range inNetwork {
		want := b.packets[p].Length
		if k, busy := injected[p]; busy {
			want = k
		}
		if want != n+ejected[p] {
			panic(fmt.Sprintf("router: cycle %d: packet %d: %d flits injected, %d in FIFOs, %d ejected",
				b.now, p, want, n, ejected[p]))
		}
	}
}

func (b *Routers) require(ok bool, c int, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf("router: cycle %d: channel %s: ", b.now,
			b.w.Describe(Channel(c))) + fmt.Sprintf(format, args...))
	}
}
