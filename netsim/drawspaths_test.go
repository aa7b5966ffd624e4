package netsim

import (
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
)

// Where routings draw nothing all lonely packets between two nodes take the same way.
func TestDrawsPaths(t *testing.T) {
	tested, drawn := 0, 0
	for _, m := range []topology.Topology{cube(t, false, 4, 4), cube(t, true, 4, 4), tree(t, 2, 3),
		must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{3, 3}})),
		must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2}))} {
		for _, k := range routes.Builtin() {
			if k.Suits != nil && !k.Suits(m) {
				continue
			}
			c := Default(m)
			c.Routing, c.VirtualChannels = k.Name, 6
			n, err := New(c)
			if err != nil {
				continue
			}
			from, to, differ := topology.Node(1), topology.Node(m.Nodes()-1), false
			way := lonelyLinks(n, from, to, 0)
			for packet := range int64(64) {
				differ = differ || !slices.Equal(way, lonelyLinks(n, from, to, packet))
			}
			tested++
			if differ {
				drawn++
			}
			if differ && !n.DrawsPaths() {
				t.Errorf("%T, %s: packets take different ways, and nothing is drawn", m, k.Name)
			}
		}
	}
	if tested < 20 || drawn < 3 {
		t.Errorf("%d routings tested, of which %d draw", tested, drawn)
	}
}

// lonelyLinks returns the links of a lonely packet of a flow of its own.
func lonelyLinks(n *Network, from, to topology.Node, packet int64) []router.Link {
	return slices.Clone(n.UncontendedLinks(router.Header{Source: from, Destination: to, Packet: packet,
		Flow: int32(packet)}))
}
