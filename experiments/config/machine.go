package config

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/formats/netfile"
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

// meshDims are the sides of a mesh or torus if neither a key nor a log gives its size,
// as the canonical text would write them. The canonical text leaves them out, whether
// the study gives them or not.
const MeshDims = "[16, 16]"

// Sides returns machine.dims, or the sides of 256 nodes by default. Machines other than
// grids have none.
func (m *MachineSpec) Sides() []int {
	switch {
	case !m.IsGrid():
		return nil
	case len(m.Dims) > 0:
		return m.Dims
	case m.Topology == "hypercube":
		return []int{8}
	}
	return []int{16, 16}
}

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
			"links, such as hyperx:4x4:p4w2; machine.width gives each dimension links of its own"
	}
	return "the routers along each dimension, such as " + name + ":16x16; nodes of a router are " +
		"machine.concentration"
}
