package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/netsim/topology"
)

// Machine is the topology that the section [machine] describes, with the number of hops
// between nodes.
type Machine interface {
	topology.Topology
	topology.Metric
}

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
		return nil, RefuseConfig(err)
	}
	return t, nil
}

// newGrid builds a mesh, a torus or a hypercube.
func (m *MachineSpec) newGrid() (Machine, error) {
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

// Check refuses keys that contradict each other.
func (m *MachineSpec) Check() *InputError {
	if m.IsGrid() {
		return m.checkGrid()
	}
	_, err := NewMachine(m)
	var bad *InputError
	errors.As(err, &bad)
	return bad
}

func (m *MachineSpec) checkGrid() *InputError {
	dims := m.Sides()
	n := len(dims)
	switch {
	case m.Topology == "hypercube" && (n != 1 || dims[0] > 24):
		return BadInput("machine.dims", "give its number of dimensions alone, from 1 to 24, such as [6]",
			"machine.dims of a hypercube is %v", m.Dims)
	case m.Topology == "hypercube" && len(m.Wrap) > 0:
		return BadInput("machine.wrap", "leave it out", "machine.wrap has no meaning for a hypercube")
	case len(m.Wrap) != 0 && len(m.Wrap) != n:
		return BadInput("machine.wrap", fmt.Sprintf("give %d", n),
			"machine.wrap has %d entries for %d dimensions", len(m.Wrap), n)
	}
	for _, r := range m.ServiceRows {
		if last := dims[n-1]; m.Topology != "hypercube" && r >= last {
			return BadInput("machine.service_rows", fmt.Sprintf("rows are 0 to %d", last-1),
				"machine.service_rows names row %d", r)
		}
	}
	return nil
}

// Size returns the text that tells machines of one topology apart: 16x16, or for a tree
// 4-ary-4. The text of a tree has the ports up and the number of nodes if these are
// fewer than possible, such as 4-ary-4-up-2-nodes-240. Those of a fat tree, a dragonfly and a
// HyperX are 4x4x4-up-2-b2-r2, a4h2p2g9-relative and 4x4-p4-w2.
func (m *MachineSpec) Size() string {
	switch {
	case m.IsGrid():
		return m.sizeOfGrid()
	case m.Topology != "tree":
		return m.sizeOfNetwork()
	}
	text := fmt.Sprintf("%d-ary-%d", m.Arity, m.Levels)
	if len(m.UpPorts) > 0 {
		text += "-up-" + joined(m.UpPorts, ".")
	}
	if m.Nodes > 0 {
		text += fmt.Sprintf("-nodes-%d", m.Nodes)
	}
	return text
}

// sizeOfGrid returns a text such as 8x8-p4, 8x8x4-wrap-0.2 or 8x8-service-7: after the sides
// come the nodes of a router, the dimensions that have rings where others of the topology do
// not, and the service rows.
func (m *MachineSpec) sizeOfGrid() string {
	text := joined(m.Sides(), "x")
	if m.Concentration > 1 {
		text += fmt.Sprintf("-p%d", m.Concentration)
	}
	if slices.Contains(m.Wrap, m.Topology != "torus") {
		rings := "none"
		if slices.Contains(m.Wrap, true) {
			var dims []int
			for d, ring := range m.Wrap {
				if ring {
					dims = append(dims, d)
				}
			}
			rings = joined(dims, ".")
		}
		text += "-wrap-" + rings
	}
	if len(m.ServiceRows) > 0 {
		text += "-service-" + joined(m.ServiceRows, ".")
	}
	return text
}

// Phrase returns the machine as part of a sentence.
func (m *MachineSpec) Phrase() string {
	switch {
	case builtin().topology(m.Topology) == nil:
		return m.Topology
	case m.Topology == "hypercube":
		return m.Topology + " of " + Plural(m.Sides()[0], "dimension")
	case m.IsGrid():
		text := m.Topology + " of " + joined(m.Sides(), "x")
		if m.Concentration > 1 {
			text += fmt.Sprintf(" with %d nodes a router", m.Concentration)
		}
		return text
	case m.Topology != "tree":
		return m.Topology + " " + m.Size()
	}
	text := fmt.Sprintf("%d-ary %d-tree", m.Arity, m.Levels)
	if m.Nodes > 0 {
		text += fmt.Sprintf(" of %d nodes", m.Nodes)
	}
	return text
}

func joined(list []int, by string) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", by), "[]")
}

// SidesOf returns the sides generated jobs draw theirs for: those of a grid; a
// job on a tree draws its number of processors.
func SidesOf(machine Machine) []int {
	if t, ok := machine.(topology.Grid); ok {
		return t.Dims()
	}
	return []int{machine.Nodes()}
}
