package netsim

import (
	"slices"

	"contend/router"
)

// ZeroLoadLatencyOver returns what ZeroLoadLatency does for a packet whose way is known, the
// injection channel first and the ejection channel last, and may lead over links that differ.
//
// With D(k), F(k) and C(k) those of its link k = 0 .. H+1 and n = L-1 flits behind the header,
// the latency is the sum of all D(k) and the greatest value, over 0 <= i <= k <= H+1 with
// (k-i)·B <= n, of
//
//	k·R + sum of C(m)+D(m) over i <= m < k + floor(r/B)·max(B·f, g) + (r mod B)·f
//
// r being n - (k-i)·B, f the greatest F(m) over m >= i and g the greatest C(m)+D(m) over
// i <= m <= H. It is the longest path in the rules: the header goes ahead to link k; from there
// places given back lead back to link i, B flits a link, each link once more ahead; what
// flits are left pass one after the other on the slowest link, or B at a time on the one
// whose places come back latest. No other path is longer, since each of its steps adds one
// flit at no more than f, or B flits at no more than g.
//
// It is exact unless PacedByInputs.
//
// With store-and-forward switching a router passes on what it has in full: R or n·F(k),
// whichever is more, for each link but the last, and n·F(H+1).
func (c Config) ZeroLoadLatencyOver(way []router.LinkTiming, flits int) Cycle {
	sum, n, last := Cycle(0), Cycle(flits-1), len(way)-1
	for _, l := range way {
		sum += Cycle(l.Delay)
	}
	if c.Switching == router.StoreAndForward {
		for _, l := range way[:last] {
			sum += max(Cycle(c.RoutingCycles), n*Cycle(l.Flit))
		}
		return sum + n*Cycle(way[last].Flit)
	}
	longest, slowest, loop := Cycle(0), Cycle(0), Cycle(0)
	for i := last; i >= 0; i-- {
		slowest = max(slowest, Cycle(way[i].Flit))
		if i < last {
			loop = max(loop, Cycle(way[i].Credit+way[i].Delay))
		}
		longest = max(longest, c.behind(way[i:], i, n, slowest, loop))
	}
	return sum + longest
}

// PacedByInputs reports whether an input port may hold up a packet that is alone: one that ends
// a link slower than the next one, of several virtual channels, and with a limit
// (InputSpeedup). It sends what has gathered in its buffer no faster than its own link does.
func (c *Config) PacedByInputs(way []router.LinkTiming) bool {
	return c.VirtualChannels > 1 && c.InputSpeedup > 0 &&
		slices.ContainsFunc(way, func(l router.LinkTiming) bool { return l.Flit != way[0].Flit })
}

// behind returns the greatest value of ZeroLoadLatencyOver for one i, of n flits behind the
// header.
func (c *Config) behind(way []router.LinkTiming, i int, n, slowest, loop Cycle) (longest Cycle) {
	b, crossed := Cycle(c.BufferFlits), Cycle(0)
	for k := 0; k < len(way) && n >= 0; k++ {
		longest = max(longest, Cycle(i+k)*Cycle(c.RoutingCycles)+crossed+
			n/b*max(b*slowest, loop)+n%b*slowest)
		crossed += Cycle(way[k].Credit + way[k].Delay)
		n -= b
	}
	return longest
}
