package config

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"contend/internal/input"
	"contend/router/topology"
)

// Size returns the text that distinguishes machines of one topology, as far as its keys are not at
// their defaults: 16x16-p2-wrap-0-service-7, 4-ary-4-up-2-nodes-240 of a tree, 4x4x4-up-2-b2-r2 of
// a fat tree, a4h2p2-relative of a dragonfly and 4x4-p4-w2 of a HyperX. Of a graph it has a
// digest, since numbers do not tell graphs apart.
func (m *MachineSpec) Size() string {
	perRouter, nodes := above(1, "-p", m.Concentration), above(0, "-nodes-", m.Nodes)
	switch m.Topology {
	case "tree":
		return fmt.Sprintf("%d-ary-%d", m.Arity, m.Levels) + listed("-up-", m.UpPorts) + nodes
	case "fat-tree":
		return joined(m.Children, "x") + listed("-up-", m.Parents) + listed("-b", m.Bundle) +
			above(1, "-r", m.Rails) + nodes
	case "dragonfly":
		text := fmt.Sprintf("a%dh%dp%d", m.GroupRouters, m.GlobalLinks, m.Concentration) +
			above(0, "g", m.Groups)
		if m.Arrangement != topology.Absolute.String() {
			text += "-" + m.Arrangement
		}
		return text
	case "hyperx":
		return joined(m.hyperX().Dims, "x") + perRouter + listed("-w", m.Width)
	case "graph":
		digest := sha256.New()
		for _, line := range m.Graph {
			fmt.Fprintln(digest, line)
		}
		return fmt.Sprintf("%d-routers-%x", len(m.Graph), digest.Sum(nil)[:4])
	}
	return joined(m.Sides(), "x") + perRouter + m.rings() + listed("-service-", m.ServiceRows)
}

// rings names the dimensions of a grid that have rings where others of the topology do not.
func (m *MachineSpec) rings() string {
	if !slices.Contains(m.Wrap, m.Topology != "torus") {
		return ""
	}
	var dims []int
	for d, ring := range m.Wrap {
		if ring {
			dims = append(dims, d)
		}
	}
	return cmp.Or(listed("-wrap-", dims), "-wrap-none")
}

// above writes a number above the one that a machine has by default.
func above(standard int, prefix string, n int) string {
	if n <= standard {
		return ""
	}
	return fmt.Sprint(prefix, n)
}

// listed writes the numbers of a list, if it has any.
func listed(prefix string, list []int) string {
	if len(list) == 0 {
		return ""
	}
	return prefix + joined(list, ".")
}

// Phrase returns the machine as part of a sentence.
func (m *MachineSpec) Phrase() string {
	switch {
	case m.Topology == "hypercube":
		return m.Topology + " of " + input.Plural(m.Sides()[0], "dimension")
	case m.IsGrid():
		text := m.Topology + " of " + joined(m.Sides(), "x")
		if m.Concentration > 1 {
			text += fmt.Sprintf(" with %d nodes a router", m.Concentration)
		}
		return text
	case slices.Contains([]string{"fat-tree", "dragonfly", "hyperx", "graph"}, m.Topology):
		return m.Topology + " " + m.Size()
	case m.Topology != "tree":
		return m.Topology
	}
	text := fmt.Sprintf("%d-ary %d-tree", m.Arity, m.Levels)
	if m.Nodes > 0 {
		text += fmt.Sprintf(" of %d nodes", m.Nodes)
	}
	return text
}

// joined writes numbers with a separator.
func joined(list []int, by string) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", by), "[]")
}

// MachineKeys returns the keys that a size of a topology, as in tree:4x4, stands for, nil for what
// is no size of it.
func MachineKeys(name, size string) map[string]any {
	keys := map[string]any{}
	list := func(key string, numbers []int) {
		if len(numbers) > 0 {
			keys["machine."+key] = MachineTOML(numbers)
		}
	}
	number := func(key string, n int) { keys["machine."+key] = int64(n) }
	shape, more, colon := strings.Cut(size, ":")
	dims, ok := topology.ParseDims(shape)
	switch {
	case name == "graph":
		return map[string]any{"machine.file": size}
	case name == "fat-tree":
		var c topology.FatTreeConfig
		c, ok = topology.ParseFatTree(size)
		list("children", c.Children)
		list("parents", c.Parents)
		list("bundle", c.Bundle)
		number("rails", max(1, c.Rails))
	case name == "dragonfly":
		var c topology.DragonflyConfig
		c, ok = topology.ParseDragonfly(size)
		number("group_routers", c.GroupRouters)
		number("global_links", c.GlobalLinks)
		number("groups", c.Groups)
		number("concentration", max(1, c.Concentration))
		if colon {
			keys["machine.arrangement"] = c.Arrangement.String()
		}
	case name == "hyperx":
		var c topology.HyperXConfig
		c, ok = topology.ParseHyperX(size)
		list("dims", c.Dims)
		list("width", c.Width)
		number("concentration", max(1, c.Concentration))
	case name == "tree":
		ports, also := topology.ParseDims(more)
		if ok = ok && len(dims) == 2 && colon == also && len(ports) <= 1; ok {
			number("arity", dims[0])
			number("levels", dims[1])
			list("up_ports", ports)
		}
	default:
		ok = ok && !colon && (name != "hypercube" || len(dims) == 1)
		list("dims", dims)
	}
	if !ok {
		return nil
	}
	return keys
}

// MachineTOML returns numbers as a TOML list holds them.
func MachineTOML(numbers []int) (list []any) {
	for _, n := range numbers {
		list = append(list, int64(n))
	}
	return list
}

// MachineExample is a short form of a topology in words.
func MachineExample(name string) string {
	switch name {
	case "tree":
		return "arity and levels, such as tree:4x4"
	case "hypercube":
		return "the number of dimensions, such as hypercube:6"
	case "fat-tree":
		return "the subtrees below a router of each level, nodes first, behind a colon the routers " +
			"above it, and behind another one links of a bundle and rails, such as " +
			"fat-tree:4x4x4:2:b2r2"
	case "dragonfly":
		return "routers of a group, global links and nodes of a router and groups, such as " +
			"dragonfly:a4h2p2g9 or dragonfly:a4h2p2g9:relative"
	case "hyperx":
		return "the routers along each dimension, and behind a colon nodes of a router and parallel " +
			"links, such as hyperx:4x4:p4w2"
	}
	return "the routers along each dimension, such as " + name + ":16x16"
}
