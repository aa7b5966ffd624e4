package traffic

import (
	"contend/experiments/cosim/metrics"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
)

// ChannelLoad is the load of a physical channel.
type ChannelLoad struct {
	// Link is the number of the channel.
	Link router.Link
	// Kind is injection, network or ejection.
	Kind string
	// From and To are the routers at the ends. At a node, they are that on which it hangs.
	From, To topology.Router
	// FromPort and ToPort are the ports of these routers.
	FromPort, ToPort topology.Port
	// Node is the node of an injection or ejection channel, and otherwise -1.
	Node topology.Node
	// Flits is the number of flits that were sent in the measurement window.
	Flits int64
	// Load is their number per cycle.
	Load float64
}

// channelMeter counts what each channel carries in a window.
type channelMeter struct {
	list []ChannelLoad
}

// newChannelMeter returns a meter of all channels of a network.
func newChannelMeter(net *netsim.Network) *channelMeter {
	w, m := net.Wiring(), &channelMeter{}
	for l := range router.Link(w.Links()) {
		from, to := w.Ends(l)
		c := ChannelLoad{Link: l, Kind: metrics.KindNames[w.Kind(l)],
			From: from.Router, FromPort: from.Port, To: to.Router, ToPort: to.Port, Node: -1}
		switch w.Kind(l) {
		case router.Injection:
			c.Node = from.Node
		case router.Ejection:
			c.Node = to.Node
		}
		m.list = append(m.list, c)
	}
	return m
}

// begin starts the count.
func (m *channelMeter) begin(net *netsim.Network) {
	for i := range m.list {
		m.list[i].Flits = -net.Usage(m.list[i].Link).Flits
	}
}

// end ends the count.
func (m *channelMeter) end(net *netsim.Network) {
	for i := range m.list {
		m.list[i].Flits += net.Usage(m.list[i].Link).Flits
	}
}

// loads returns the channels with their loads in a window of so many cycles.
func (m *channelMeter) loads(window int64) []ChannelLoad {
	for i := range m.list {
		m.list[i].Load = float64(m.list[i].Flits) / float64(window)
	}
	return m.list
}
