package topology_test

import (
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// sized has other numbers of nodes and routers than the topology behind it.
type sized struct {
	topology.Topology
	nodes, routers int
}

func (s sized) Nodes() int   { return s.nodes }
func (s sized) Routers() int { return s.routers }

// A machine has at least one node and one router.
func TestCheckRefusesEmptyMachines(t *testing.T) {
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{1, 1}}))
	for _, test := range []struct {
		nodes, routers int
		want           string
	}{{1, 1, ""}, {0, 1, "0 nodes on 1 routers"}, {1, 0, "1 nodes on 0 routers"},
		{0, 0, "0 nodes on 0 routers"}} {
		got := ""
		if err := topology.Check(sized{m, test.nodes, test.routers}); err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%d nodes, %d routers: %q, want %q", test.nodes, test.routers, got, test.want)
		}
	}
}
