package router

import (
	"fmt"
	"strings"
)

// StuckError reports that no flit can ever move again: the packets of a cycle of channels wait for
// each other.
type StuckError struct {
	Cycle    int64     // cycle after which nothing can move
	Channels []Channel // the cycle, in the order of waiting; empty if none was found
	Packets  []Packet  // Packets[i] is at the head of Channels[i] and waits for Channels[i+1]
	text     string
}

// Error names the packets of the cycle and the channels for which they wait.
func (e *StuckError) Error() string { return e.text }

// stuck finds a cycle of packets that wait for each other.
func (b *Routers) stuck() error {
	for c := range b.vcs {
		if s := b.fifo(Channel(c)).state; s != waitingVC && s != active {
			continue
		}
		at := map[Channel]int{}
		var chain []Channel
		for c := Channel(c); ; {
			if i, again := at[c]; again {
				return b.stuckError(chain[i:])
			}
			at[c] = len(chain)
			chain = append(chain, c)
			next, ok := b.waitsFor(c)
			if !ok {
				break
			}
			c = next
		}
	}
	return b.stuckError(nil)
}

// waitsFor returns the VC for which the packet at the front of FIFO c waits: one that is held, or
// that has no credits.
func (b *Routers) waitsFor(c Channel) (Channel, bool) {
	k := b.fifo(c)
	return Channel(k.outputVC), k.state == waitingVC || k.state == active
}

// stuckError returns the error for a cycle of channels, empty if none was found.
func (b *Routers) stuckError(cycle []Channel) error {
	e := &StuckError{Cycle: b.now, Channels: cycle}
	var s strings.Builder
	fmt.Fprintf(&s, "the network is stuck in cycle %d with %d packets in it: no flit can ever move "+
		"again", b.now, b.packetsInFlight())
	for i, c := range cycle {
		id := b.fifo(c).packet
		b.engine.updatePacket(id)
		p := b.packets[id]
		e.Packets = append(e.Packets, p)
		fmt.Fprintf(&s, "\n  packet %d, node %d to %d, in the FIFO of %s, waits for %s",
			b.notes[id].number, p.From, p.To, b.w.Describe(c), b.w.Describe(cycle[(i+1)%len(cycle)]))
	}
	e.text = s.String()
	return e
}
