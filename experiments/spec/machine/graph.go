package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/netfile"
	"contend/experiments/spec/input"
	"contend/internal/bounded"
	"contend/netsim/topology"
)

// dragonfly returns the configuration of a dragonfly.
func (m *Spec) dragonfly() topology.DragonflyConfig {
	c := topology.DragonflyConfig{GroupRouters: m.GroupRouters, GlobalLinks: m.GlobalLinks,
		Concentration: m.Concentration, Groups: m.Groups}
	if m.SeveralGroups() {
		c.Arrangement, _ = topology.ArrangementNamed(m.Arrangement)
	}
	return c
}

// severalGroups reports whether a dragonfly has more than two groups, whose links can be
// arranged in several ways.
func (m *Spec) SeveralGroups() bool {
	return m.Groups > 2 || m.Groups == 0 && m.GroupRouters*m.GlobalLinks > 1
}

// hyperX returns the configuration of a HyperX.
func (m *Spec) hyperX() topology.HyperXConfig {
	c := topology.HyperXConfig{Dims: m.Dims, Width: m.Width, Concentration: m.Concentration}
	if len(c.Dims) == 0 {
		c.Dims = []int{8, 8}
	}
	return c
}

// Interfaces returns how many network interfaces a node of a fat tree or a graph has, 1 of other
// machines and of a graph that is refused.
func (m *Spec) Interfaces() int {
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

// graphKey is the key with the graph.
const graphKey input.Field = "machine.graph"

// newGraph builds the graph of machine.graph.
func (m *Spec) newGraph() (Machine, error) {
	if len(m.Graph) == 0 {
		return nil, graphKey.Bad("give machine.file, or a text for each router such as "+
			`"router 0 node 0 router 1"`, "%s is empty", graphKey)
	}
	n, err := netfile.Parse("", m.Graph)
	var bad *bounded.Error
	if errors.As(err, &bad) {
		at := string(graphKey)
		if bad.Line > 0 {
			at += fmt.Sprintf("[%d]", bad.Line-1)
		}
		return nil, graphKey.Bad(bad.Right, "%s: %s", at, bad.Problem)
	}
	t, err := topology.NewGraph(n.Config())
	if err != nil {
		return nil, GraphRefused(err, string(graphKey))
	}
	return t, nil
}

// graphRefused puts a name before an error about the configuration of a graph.
func GraphRefused(err error, name string) error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return graphKey.Refuse(err)
	}
	return graphKey.Bad(bad.Right, "%s: %s %s", name, bad.Field, bad.Problem)
}
