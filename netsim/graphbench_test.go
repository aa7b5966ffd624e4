package netsim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
)

// gridGraph returns a square grid as a graph: routers that happen to be joined like a mesh.
func gridGraph(side topology.Router) topology.GraphConfig {
	c := topology.GraphConfig{Routers: int(side * side)}
	for r := range side * side {
		c.Nodes = append(c.Nodes, r)
		if (r+1)%side != 0 {
			c.Links = append(c.Links, topology.GraphLink{From: r, To: r + 1})
		}
		if r+side < side*side {
			c.Links = append(c.Links, topology.GraphLink{From: r, To: r + side})
		}
	}
	return c
}

// regularGraph returns a graph of so many routers with a node and four links each, to routers
// drawn at random.
func regularGraph(routers int) topology.GraphConfig {
	rng := rand.New(rand.NewPCG(1, 2))
	for {
		c := topology.GraphConfig{Routers: routers}
		for r := range topology.Router(routers) {
			c.Nodes = append(c.Nodes, r)
		}
		simple, seen := true, map[[2]topology.Router]bool{}
		for range 2 { // two circles over all routers
			circle := rng.Perm(routers)
			for i, r := range circle {
				from, to := topology.Router(r), topology.Router(circle[(i+1)%routers])
				pair := [2]topology.Router{min(from, to), max(from, to)}
				simple, seen[pair] = simple && !seen[pair], true
				c.Links = append(c.Links, topology.GraphLink{From: from, To: to})
			}
		}
		if simple {
			return c
		}
	}
}

// BenchmarkGraph reports the cost of a flit-hop on graphs of 256 routers under uniform traffic:
// on a grid of 16x16 and on a random one in which each router has four links.
func BenchmarkGraph(b *testing.B) {
	for _, k := range []struct {
		name string
		c    topology.GraphConfig
		half float64 // of what saturates it with packets of 8 flits, in flits per node and cycle
	}{{"16x16", gridGraph(16), 0.012}, {"regular", regularGraph(256), 0.009}} {
		t := must.Have(topology.NewGraph(k.c))
		for _, flits := range []int{8, 64} {
			for _, engine := range []string{"cycle", "worm"} {
				b.Run(fmt.Sprintf("%s/flits=%d/half/%s", k.name, flits, engine), func(b *testing.B) {
					benchTraffic(b, t, flits, k.half, engine, "up-down")
				})
			}
		}
	}
}
