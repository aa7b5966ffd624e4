package spec

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/netfile"
	"contend/internal/bounded"
	"contend/netsim/topology"
)

// dragonfly returns the configuration of a dragonfly.
func (m *MachineSpec) dragonfly() topology.DragonflyConfig {
	c := topology.DragonflyConfig{GroupRouters: m.GroupRouters, GlobalLinks: m.GlobalLinks,
		Concentration: m.Concentration, Groups: m.Groups}
	if m.severalGroups() {
		c.Arrangement, _ = topology.ArrangementNamed(m.Arrangement)
	}
	return c
}

// severalGroups reports whether a dragonfly has more than two groups, whose links can be
// arranged in several ways.
func (m *MachineSpec) severalGroups() bool {
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

// sizeOfNetwork is Size for a fat tree, a dragonfly, a HyperX or a graph. Of a graph it has a
// digest, since numbers do not tell graphs apart.
func (m *MachineSpec) sizeOfNetwork() string {
	switch m.Topology {
	case "fat-tree":
		return m.sizeOfFatTree()
	case "dragonfly":
		text := fmt.Sprintf("a%dh%dp%d", m.GroupRouters, m.GlobalLinks, m.Concentration)
		if m.Groups > 0 {
			text += fmt.Sprintf("g%d", m.Groups)
		}
		if m.Arrangement != topology.Absolute.String() {
			text += "-" + m.Arrangement
		}
		return text
	case "hyperx":
		c := m.hyperX()
		text := joined(c.Dims, "x")
		if m.Concentration > 1 {
			text += fmt.Sprintf("-p%d", m.Concentration)
		}
		if len(m.Width) > 0 {
			text += "-w" + joined(m.Width, ".")
		}
		return text
	}
	digest := sha256.New()
	for _, line := range m.Graph {
		fmt.Fprintln(digest, line)
	}
	return fmt.Sprintf("%d-routers-%x", len(m.Graph), digest.Sum(nil)[:4])
}

func (m *MachineSpec) sizeOfFatTree() string {
	text := joined(m.Children, "x")
	if len(m.Parents) > 0 {
		text += "-up-" + joined(m.Parents, ".")
	}
	if len(m.Bundle) > 0 {
		text += "-b" + joined(m.Bundle, ".")
	}
	if m.Rails > 1 {
		text += fmt.Sprintf("-r%d", m.Rails)
	}
	if m.Nodes > 0 {
		text += fmt.Sprintf("-nodes-%d", m.Nodes)
	}
	return text
}

// rails returns how many network interfaces a node of a fat tree or a graph has, 1 of other
// machines and of a graph that is refused.
func (m *MachineSpec) rails() int {
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

// newGraph builds the graph of machine.graph.
func (m *MachineSpec) newGraph() (Machine, error) {
	if len(m.Graph) == 0 {
		return nil, FieldGraph.Bad("give machine.file, or a text for each router such as "+
			`"router 0 node 0 router 1"`, "%s is empty", FieldGraph)
	}
	n, err := netfile.Parse("", m.Graph)
	var bad *bounded.Error
	if errors.As(err, &bad) {
		at := string(FieldGraph)
		if bad.Line > 0 {
			at += fmt.Sprintf("[%d]", bad.Line-1)
		}
		return nil, FieldGraph.Bad(bad.Right, "%s: %s", at, bad.Problem)
	}
	t, err := topology.NewGraph(n.Config())
	if err != nil {
		return nil, graphRefused(err, string(FieldGraph))
	}
	return t, nil
}

// graphRefused puts a name before an error about the configuration of a graph.
func graphRefused(err error, name string) error {
	var bad *topology.ConfigError
	if !errors.As(err, &bad) {
		return FieldGraph.Refuse(err)
	}
	return FieldGraph.Bad(bad.Right, "%s: %s %s", name, bad.Field, bad.Problem)
}

// readGraph sets machine.graph from a file.
func (s *Settings) readGraph(path string) *InputError {
	if path == "" {
		return nil
	}
	n, err := netfile.ReadFile(path, DecodeTOML)
	if err != nil {
		return networkFileError(err)
	}
	if _, err := topology.NewGraph(n.Config()); err != nil {
		bad := graphRefused(err, path).(*InputError)
		bad.Key = string(FieldFile)
		return bad
	}
	s.Spec.Machine.Graph = n.Lines()
	return nil
}

// networkFileError is the error for a file of a network. What names the file, a flag or a line of
// a study, takes the place of its line.
func networkFileError(err error) *InputError {
	var bad *InputError // of DecodeTOML
	if !errors.As(err, &bad) {
		bad = Unreadable(err, "give a file that describes a network")
	}
	if bad.Where != "" {
		bad.Where, bad.Problem = "", bad.Where+": "+bad.Problem
	}
	return bad
}
