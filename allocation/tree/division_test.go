package tree

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// lists is a division written for plainness: the free nodes of each group's routers.
type lists [][][]topology.Node

// freeLists lists the free nodes of a machine by group and router.
func freeLists(machine topology.Topology, group func(topology.Router) int, free []bool) lists {
	var all lists
	for r := range topology.Router(machine.Routers()) {
		var nodes []topology.Node
		for n := range free {
			if home, _ := machine.Attach(topology.Node(n)); home == r && free[n] {
				nodes = append(nodes, topology.Node(n))
			}
		}
		for len(all) <= group(r) {
			all = append(all, nil)
		}
		all[group(r)] = append(all[group(r)], nodes)
	}
	return all
}

func whole(machine topology.Topology, free []bool) [][]topology.Node {
	return freeLists(machine, func(topology.Router) int { return 0 }, free)[0]
}

// referenceFewest takes units by the rule of fewest, one after the other by a search of
// all.
func referenceFewest(units [][]topology.Node, size int,
	take func(unit []topology.Node, n int)) {
	units = slices.Clone(units)
	for size > 0 {
		best := -1
		for i, u := range units {
			switch {
			case best < 0:
				best = i
			case len(units[best]) >= size:
				if len(u) >= size && len(u) < len(units[best]) {
					best = i
				}
			case len(u) > len(units[best]):
				best = i
			}
		}
		n := min(size, len(units[best]))
		take(units[best], n)
		size -= n
		units[best] = nil
	}
}

// referenceInTurn deals the nodes of units a node each in turn.
func referenceInTurn(units [][]topology.Node, size int) (got []topology.Node) {
	for round := 0; ; round++ {
		for _, u := range units {
			if len(got) == size {
				return got
			}
			if round < len(u) {
				got = append(got, u[round])
			}
		}
	}
}

// referenceDivided is the plain form of by-router, by-group, rows, diagonal and
// level-spread, for a request that fits.
func referenceDivided(name string, machine topology.Topology, group func(topology.Router) int,
	free []bool, size int) (got []topology.Node) {
	fromRouters := func(routers [][]topology.Node, size int) {
		referenceFewest(routers, size, func(r []topology.Node, n int) { got = append(got, r[:n]...) })
	}
	if name == "by-router" {
		fromRouters(whole(machine, free), size)
		return got
	}
	groups := freeLists(machine, group, free)
	var flat [][]topology.Node
	for _, g := range groups {
		flat = append(flat, slices.Concat(g...))
	}
	if name != "level-spread" {
		referenceFewest(flat, size, func(g []topology.Node, n int) {
			i := slices.IndexFunc(flat, func(f []topology.Node) bool {
				return len(f) > 0 && f[0] == g[0]
			})
			fromRouters(groups[i], n)
		})
		return got
	}
	most := func(units [][]topology.Node) int {
		return slices.IndexFunc(units, func(u []topology.Node) bool {
			return !slices.ContainsFunc(units, func(v []topology.Node) bool { return len(v) > len(u) })
		})
	}
	routers := slices.Concat(groups...)
	if r := routers[most(routers)]; len(r) >= size {
		return r[:size]
	}
	if g := most(flat); len(flat[g]) >= size {
		return referenceInTurn(groups[g], size)
	}
	return referenceInTurn(flat, size)
}

// dividedMachines are machines with the groups that the named allocators form on them.
func dividedMachines(t testing.TB) []struct {
	machine topology.Topology
	names   []string
	group   func(topology.Router) int
} {

	d, g := topologytest.Dragonfly(t, 4, 2, 3, 0), topologytest.GroupedGraph(t)

	short := topologytest.Dragonfly(t, 3, 1, 1, 3)

	pods := topologytest.Fat(t, topology.FatTreeConfig{Children: []int{3, 2, 4}, Parents: []int{2, 1},
		Rails: 2, Nodes: 20})

	rows, slanted := topologytest.Hyper(t, 2, 5, 4), topologytest.Hyper(t, 1, 3, 4, 2)

	grouped := []string{"by-router", "by-group", "level-spread"}

	return []struct {
		machine topology.Topology
		names   []string
		group   func(topology.Router) int
	}{
		{d, grouped, d.Group}, {short, grouped, short.Group}, {g, grouped, g.Group},
		{pods, grouped, func(leaf topology.Router) int { return int(leaf) / 2 }},
		{topologytest.Mesh(t, 5, 3), []string{"by-router"}, nil},
		{rows, []string{"rows"}, func(r topology.Router) int { return int(r) / 5 }},
		{rows, []string{"diagonal"}, func(r topology.Router) int {
			x, y := int(r)%5, int(r)/5
			return (x - y + 5) % 5
		}},
		{slanted, []string{"diagonal"}, func(r topology.Router) int {
			x, y, z := int(r)%3, int(r)/3%4, int(r)/12
			return (x-z+3)%3 + 3*((y-z+4)%4)
		}},
	}
}

// Decisions agree with plain forms of them.
func TestDividedAgainstReferences(t *testing.T) {
	for i, k := range dividedMachines(t) {
		for _, name := range k.names {
			allocationtest.Against(t, fmt.Sprint(i, " ", name), makeTree(t, name, k.machine, nil),
				func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, k.machine) },
				func(free []bool, size int) ([]topology.Node, bool) {
					return referenceDivided(name, k.machine, k.group, free, size), true
				})
		}
	}
}
