package topologytest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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

// Torus returns a grid of the given sides; wrap says which of them wrap.
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

// Sparse returns a ring of routers with some chords. Every third router has no nodes, the others
// have two.
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

// GridOnly is a Grid of another type than Cube.
type GridOnly struct{ topology.Grid }

// Unnamed is a topology with nodes, routers and links alone: it hides all other methods.
type Unnamed struct{ topology.Topology }

// Failer is the part of testing.TB that the machines here need. The tests of rapid have it too.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Machine returns a built-in machine by its short form, such as "mesh:3x3".
func Machine(t Failer, short string) topology.Topology {
	t.Helper()
	m, err := Parse(short)
	if err != nil {
		t.Fatal(short, err)
	}
	return m
}

// Parse makes a machine by its short form.
func Parse(short string) (topology.Topology, error) {
	name, size, _ := strings.Cut(short, ":")
	shape, up, slim := strings.Cut(size, ":")
	dims, ok := topology.ParseDims(shape)
	switch name {
	case "dragonfly":
		c, ok := topology.ParseDragonfly(size)
		return build(short, c, ok, topology.NewDragonfly)
	case "fat-tree":
		c, ok := topology.ParseFatTree(size)
		return build(short, c, ok, topology.NewFatTree)
	case "hyperx":
		c, ok := topology.ParseHyperX(size)
		return build(short, c, ok, topology.NewHyperX)
	case "tree":
		ports, also := topology.ParseDims(up)
		if ok = ok && len(dims) == 2 && slim == also; ok {
			c := topology.TreeConfig{Arity: dims[0], Levels: dims[1], UpPorts: ports}
			return build(short, c, ok, topology.NewTree)
		}
	case "hypercube":
		if ok && len(dims) == 1 {
			return topology.Hypercube(dims[0])
		}
	case "mesh", "torus":
		wrap := slices.Repeat([]bool{name == "torus"}, len(dims))
		return build(short, topology.CubeConfig{Dims: dims, Wrap: wrap}, ok, topology.NewCube)
	}
	return nil, notShort(short)
}

// build returns the machine of a configuration, or an error if ok says that its text was wrong.
func build[C any, M topology.Topology](short string, c C, ok bool, of func(C) (M, error)) (
	topology.Topology, error) {
	if !ok {
		return nil, notShort(short)
	}
	return of(c)
}

// notShort returns the error for a text that is not a short form.
func notShort(short string) error { return fmt.Errorf("%q is no short form of a machine", short) }

// DrawnGraph returns a tree of routers drawn at random, with n links in all and up to two
// nodes a router.
func DrawnGraph(t Failer, seed uint64, routers, links int) *topology.Graph {
	t.Helper()
	return must.Have(topology.NewGraph(drawnGraph(seed, routers, links)))
}

// DrawnPlanes returns a graph of planes, each like a DrawnGraph, one for each network interface of
// a node. The routers of the planes come in turn. Each plane has more links than the one before,
// and its nodes on routers by more further on; with more 0 all planes are alike.
func DrawnPlanes(t Failer, seed uint64, rails, routers, links, more int) *topology.Graph {
	t.Helper()
	all := topology.GraphConfig{Rails: rails, Routers: rails * routers}
	for rail := range rails {
		plane := drawnGraph(seed, routers, links+rail*more)
		of := func(r topology.Router) topology.Router {
			return r*topology.Router(rails) + topology.Router(rail)
		}
		for _, l := range plane.Links {
			l.From, l.To = of(l.From), of(l.To)
			all.Links = append(all.Links, l)
		}
		nodes := drawnGraph(seed, routers, routers).Nodes // as many on each plane
		for _, r := range nodes {
			all.Nodes = append(all.Nodes, of((r+topology.Router(rail*more))%topology.Router(routers)))
		}
	}
	return must.Have(topology.NewGraph(all))
}

// drawnGraph returns the configuration of DrawnGraph.
func drawnGraph(seed uint64, routers, links int) topology.GraphConfig {
	rng := rand.New(rand.NewPCG(seed, 3))
	c := topology.GraphConfig{Routers: routers}
	for r := 1; r < routers; r++ {
		c.Links = append(c.Links, topology.GraphLink{From: topology.Router(r),
			To: topology.Router(rng.IntN(r))})
	}
	for len(c.Links) < links {
		from, to := topology.Router(rng.IntN(routers)), topology.Router(rng.IntN(routers))
		if from != to {
			c.Links = append(c.Links, topology.GraphLink{From: from, To: to})
		}
	}
	for r := range topology.Router(routers) {
		for range rng.IntN(3) {
			c.Nodes = append(c.Nodes, r)
		}
	}
	if len(c.Nodes) == 0 {
		c.Nodes = append(c.Nodes, 0)
	}
	return c
}
