package machine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec/input"
	"contend/netsim/topology"
)

// Size returns the text that tells machines of one topology apart: 16x16, or for a tree
// 4-ary-4. The text of a tree has the ports up and the number of nodes if these are
// fewer than possible, such as 4-ary-4-up-2-nodes-240. Those of a fat tree, a dragonfly and a
// HyperX are 4x4x4-up-2-b2-r2, a4h2p2g9-relative and 4x4-p4-w2.
func (m *Spec) Size() string {
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
func (m *Spec) sizeOfGrid() string {
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
func (m *Spec) Phrase() string {
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

func joined(list []int, by string) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", by), "[]")
}

// sizeOfNetwork is Size for a fat tree, a dragonfly, a HyperX or a graph. Of a graph it has a
// digest, since numbers do not tell graphs apart.
func (m *Spec) sizeOfNetwork() string {
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

func (m *Spec) sizeOfFatTree() string {
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
