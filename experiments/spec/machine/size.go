package machine

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec/input"
	"contend/netsim/topology"
)

// Size returns the text that tells machines of one topology apart, as far as its keys are not at
// their defaults: 16x16-p2-wrap-0-service-7, 4-ary-4-up-2-nodes-240 of a tree, 4x4x4-up-2-b2-r2 of
// a fat tree, a4h2p2-relative of a dragonfly and 4x4-p4-w2 of a HyperX. Of a graph it has a
// digest, since numbers do not tell graphs apart.
func (m *Spec) Size() string {
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
func (m *Spec) rings() string {
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
