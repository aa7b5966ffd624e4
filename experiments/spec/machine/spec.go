package machine

import "slices"

// Spec is the section [machine]: the routers, the channels between them, and the
// nodes.
type Spec struct {
	Topology      string   `key:"machine.topology"`
	Dims          []int    `key:"machine.dims"`
	Arity         int      `key:"machine.arity"`
	Levels        int      `key:"machine.levels"`
	Nodes         int      `key:"machine.nodes"`
	UpPorts       []int    `key:"machine.up_ports"`
	Wrap          []bool   `key:"machine.wrap"`
	Concentration int      `key:"machine.concentration"`
	ServiceRows   []int    `key:"machine.service_rows"`
	GroupRouters  int      `key:"machine.group_routers"`
	GlobalLinks   int      `key:"machine.global_links"`
	Groups        int      `key:"machine.groups"`
	Arrangement   string   `key:"machine.arrangement"`
	Width         []int    `key:"machine.width"`
	Children      []int    `key:"machine.children"`
	Parents       []int    `key:"machine.parents"`
	Bundle        []int    `key:"machine.bundle"`
	Rails         int      `key:"machine.rails"`
	Graph         []string `key:"machine.graph"`
}

// IsGrid reports whether the machine is one of the built-in grids, which machine.dims
// describes.
func (m *Spec) IsGrid() bool {
	return m.Topology == "mesh" || m.Topology == "torus" || m.Topology == "hypercube"
}

// ring reports whether a dimension of a grid is closed to a ring: one of fewer than three
// routers never is.
func (m *Spec) Ring(d int) bool {
	wraps := m.Topology == "torus"
	if len(m.Wrap) > d {
		wraps = m.Wrap[d]
	}
	return wraps && m.Sides()[d] > 2
}

// wraps tells whether some dimension of a mesh or torus is closed to a ring, or
// is not.
func (m *Spec) Wraps(closed bool) bool {
	if len(m.Wrap) > 0 {
		return slices.Contains(m.Wrap, closed)
	}
	return (m.Topology == "torus") == closed
}
