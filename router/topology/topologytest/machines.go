package topologytest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// Mesh returns a mesh of the given sides, with a node on each router.
func Mesh(t testing.TB, dims ...int) *topology.Cube {
	t.Helper()
	return must.Have(topology.NewCube(topology.CubeConfig{Dims: dims}))
}

// Cube returns the grid of a configuration.
func Cube(t testing.TB, c topology.CubeConfig) *topology.Cube {
	t.Helper()
	return must.Have(topology.NewCube(c))
}

// Torus returns a grid of the given sides, of which those wrap that wrap says.
func Torus(t testing.TB, dims []int, wrap ...bool) *topology.Cube {
	t.Helper()
	return must.Have(topology.NewCube(topology.CubeConfig{Dims: dims, Wrap: wrap}))
}

// RandomMachine draws a mesh or torus of up to three dimensions with at most maxNodes nodes.
func RandomMachine(t testing.TB, stream *rand.Rand, maxNodes int) *topology.Cube {
	for {
		dims := make([]int, 1+stream.IntN(3))
		wrap := make([]bool, len(dims))
		nodes := 1
		for d := range dims {
			dims[d], wrap[d] = 1+stream.IntN(9), stream.IntN(3) == 0
			nodes *= dims[d]
		}
		if nodes <= maxNodes {
			return Torus(t, dims, wrap...)
		}
	}
}

// Cplant returns the machine of [Leung et al. 2002, sec. 4]: an 8x8 torus of routers,
// four rows of which have four processors on each. The paper does not say which rows.
func Cplant(t testing.TB) *topology.Cube {
	return Cube(t, topology.CubeConfig{Dims: []int{8, 8}, Wrap: []bool{true, true}, Concentration: 4,
		ServiceRows: []int{4, 5, 6, 7}})
}

// Tree returns a k-ary n-tree with a number of nodes; 0 means that none is missing.
func Tree(t testing.TB, arity, levels, nodes int) *topology.Tree {
	t.Helper()
	return must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels, Nodes: nodes}))
}

// Fat returns the fat tree of a configuration.
func Fat(t testing.TB, c topology.FatTreeConfig) *topology.FatTree {
	t.Helper()
	return must.Have(topology.NewFatTree(c))
}

// ChildrenOf returns the subtrees below a router of each level.
func ChildrenOf(machine *topology.FatTree) (children []int) {
	for l := range machine.Levels() {
		children = append(children, machine.Children(l))
	}
	return children
}

// Dragonfly returns a dragonfly of g groups of a routers with h global links and p nodes each; g 0
// means as many groups as possible.
func Dragonfly(t testing.TB, a, h, p, g int) *topology.Dragonfly {
	t.Helper()
	return must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: a, GlobalLinks: h,
		Concentration: p, Groups: g}))
}

// Hyper returns a HyperX of the given sides, with a number of nodes on each router.
func Hyper(t testing.TB, concentration int, dims ...int) *topology.HyperX {
	t.Helper()
	c := topology.HyperXConfig{Dims: dims, Concentration: concentration}
	return must.Have(topology.NewHyperX(c))
}

// GroupedGraph returns a ring of routers on which neither nodes nor groups are in the order of the
// routers. Router 2 has no nodes.
func GroupedGraph(t testing.TB) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: 6, Groups: []int{1, 0, 1, 0, 2, 1},
		Nodes: []topology.Router{5, 0, 1, 3, 3, 0, 4, 1, 4, 4, 5, 3, 1, 0, 5}}
	for r := range topology.Router(6) {
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % 6})
	}
	return must.Have(topology.NewGraph(c))
}

// Sparse returns a ring of routers with some chords. Every router has two nodes, but each third
// none.
func Sparse(t testing.TB, routers int) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: routers}
	for r := range topology.Router(routers) {
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % topology.Router(routers)})
		if r%7 == 0 {
			c.Links = append(c.Links, topology.GraphLink{From: r,
				To: (r*r + 11) % topology.Router(routers)})
		}
		if r%3 != 0 {
			c.Nodes = append(c.Nodes, r, r)
		}
	}
	return must.Have(topology.NewGraph(c))
}

// Graph is a topology of any shape, connected or not, that counts no hops.
type Graph struct {
	Next  [][]int // neighbours of each router
	Homes []int   // router of each node
}

// Nodes implements topology.Topology.
func (g Graph) Nodes() int { return len(g.Homes) }

// Routers implements topology.Topology.
func (g Graph) Routers() int { return len(g.Next) }

// Ports implements topology.Topology.
func (g Graph) Ports() int {
	most := 0
	for _, next := range g.Next {
		most = max(most, len(next))
	}
	return most + len(g.Homes)
}

// Attach implements topology.Topology.
func (g Graph) Attach(n topology.Node) (topology.Router, topology.Port) {
	return topology.Router(g.Homes[n]), topology.Port(g.Ports() - len(g.Homes) + int(n))
}

// Peer implements topology.Topology.
func (g Graph) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	if int(p) >= len(g.Next[r]) {
		return 0, 0, false
	}
	to := g.Next[r][p]
	return topology.Router(to), topology.Port(slices.Index(g.Next[to], int(r))), true
}

// Irregular returns a connected graph: a random tree with more channels, a third of its
// routers without nodes, the others with up to three.
func Irregular(routers int) Graph {
	stream := rand.New(rand.NewPCG(4, uint64(routers)))
	g := Graph{Next: make([][]int, routers)}
	join := func(a, b int) {
		if a != b && !slices.Contains(g.Next[a], b) {
			g.Next[a], g.Next[b] = append(g.Next[a], b), append(g.Next[b], a)
		}
	}
	for r := 1; r < routers; r++ {
		join(r, stream.IntN(r))
	}
	for range routers / 2 {
		join(stream.IntN(routers), stream.IntN(routers))
	}
	for r := range routers {
		for range stream.IntN(4) * stream.IntN(2) {
			g.Homes = append(g.Homes, r)
		}
	}
	return g
}

// GridOnly is a Grid that is no Cube.
type GridOnly struct{ topology.Grid }

// Unnamed is a topology of which only the nodes, routers and links are known.
type Unnamed struct{ topology.Topology }
