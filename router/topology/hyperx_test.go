package topology_test

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

func hyperX(t *testing.T, c topology.HyperXConfig) *topology.HyperX {
	t.Helper()
	return must.Have(topology.NewHyperX(c))
}

// hyperXs are those the conformance kit is run on.
func hyperXs(*testing.T) map[string]*topology.HyperX {
	return made(topology.NewHyperX, map[string]topology.HyperXConfig{
		"complete graph":      {Dims: []int{7}, Concentration: 3},
		"flattened butterfly": {Dims: []int{4, 4}, Concentration: 4},
		"wide":                {Dims: []int{3, 4, 2}, Width: []int{2, 1, 3}},
		"flat":                {Dims: []int{1, 5, 1}, Width: []int{2}},
		"one router":          {Dims: []int{1}, Concentration: 2},
	})
}

// Ahn et al. 2009, sec. 3: a router of a HyperX has T + sum (S_k - 1)·K_k ports, the
// diameter is the number of dimensions, and a cut in halves along dimension k has
// K_k·(S_k/2)^2 links for each row of that dimension.
func TestHyperXSizes(t *testing.T) {
	for _, k := range []struct {
		c                                         topology.HyperXConfig
		nodes, routers, ports, diameter, bisected int
	}{
		{topology.HyperXConfig{Dims: []int{4, 4}, Concentration: 4}, 64, 16, 10, 2, 16},
		{topology.HyperXConfig{Dims: []int{4, 2, 6}, Width: []int{1, 2, 3}, Concentration: 2}, 96, 48,
			2 + 3 + 2 + 15, 3, 8 * 3 * 9},
		{topology.HyperXConfig{Dims: []int{8}, Width: []int{2}}, 8, 8, 15, 1, 32},
	} {
		m := hyperX(t, k.c)
		last, cut := len(k.c.Dims)-1, 0
		for r := range topology.Router(m.Routers()) {
			for p := range topology.Port(m.Ports()) {
				to, _, ok := m.Peer(r, p)
				half := k.c.Dims[last] / 2
				if ok && m.Coordinate(r, last) < half && m.Coordinate(to, last) >= half {
					cut++
				}
			}
		}
		got := fmt.Sprint(m.Nodes(), m.Routers(), m.Ports(), diameter(m), cut)
		if want := fmt.Sprint(k.nodes, k.routers, k.ports, k.diameter, k.bisected); got != want {
			t.Errorf("%+v: %s nodes, routers, ports, diameter and links cut, want %s", k.c, got, want)
		}
	}
}
