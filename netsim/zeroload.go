package netsim

import (
	"slices"

	"contend/router"
	"contend/router/topology"
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
// With PacketsHoldLinks a head is sent max(R, n·(F(k)-F(k+1))) after it arrives over link k, and the
// tail arrives over the last link n·F(H+1) after its head.
//
// With store-and-forward switching a router passes on what it has in full: R or n·F(k),
// whichever is more, for each link but the last, and n·F(H+1).
func (c Config) ZeroLoadLatencyOver(path []router.LinkTiming, flits int) Cycle {
	sum, n, last := Cycle(0), Cycle(flits-1), len(path)-1
	for _, l := range path {
		sum += Cycle(l.Delay)
	}
	switch {
	case c.Switching == router.StoreAndForward:
		for _, l := range path[:last] {
			sum += max(Cycle(c.RoutingCycles), n*Cycle(l.Flit))
		}
		return sum + n*Cycle(path[last].Flit)
	case c.PacketsHoldLinks:
		for k, l := range path[:last] {
			sum += max(Cycle(c.RoutingCycles), n*Cycle(l.Flit-path[k+1].Flit))
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
	return c.VirtualChannels > 1 && c.InputSpeedup > 0 && !c.PacketsHoldLinks &&
		slices.ContainsFunc(path, func(l router.LinkTiming) bool { return l.Flit != path[0].Flit })
}

// behind returns the maximum over k in the formula of ZeroLoadLatencyOver for one i, with n flits
// behind the head.
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

// pathScratch is the scratch of UncontendedPath, which is called for each packet.
type pathScratch struct {
	timings []router.LinkTiming // by link
	links   []router.Link
	delays  []router.LinkTiming // of links
}

// SolePath returns the delays of the links from one node to another. It reports false if the
// routing offers packets a choice of links.
func (n *Network) SolePath(from, to topology.Node) (timings []router.LinkTiming, sole bool) {
	links, sole := router.SolePath(n.wiring, n.routing, from, to)
	return n.timesOf(links), sole
}

// UncontendedPath returns the delays of the links of a packet that is alone on the network. h has
// its source, destination, number and flow. The result is valid until the next call.
func (n *Network) UncontendedPath(h router.Header) []router.LinkTiming {
	x := &n.path
	if x.timings == nil {
		x.timings = n.LinkTimings()
	}
	x.delays = x.delays[:0]
	for _, l := range n.UncontendedLinks(h) {
		x.delays = append(x.delays, x.timings[l])
	}
	return x.delays
}

// DrawsPaths reports whether UncontendedPath depends on the packet.
func (n *Network) DrawsPaths() bool { return n.config.drawsPaths() }

// UncontendedLinks returns the links of UncontendedPath. They are valid until the next call of
// either.
func (n *Network) UncontendedLinks(h router.Header) []router.Link {
	x := &n.path
	x.links = router.UncontendedPath(x.links[:0], n.wiring, n.routing, h, int32(n.config.BufferFlits))
	return x.links
}

// timesOf returns the delays of links.
func (n *Network) timesOf(links []router.Link) (timings []router.LinkTiming) {
	for _, l := range links {
		timings = append(timings, n.config.timingOf(n.wiring, l))
	}
	return timings
}

// LinkShare is the maximum share of its bandwidth that a link can carry, whatever the traffic. The
// buffers at its far end, and the router that empties them, limit it.
//
// A buffer takes packets of L flits one after another. Let A(i) be the cycle in which flit i of a
// virtual channel is sent on the link, and B(i) that in which it leaves the far buffer. Rules 1 to
// 4 say, with F' the least flit time of all links:
//
//	A(i) >= A(i-1) + F                    the link
//	B(i) >= A(i) + D, of a head + R       arrival and routing
//	B(i) >= B(i-1) + F', of a head 1 + R  the router begins to route a head behind the last tail
//	A(i) >= B(i-N) + C                    a place in the buffer of N flits
//
// The cycles that m packets take are at least the sum along any path through these inequalities
// that leads mL flits on: along one row of them, or over n places of the buffer, where each step of
// N flits costs D + C and the other mL - nN flits F each. So a packet takes at least the greatest
// of
//
//	L·F,  (L-1)·F' + 1 + R  and  (R + n·(D+C) + (mL-nN)·F) / m  for each m and n with nN <= mL.
//
// The first is the link's own time, the second that of routing, the third that of the buffer.
// Virtual cut-through and store-and-forward wait for whole packets too, see wholePackets. There
// several virtual channels, which take turns on the link, may carry less.
type LinkShare struct {
	// Kind is the kind of the link with the lowest share.
	Kind router.Kind
	// Link, Flit and Credit are D, F and C of the link, Channels its virtual channels.
	Link, Flit, Credit, Channels int
	// Packet is L: the flits of a full packet, or of a message where all are shorter.
	Packet int
	// Cycles is the minimum time in which a virtual channel carries a packet.
	Cycles float64
	// Share is the share of the link's bandwidth that its virtual channels carry together, at most 1.
	Share float64
	// Best is Share with unlimited buffers, and Buffer is a value of BufferFlits with which Share is
	// Best.
	Best   float64
	Buffer int
	// Enough is the number of virtual channels with which Share is 1.
	Enough int
	// RoundTrip is the maximum of D + C over all links that end at a router, in flits, rounded up. A
	// virtual channel alone keeps these links busy only if its buffer has at least as many places.
	RoundTrip int
}

// LinkShare returns the lowest share of all links that end at a router, with its link. Of links
// with equal shares it takes the first one between routers.
func (c Config) LinkShare() (worst LinkShare, err error) {
	if err := c.resolve(); err != nil {
		return worst, err
	}
	w := router.NewNodeWiring(c.Topology, c.VirtualChannels, c.NodeVirtualChannels, c.InjectionPorts)
	timings := c.LinkTimings(w)
	fastest := timings[0].Flit
	for _, t := range timings {
		fastest = min(fastest, t.Flit)
	}
	seen, trip := map[LinkShare]bool{}, 0
	for l, t := range timings {
		k := LinkShare{Kind: w.Kind(router.Link(l)), Link: int(t.Delay), Flit: int(t.Flit),
			Credit: int(t.Credit), Channels: int(w.Width(router.Link(l))), Packet: c.PacketFlits}
		if k.Kind == router.Ejection || seen[k] {
			continue // nodes always take a flit
		}
		seen[k] = true
		trip = max(trip, (k.Link+k.Credit+k.Flit-1)/k.Flit)
		k.compute(&c, int(fastest))
		if worst.Packet == 0 || k.Share < worst.Share ||
			k.Share == worst.Share && k.Kind == router.Network && worst.Kind != router.Network {
			worst = k
		}
	}
	worst.RoundTrip = trip
	return worst, nil
}

// compute sets all fields that follow from the times of the link. fastest is the minimum flit time
// of all links.
func (k *LinkShare) compute(c *Config, fastest int) {
	if c.MessageFlits > 0 {
		k.Packet = min(k.Packet, c.MessageFlits)
	}
	length, loop, routing := k.Packet, k.Link+k.Credit, c.RoutingCycles
	link := length * k.Flit
	deepest := float64(max(link, (length-1)*fastest+1+routing))
	k.Cycles = max(deepest, k.buffered(routing, c.BufferFlits), k.wholePackets(c, fastest))
	share := func(cycles float64) float64 { return min(1, float64(k.Channels*link)/cycles) }
	k.Share, k.Best = share(k.Cycles), share(deepest)
	k.Enough = int((k.Cycles + float64(link) - 1) / float64(link))

	// One step over the buffer: R + D + C + (mL-N)·F <= m·deepest. Or, where several virtual
	// channels carry all of the link together, as n/m is at most L/N: R + L·(D+C)/N <= V·L·F.
	k.Buffer = (loop + routing - (int(deepest) - link) + k.Flit - 1) / k.Flit
	if c.Switching != router.Wormhole {
		k.Buffer += length - 1
	} else if spare := k.Channels*link - routing; spare >= link {
		k.Buffer = min(k.Buffer, (length*loop+spare-1)/spare)
	}
}

// buffered returns the minimum cycles of a packet with buffers of places flits: the maximum of the
// third formula of LinkShare. If a step over a buffer takes longer than its flits on the link, the
// path with the most steps is the longest, otherwise the path with one step.
func (k *LinkShare) buffered(routing, places int) (cycles float64) {
	link, longer := k.Packet*k.Flit, k.Link+k.Credit-places*k.Flit
	for m := (places + k.Packet - 1) / k.Packet; m <= places; m++ {
		n := m * k.Packet / places
		if longer <= 0 {
			n = 1
		}
		cycles = max(cycles, float64(link)+float64(routing+n*longer)/float64(m))
		if longer <= 0 {
			break
		}
	}
	return cycles
}

// wholePackets returns the minimum cycles of a packet if heads wait for whole packets, with buffers
// of N ≥ L flits; it returns 0 under wormhole switching. A head of virtual cut-through waits for
// the place of its packet's last flit, so that A(0) >= B(L-1-N) + C. A head of store-and-forward
// waits for its tail, so that B(0) >= A(L-1) + D. A path over either step leads on by N-L+1 flits;
// the rest of m = N/L packets, rounded down, are steps of one flit.
func (k *LinkShare) wholePackets(c *Config, fastest int) float64 {
	m, loop := c.BufferFlits/k.Packet, k.Link+k.Credit
	rest := (m+1)*k.Packet - 1 - c.BufferFlits
	switch c.Switching {
	case router.VirtualCutThrough:
		return float64(loop+c.RoutingCycles+rest*fastest) / float64(m)
	case router.StoreAndForward:
		return float64(loop+rest*k.Flit) / float64(m)
	}
	return 0
}
