package topologytest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/internal/must"
	"contend/router/topology"
)

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

// notShort returns the error for a text that is no short form.
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
