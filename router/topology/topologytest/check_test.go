package topologytest_test

import (
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// broken is a line of routers with one promise broken.
type broken struct {
	*topology.Cube
	attach   func(n topology.Node) (topology.Router, topology.Port)
	peer     func(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool)
	distance int
}

func (t broken) Attach(n topology.Node) (topology.Router, topology.Port) {
	if t.attach != nil {
		return t.attach(n)
	}
	return t.Cube.Attach(n)
}

func (t broken) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	if t.peer != nil {
		return t.peer(r, p)
	}
	return t.Cube.Peer(r, p)
}

func (t broken) Distance(a, b topology.Node) int { return t.Cube.Distance(a, b) + t.distance }

// Each broken promise is found and named.
func TestBrokenTopologiesAreFound(t *testing.T) {
	line := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4}}))
	on := func(p topology.Port) func(topology.Node) (topology.Router, topology.Port) {
		return func(n topology.Node) (topology.Router, topology.Port) { return topology.Router(n), p }
	}
	for says, m := range map[string]broken{
		"does not exist": {attach: on(9)},
		"and leads to":   {attach: on(1)},
		"both hang": {attach: func(topology.Node) (topology.Router, topology.Port) {
			return 0, 2
		}},
		"whose peer": {peer: func(r topology.Router, p topology.Port) (topology.Router, topology.Port,
			bool) {
			return r ^ 1, p, p == 0 && r < 3 || p == 1
		}},
		"cannot be reached": {peer: func(topology.Router, topology.Port) (topology.Router,
			topology.Port, bool) {
			return 0, 0, false
		}},
		"a shortest path": {distance: 1},
	} {
		m.Cube = line
		if err := topologytest.Check(m); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
}
