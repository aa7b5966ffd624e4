package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/formats/netfile"
	"contend/internal/input"

	"contend/router/topology"
)

// dragonfly returns the configuration of a dragonfly.
func (m *MachineSpec) dragonfly() topology.DragonflyConfig {
	c := topology.DragonflyConfig{GroupRouters: m.GroupRouters, GlobalLinks: m.GlobalLinks,
		Concentration: m.Concentration, Groups: m.Groups}
	if m.SeveralGroups() {
		c.Arrangement, _ = topology.ArrangementNamed(m.Arrangement)
	}
	return c
}

// severalGroups reports whether a dragonfly has more than two groups, whose links can be
// arranged in several ways.
func (m *MachineSpec) SeveralGroups() bool {
	return m.Groups > 2 || m.Groups == 0 && m.GroupRouters*m.GlobalLinks > 1
}

// hyperX returns the configuration of a HyperX.
func (m *MachineSpec) hyperX() topology.HyperXConfig {
	c := topology.HyperXConfig{Dims: m.Dims, Width: m.Width, Concentration: m.Concentration}
	if len(c.Dims) == 0 {
		c.Dims = []int{8, 8}
	}
	return c
}

// Interfaces returns how many network interfaces a node of a fat tree or a graph has, 1 of other
// machines and of a graph that is refused.
func (m *MachineSpec) Interfaces() int {
	switch m.Topology {
	case "fat-tree":
		return m.Rails
	case "graph":
		// Most graphs have none, and need not be read for that.
		says := func(line string) bool { return strings.Contains(line, " rail ") }
		if !slices.ContainsFunc(m.Graph, says) {
			return 1
		}
		if n, err := netfile.Parse("", m.Graph); err == nil {
			return max(1, n.Config().Rails)
		}
	}
	return 1
}

// fileKeyOfGraph is the key with the graph.
const fileKeyOfGraph input.Field = "machine.graph"

// newGraph builds the graph of machine.graph.
func (m *MachineSpec) newGraph() (Machine, error) {
	if len(m.Graph) == 0 {
		return nil, fileKeyOfGraph.Bad("give machine.file, or a text for each router such as "+
			`"router 0 node 0 router 1"`, "%s is empty", fileKeyOfGraph)
	}
	n, err := netfile.Parse("", m.Graph)
	var bad *input.Error
	if errors.As(err, &bad) {
		at := string(fileKeyOfGraph)
		if bad.Line > 0 {
			at += fmt.Sprintf("[%d]", bad.Line-1)
		}
		return nil, fileKeyOfGraph.Bad(bad.Right, "%s: %s", at, bad.Problem)
	}
	t, err := topology.NewGraph(n.Config())
	if err != nil {
		return nil, GraphRefused(err, string(fileKeyOfGraph))
	}
	return t, nil
}

// graphRefused puts a name before an error about the configuration of a graph.
func GraphRefused(err error, name string) error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return fileKeyOfGraph.Refuse(err)
	}
	return fileKeyOfGraph.Bad(bad.Right, "%s: %s %s", name, bad.Field, bad.Problem)
}
