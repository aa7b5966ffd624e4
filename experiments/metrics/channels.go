package metrics

import (
	"fmt"

	"contend/internal/decimal"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// Channel says where a physical channel is.
type Channel struct {
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
}

// Channels returns the channels of a network, in order of number.
func Channels(w *router.Wiring) []Channel {
	list := make([]Channel, w.Links())
	for l := range list {
		from, to := w.Ends(router.Link(l))
		list[l] = Channel{router.Link(l), "network", from.Router, to.Router, from.Port, to.Port, -1}
		switch c := &list[l]; w.Kind(c.Link) {
		case router.Injection:
			c.Kind, c.Node = "injection", from.Node
		case router.Ejection:
			c.Kind, c.Node = "ejection", to.Node
		}
	}
	return list
}

// Cells returns the first cells of a row about a channel, in the columns of ChannelTable.
func (c *Channel) Cells() []string {
	node := ""
	if c.Node >= 0 {
		node = fmt.Sprint(c.Node)
	}
	return []string{fmt.Sprint(c.Link), c.Kind, fmt.Sprint(c.From), fmt.Sprint(c.FromPort),
		fmt.Sprint(c.To), fmt.Sprint(c.ToPort), node}
}

// LinkRows returns a row for each channel of a network.
func LinkRows(net *netsim.Network) (rows [][]string) {
	timings := net.LinkTimings()
	for _, c := range Channels(net.Wiring()) {
		u, f := net.Usage(c.Link), int64(timings[c.Link].Flit)
		busy := 100 * float64(u.Flits*f) / float64(max(1, net.Now()))
		rows = append(rows, append(c.Cells(), fmt.Sprint(u.Flits), decimal.Number(busy),
			fmt.Sprint(u.Held), fmt.Sprint(u.Held-u.Flits*f), fmt.Sprint(u.Own), fmt.Sprint(u.Foreign)))
	}
	return rows
}
