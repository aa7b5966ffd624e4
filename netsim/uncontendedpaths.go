package netsim

import (
	"contend/router"
	"contend/router/topology"
)

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
