package config

// MachineSpec is the section [machine]: the routers, the channels between them, and the
// nodes.
type MachineSpec struct {
	Topology      string
	Dims          []int
	Arity         int
	Levels        int
	Nodes         int
	UpPorts       []int
	Wrap          []bool
	Concentration int
	ServiceRows   []int
	GroupRouters  int
	GlobalLinks   int
	Groups        int
	Arrangement   string
	Width         []int
	Children      []int
	Parents       []int
	Bundle        []int
	Rails         int
	Graph         []string
}

// IsGrid reports whether the machine is one of the built-in grids, which machine.dims
// describes.
func (m *MachineSpec) IsGrid() bool {
	return m.Topology == "mesh" || m.Topology == "torus" || m.Topology == "hypercube"
}
