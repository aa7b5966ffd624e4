package netsim

import (
	"math"
	"testing"

	"contend/internal/must"
)

// The share that a credit loop allows is what a stream over one link gets, and Enough is the least
// size of buffers that holds nothing up.
func TestCreditLoopIsWhatAStreamGets(t *testing.T) {
	for _, k := range []struct{ buffer, link, credit, flit int }{
		{2, 100, 100, 1}, {2, 30, 2, 3}, {8, 3, 2, 1}, {1, 2, 1, 1}, {2, 1, 1, 1},
	} {
		c := Default(cube(t, false, 2))
		c.PacketFlits, c.BufferFlits, c.LinkCycles, c.CreditCycles = 1<<20, k.buffer, k.link, k.credit
		c.FlitCycles = k.flit
		loop := must.Have(c.CreditLoop())
		stream := func(c Config) float64 { // flits in the time that the link takes for one
			const flits = 1 << 12
			return float64(flits*c.FlitCycles) / float64(c.ZeroLoadLatency(1, flits))
		}
		if got := stream(c); math.Abs(got/loop.Share-1) > 0.1 {
			t.Errorf("%+v: a stream gets %.4f of the bandwidth, want %.4f", k, got, loop.Share)
		}
		c.BufferFlits = loop.Enough
		if got := stream(c); got < 0.9 {
			t.Errorf("%+v: with buffers of %d flits a stream gets %.4f", k, loop.Enough, got)
		}
		if c.BufferFlits--; c.BufferFlits > 0 {
			if loop, _ := c.CreditLoop(); loop.Share == 1 {
				t.Errorf("%+v: buffers of %d flits hold nothing up either", k, c.BufferFlits)
			}
		}
	}
}

// Buffers hold nothing up from the loop on, in flits: 32 cycles of 3 a flit are more than 10 of them.
func TestEnoughOfACreditLoopByHand(t *testing.T) {
	for _, k := range []struct{ link, credit, flit, enough int }{
		{1, 1, 1, 2}, {100, 100, 1, 200}, {30, 2, 3, 11}, {30, 3, 3, 11}, {30, 4, 3, 12}, {2, 1, 5, 1},
	} {
		c := Default(cube(t, false, 2))
		c.LinkCycles, c.CreditCycles, c.FlitCycles = k.link, k.credit, k.flit
		if loop := must.Have(c.CreditLoop()); loop.Enough != k.enough {
			t.Errorf("%+v: %d flits are enough", k, loop.Enough)
		}
	}
}
