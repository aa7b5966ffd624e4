package external

import (
	"contend/allocation"
	"contend/router/topology"
)

// firstLine is the first line to a program.
type firstLine struct {
	Machine Machine `json:"machine"`
	// CyclesPerSecond and Kills are what policies also need: the cycles in a second or a time unit
	// of the workload, and whether running jobs can be killed.
	CyclesPerSecond float64 `json:"cycles_per_second,omitempty"`
	Kills           *bool   `json:"kills,omitempty"`
}

// Machine describes a machine to a program; keys that its topology lacks are left out.
type Machine struct {
	Topology string            `json:"topology,omitempty"`
	Nodes    int               `json:"nodes"`
	Routers  int               `json:"routers"`
	Dims     []int             `json:"dims,omitempty"`
	Wrap     []bool            `json:"wrap,omitempty"`
	Arity    int               `json:"arity,omitempty"`
	Levels   int               `json:"levels,omitempty"`
	RouterOf []topology.Router `json:"router_of"`             // by node
	Places   [][]int           `json:"coordinates,omitempty"` // by router
	GroupOf  []int             `json:"group_of,omitempty"`    // by router
	Links    [][2]int          `json:"links"`                 // pairs of routers, the lower first
}

// describeMachine returns the description of the machine of a run.
func describeMachine(s *allocation.Site) Machine {
	t := s.Machine
	m := Machine{Topology: s.Kind, Nodes: t.Nodes(), Routers: t.Routers()}
	for n := range topology.Node(m.Nodes) {
		r, _ := t.Attach(n)
		m.RouterOf = append(m.RouterOf, r)
	}
	if g, ok := t.(topology.Grid); ok {
		m.Wrap = g.Wrap()
	}
	if h, ok := t.(topology.Hierarchy); ok {
		m.Arity, m.Levels = h.Arity(), h.Levels()
	}
	lattice, hasPlaces := t.(topology.Lattice)
	if hasPlaces {
		m.Dims = lattice.Dims()
	}
	grouped, hasGroups := t.(topology.Grouped)
	for r := range topology.Router(m.Routers) {
		if hasPlaces {
			var place []int
			for d := range m.Dims {
				place = append(place, lattice.Coordinate(r, d))
			}
			m.Places = append(m.Places, place)
		}
		if hasGroups {
			m.GroupOf = append(m.GroupOf, grouped.Group(r))
		}
		for p := range topology.Port(t.Ports()) {
			if to, _, ok := t.Peer(r, p); ok && to > r {
				m.Links = append(m.Links, [2]int{int(r), int(to)})
			}
		}
	}
	return m
}
