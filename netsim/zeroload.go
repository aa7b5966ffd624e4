package netsim

import (
	"slices"

	"contend/router"
)

// ZeroLoadLatency returns the cycles from the creation of a packet of some flits to its delivery in
// an empty network, over a path of hops network channels. It is exact for every setting in which
// all links have LinkCycles, FlitCycles and CreditCycles:
//
//	(H+2)·D + (H+1)·R + floor((L-1)/B)·max(B·F, D+C) + ((L-1) mod B)·F
//
// A FIFO of B flits lets B flits follow each other every F cycles. Then the sender waits for the
// first place to come back, if that takes longer. With store-and-forward switching a packet pays
// for its length at every router.
func (c Config) ZeroLoadLatency(hops, flits int) Cycle {
	d, r, f := Cycle(c.LinkCycles), Cycle(c.RoutingCycles), Cycle(c.FlitCycles)
	h, rest, b := Cycle(hops), Cycle(flits-1), Cycle(c.BufferFlits)
	if c.Switching == router.StoreAndForward {
		return (h+2)*d + rest*f + (h+1)*max(r, rest*f)
	}
	return (h+2)*d + (h+1)*r + rest/b*max(b*f, d+Cycle(c.CreditCycles)) + rest%b*f
}

// ZeroLoadLatencyOver returns the cycles from the creation of a packet of some flits to its
// delivery in an empty network. path has the links of the packet, the injection channel first and
// the ejection channel last; they may differ.
//
// With D(k), F(k) and C(k) those of its link k = 0 .. H+1 and n = L-1 flits behind the head,
// the latency is the sum of all D(k) and the greatest value, over 0 <= i <= k <= H+1 with
// (k-i)·B <= n, of
//
//	k·R + sum of C(m)+D(m) over i <= m < k + floor(r/B)·max(B·f, g) + (r mod B)·f
//
// r being n - (k-i)·B, f the greatest F(m) over m >= i and g the greatest C(m)+D(m) over i <= m <=
// H, with EjectionCreditCycles H+1; then there is a k = H+2 too, as if the packet went on at its
// node, with k·R as for H+1. It is the longest path in the rules: the head goes ahead to link k;
// from there credits lead back to link i, B flits a link, each link once more ahead; the remaining
// flits pass one after the other on the slowest link, or B at a time on the one whose credits
// return latest. No other path is longer, since each of its steps adds one flit at no more than f,
// or B flits at no more than g.
//
// It is exact unless PacedByInputs.
//
// With store-and-forward switching a router passes on what it has in full: R or n·F(k),
// whichever is more, for each link but the last, and n·F(H+1).
func (c Config) ZeroLoadLatencyOver(path []router.LinkTiming, flits int) Cycle {
	sum, n, last := Cycle(0), Cycle(flits-1), len(path)-1
	for _, l := range path {
		sum += Cycle(l.Delay)
	}
	if c.Switching == router.StoreAndForward {
		for _, l := range path[:last] {
			sum += max(Cycle(c.RoutingCycles), n*Cycle(l.Flit))
		}
		return sum + n*Cycle(path[last].Flit)
	}
	longest, slowest, loop := Cycle(0), Cycle(0), Cycle(0)
	for i := last; i >= 0; i-- {
		slowest = max(slowest, Cycle(path[i].Flit))
		if i < last || c.EjectionCreditCycles > 0 {
			loop = max(loop, Cycle(path[i].Credit+path[i].Delay))
		}
		longest = max(longest, c.behind(path[i:], i, n, slowest, loop))
	}
	return sum + longest
}

// PacedByInputs reports whether an input port may delay a packet that is alone: a port at the end
// of a link slower than the next one, with several virtual channels and a limit (InputSpeedup). It
// sends the flits in its buffer no faster than its link does.
func (c *Config) PacedByInputs(path []router.LinkTiming) bool {
	return c.VirtualChannels > 1 && c.InputSpeedup > 0 &&
		slices.ContainsFunc(path, func(l router.LinkTiming) bool { return l.Flit != path[0].Flit })
}

// behind returns the maximum of ZeroLoadLatencyOver for one i, of n flits behind the head.
func (c *Config) behind(path []router.LinkTiming, i int, n, slowest, loop Cycle) (longest Cycle) {
	b, crossed, last := Cycle(c.BufferFlits), Cycle(0), len(path)-1
	for k := 0; k <= last+1 && n >= 0; k++ {
		if k > last && c.EjectionCreditCycles == 0 {
			break
		}
		longest = max(longest, Cycle(i+min(k, last))*Cycle(c.RoutingCycles)+crossed+
			n/b*max(b*slowest, loop)+n%b*slowest)
		crossed += Cycle(path[min(k, last)].Credit + path[min(k, last)].Delay)
		n -= b
	}
	return longest
}
