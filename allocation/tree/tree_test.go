package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Large trees, with spans that share words and spans of several words.
func TestTreeAllocatorsAgainstReference(t *testing.T) {
	for _, m := range []*topology.FatTree{topologytest.Tree(t, 4, 4, 240).FatTree, topologytest.Tree(t,
		3, 5, 0).FatTree,
		topologytest.Tree(t, 3, 5, 200).FatTree, topologytest.Tree(t, 2, 9, 0).FatTree,
		topologytest.Tree(t, 7, 3, 300).FatTree,
		topologytest.Tree(t, 70, 2, 4000).FatTree, topologytest.Tree(t, 4, 6, 4008).FatTree,
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{18, 10, 3}, Parents: []int{6},
			Nodes: 500}),
		topologytest.Fat(t, topology.FatTreeConfig{Children: []int{3, 5, 1, 7, 2}})} {
		t.Run(fmt.Sprint(topologytest.ChildrenOf(m)), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				free := allocationtest.DrawTreeFree(rt, m)
				size := rapid.IntRange(1, m.Nodes()).Draw(rt, "size")
				if rapid.Bool().Draw(rt, "small") {
					size = 1 + size%30
				}
				checkTreeDecision(rt, m, free, allocationtest.FreeSet(free), size, rapid.IntRange(0,
					100).Draw(rt, "percent"))
			})
		})
	}
}

// treeReference is quasi-contiguous allocation written for plainness: lists of free
// nodes, subtrees found by division, and a separate contiguous search.
//
// children are the subtrees below a router of each level.
func treeReference(children []int, percent int, free []bool, size int) ([]topology.Node, bool) {
	in := func(first, n int) (list []topology.Node) {
		for i := first; i < first+n && i < len(free); i++ {
			if free[i] {
				list = append(list, topology.Node(i))
			}
		}
		return list
	}
	span := 1
	for ; span < size; children = children[1:] {
		span *= children[0]
	}
	for first := 0; first < len(free); first += span {
		if list := in(first, span); len(list) >= size {
			return list[:size], true
		}
	}
	if len(children) == 0 {
		return nil, false
	}
	above := span * children[0]
	for parent := 0; parent < len(free); parent += above {
		all := in(parent, above)
		if len(all) < size {
			continue
		}
		var main []topology.Node
		for first := parent; first < parent+above; first += span {
			if list := in(first, span); len(list) > len(main) {
				main = list
			}
		}
		lacks := size - len(main)
		if 100*(lacks-1) >= percent*size { // lacks > ceil(percent·size/100)
			continue
		}
		rest := slices.DeleteFunc(all, func(n topology.Node) bool { return slices.Contains(main, n) })
		return append(main, rest[:lacks]...), true
	}
	return nil, false
}

// checkTreeDecision compares decisions of the three allocators with the rules of all
// allocators, with the reference and with each other.
func checkTreeDecision(t rapid.TB, machine *topology.FatTree, free []bool,
	f *allocation.FreeSet, size, percent int) {
	t.Helper()
	children := topologytest.ChildrenOf(machine)
	quasi := must.Have(NewQuasiContiguous("quasi-contiguous", machine, percent))
	contiguous := must.Have(NewContiguous(machine))
	where := fmt.Sprintf("%d%%, tree of %v", percent, children)
	req := allocation.Request{Size: size}
	want, placed := treeReference(children, percent, free, size)
	allocationtest.Compare(t, "quasi-contiguous, "+where, quasi, free, f, req, want, placed)
	want, placed = treeReference(children, 0, free, size)
	allocationtest.Compare(t, "contiguous, "+where, contiguous, free, f, req, want, placed)
	var first []topology.Node
	for n := range free {
		if free[n] && len(first) < size {
			first = append(first, topology.Node(n))
		}
	}
	allocationtest.Compare(t, "sequential", NewSequential(machine), free, f, req, first,
		len(first) == size)
}

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

// makeTree makes an allocator of this package by its name, with a stream of its own.
func makeTree(t testing.TB, name string, machine topology.Topology,
	stream *rand.Rand) allocation.Allocator {
	t.Helper()
	if stream == nil {
		stream = rand.New(rand.NewPCG(1, 2))
	}
	return must.Have(allocation.Named(Allocators(), name,
		allocation.Site{Machine: machine, Stream: stream}))
}

// The claims of Pascual, Navaridas and Miguel-Alonso, "Effects of Topology-Aware
// Allocation Policies on Scheduling Performance" (JSSPP 2009).

// Sec. 3: "up to k^i nodes can be allocated using stage-i switches".
func TestPascualLevels(t *testing.T) {
	for k := 2; k <= 5; k++ {
		for i, power := 1, k; i <= 5; i, power = i+1, power*k {
			m := topologytest.Tree(t, k, i+1, 0).FatTree
			if span, level := allocation.LevelOf(m, power); level != i || span != power {
				t.Errorf("%d nodes, k = %d: level %d of %d", power, k, level, span)
			}
			if _, level := allocation.LevelOf(m, power+1); level != i+1 {
				t.Errorf("%d nodes, k = %d: level %d", power+1, k, level)
			}
		}
	}
}

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) { allocationtest.Stories(t, Allocators()) }
