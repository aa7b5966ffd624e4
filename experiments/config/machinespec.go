package config

// MachineSpec is the section [machine]: the routers, the channels between them, and the
// nodes.
type MachineSpec struct {
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
func (m *MachineSpec) IsGrid() bool {
	return m.Topology == "mesh" || m.Topology == "torus" || m.Topology == "hypercube"
}
