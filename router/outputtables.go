package router

import "contend/router/topology"

// Tabled is a Routing whose output VCs engines find without the lists that routings with a choice
// fill.
type Tabled interface {
	// OutputTables returns the routing that the tables belong to, and the tables. A routing that
	// embeds another one inherits its method, which names the embedded one.
	OutputTables() (Routing, *OutputTables)
}

// OutputTables compute the output VCs of a routing.
type OutputTables struct {
	// OutputVC returns the VC that Route offers packet k at router r, at which it arrived by VC in.
	// Engines call it only if Traits.Choices is 1.
	OutputVC func(r topology.Router, in Channel, k *Packet) Channel
	// OutputVCs returns all VCs that Route offers a packet for a node: n VCs of one link from first
	// on. It is nil if a routing offers others.
	OutputVCs func(r topology.Router, to topology.Node) (first, n Channel)
	// Mesh has the routers of a mesh of two dimensions with a node on each; nil on other networks.
	// BenchmarkUniform/16x16/flits=8/light/worm: 1.4 times as fast as OutputVC.
	Mesh []MeshRouter
}

// outputTablesOf returns the tables of a routing, empty ones if it has none.
func outputTablesOf(x Routing) *OutputTables {
	if s, ok := x.(Tabled); ok {
		if of, tables := s.OutputTables(); of == x {
			return tables
		}
	}
	return &OutputTables{}
}

// outputVCOf returns the output VC of packet k at router r, at which it arrived by VC in.
func (b *Routers) outputVCOf(r topology.Router, in Channel, k *Packet) Channel {
	if b.mesh2D != nil {
		return b.mesh2D[r].Output(b.mesh2D[k.To].Here)
	}
	return b.outputVC(r, in, k)
}

// setOutputVC computes the output VC of packet k, at the front of FIFO c.
func (b *Routers) setOutputVC(v *vcState, c Channel, k *Packet) {
	v.outputVC = int32(b.outputVCOf(topology.Router(v.router), c, k))
}

// Place is the place of a router on a mesh of two dimensions: x·2^16 + y.
type Place int32

// MeshRouter is a router of a mesh of two dimensions.
type MeshRouter struct {
	Out   [4]Channel // first VCs down and up in x and y
	Eject Channel    // first VC to the node
	Here  Place
	_     [2]int32
}

// Output returns the output VC of a packet for a place by dimension order, without branches, which
// would be unpredictable. The difference of two places has the sign of the hop in x, or if they
// have the same x of the hop in y. column is 0 if they have the same x, and the VCs of y come two
// behind those of x.
func (k *MeshRouter) Output(goal Place) Channel {
	ahead, column := uint32(goal-k.Here), uint32((goal^k.Here)>>16)
	o, eject := k.Out[(1+(column-1)>>31<<1-ahead>>31)&3], k.Eject
	if ahead == 0 {
		o = eject
	}
	return o
}
