//go:build invariants

package router

import "fmt"

// check panics if the state of the bank breaks an invariant. It looks at
// everything, so it is compiled in only with the tag invariants.
func (b *Bank) check() {
	inNetwork := map[int32]int32{} // flits in FIFOs, by packet
	for c := range b.channels {
		ch := &b.channels[c]
		b.checkHold(Channel(c))
		if b.closed != nil {
			continue // it knows of no flits
		}
		if ch.sink {
			b.require(ch.count == 0, c, "an ejection channel stores flits")
			continue
		}
		b.require(ch.count >= 0 && int32(ch.count) <= b.timing.Buffer, c, "%d flits in a FIFO of %d", ch.count, b.timing.Buffer)
		b.require((ch.count == 0) == (ch.state == empty) || ch.state == granted, c, "state %d with %d flits", ch.state, ch.count)
		before := flit{packet: none}
		for k := range int32(ch.count) {
			f := b.fifos[int32(c)*b.timing.Buffer+(int32(ch.head)+k)%b.timing.Buffer]
			inNetwork[f.packet]++
			b.require(k == 0 || f.time >= before.time+b.timing.Flit, c, "flits arrive at %d and %d", before.time, f.time)
			switch {
			case k == 0:
				b.require(ch.packet == f.packet && ch.gone == f.index, c, "head of the FIFO is flit %d of %d, not %d of %d", f.index, f.packet, ch.gone, ch.packet)
			case f.packet == before.packet:
				b.require(f.index == before.index+1, c, "flit %d behind %d", f.index, before.index)
			default:
				b.require(f.index == 0 && before.index == b.packets[before.packet].Length-1, c, "packets are mixed")
			}
			before = f
		}
	}
	if b.closed == nil {
		b.checkConservation(inNetwork)
	}
}

// checkHold: a held channel is held by exactly one packet, which knows it.
func (b *Bank) checkHold(c Channel) {
	ch := &b.channels[c]
	if ch.holder >= 0 {
		in := &b.channels[ch.holder]
		b.require(in.out == int32(c) && in.state == granted, int(c), "held by %d, which does not know", ch.holder)
	}
	if ch.state == granted {
		b.require(b.channels[ch.out].holder == int32(c), int(c), "holds %d, which does not know", ch.out)
	}
}

// checkConservation: every flit injected is in a FIFO or was ejected.
func (b *Bank) checkConservation(inNetwork map[int32]int32) {
	injected := map[int32]int32{}
	for _, cur := range b.injecting {
		if cur.packet != none {
			injected[cur.packet] = cur.gone
		}
	}
	ejected := map[int32]int32{}
	for c := range b.channels {
		if ch := &b.channels[c]; ch.state == granted && b.channels[ch.out].sink {
			ejected[ch.packet] = ch.gone
		}
	}
	for p, n := range inNetwork {
		want := b.packets[p].Length
		if k, busy := injected[p]; busy {
			want = k
		}
		if want != n+ejected[p] {
			panic(fmt.Sprintf("router: cycle %d: packet %d: %d flits injected, %d in FIFOs, %d ejected", b.now, p, want, n, ejected[p]))
		}
	}
}

func (b *Bank) require(ok bool, c int, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf("router: cycle %d: channel %s: ", b.now, b.w.Describe(Channel(c))) + fmt.Sprintf(format, args...))
	}
}
