package external

import (
	"encoding/json"
	"fmt"

	"contend/allocation"
	"contend/router/topology"
)

// machine describes a machine in the first line to a program.
type machine struct {
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

// describe returns the first line to a program, with further keys.
func describe(s *allocation.Site, more string) []byte {
	t := s.Machine
	m := machine{Topology: s.Kind, Nodes: t.Nodes(), Routers: t.Routers()}
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
	lattice, placed := t.(topology.Lattice)
	if placed {
		m.Dims = lattice.Dims()
	}
	grouped, groups := t.(topology.Grouped)
	for r := range topology.Router(m.Routers) {
		var place []int
		for d := range m.Dims {
			place = append(place, lattice.Coordinate(r, d))
		}
		if placed {
			m.Places = append(m.Places, place)
		}
		if groups {
			m.GroupOf = append(m.GroupOf, grouped.Group(r))
		}
		for p := range topology.Port(t.Ports()) {
			if to, _, ok := t.Peer(r, p); ok && to > r {
				m.Links = append(m.Links, [2]int{int(r), int(to)})
			}
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic("external: " + err.Error())
	}
	return fmt.Appendf(nil, "{\"machine\":%s%s}\n", text, more)
}
