package config

import (
	"fmt"
	"math"

	"contend/internal/input"
	"contend/router/topology"
)

// Machine is the topology that the section [machine] describes, with the number of hops
// between nodes.
type Machine = topology.Measured

// NewMachine builds the machine a spec describes, of a topology that is built in.
func NewMachine(m *MachineSpec) (Machine, error) {
	switch m.Topology {
	case "tree":
		return machineOf(topology.NewTree(topology.TreeConfig{Arity: m.Arity, Levels: m.Levels,
			UpPorts: m.UpPorts, Nodes: m.Nodes}))
	case "fat-tree":
		return machineOf(topology.NewFatTree(topology.FatTreeConfig{Children: m.Children,
			Parents: m.Parents, Bundle: m.Bundle, Rails: m.Rails, Nodes: m.Nodes}))
	case "dragonfly":
		return machineOf(topology.NewDragonfly(m.dragonfly()))
	case "hyperx":
		return machineOf(topology.NewHyperX(m.hyperX()))
	case "graph":
		return m.newGraph()
	}
	return m.newGrid()
}

// machineOf puts the key of the field before an error about a configuration.
func machineOf[T Machine](t T, err error) (Machine, error) {
	if err != nil {
		return nil, keyError(err, "Machine")
	}
	return t, nil
}

// newGrid builds a mesh, a torus or a hypercube.
func (m *MachineSpec) newGrid() (Machine, error) {
	if err := m.checkGrid(); err != nil {
		return nil, err
	}
	c := topology.CubeConfig{Dims: m.Sides(), Concentration: m.Concentration,
		ServiceRows: m.ServiceRows}
	switch m.Topology {
	case "hypercube":
		c.Dims = make([]int, m.Sides()[0])
		for i := range c.Dims {
			c.Dims[i] = 2
		}
	case "torus":
		for range m.Sides() {
			c.Wrap = append(c.Wrap, true)
		}
	}
	if len(m.Wrap) > 0 {
		c.Wrap = m.Wrap
	}
	return machineOf(topology.NewCube(c))
}

// checkGrid refuses keys of a grid that contradict each other.
func (m *MachineSpec) checkGrid() error {
	dims := m.Sides()
	n := len(dims)
	switch {
	case m.Topology == "hypercube" && (n != 1 || dims[0] > 24):
		return input.Bad("machine.dims", "give its number of dimensions alone, from 1 to 24, such as [6]",
			"machine.dims of a hypercube is %v", m.Dims)
	case m.Topology == "hypercube" && len(m.Wrap) > 0:
		return input.Bad("machine.wrap", "leave it out", "machine.wrap has no meaning for a hypercube")
	case len(m.Wrap) != 0 && len(m.Wrap) != n:
		return input.Bad("machine.wrap", fmt.Sprintf("give %d", n),
			"machine.wrap has %d entries for %d dimensions", len(m.Wrap), n)
	}
	for _, r := range m.ServiceRows {
		if last := dims[n-1]; m.Topology != "hypercube" && r >= last {
			return input.Bad("machine.service_rows", fmt.Sprintf("rows are 0 to %d", last-1),
				"machine.service_rows names row %d", r)
		}
	}
	return nil
}

// SidesOf returns the sides of which generated jobs draw theirs: those of a grid. A machine without
// sides counts as the largest square that has no more nodes, so a job asks there for the nodes that
// it asks for on a square mesh.
func SidesOf(machine Machine) []int {
	if t, ok := machine.(topology.Grid); ok {
		return t.Dims()
	}
	side := int(math.Sqrt(float64(machine.Nodes()))) // exact: there are far fewer than 2^52 nodes
	return []int{side, side}
}
