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

// crooked has a peer in place of that of port 0 of router 0.
type crooked struct {
	topology.Topology
	r topology.Router
	p topology.Port
}

func (c crooked) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	if r == 0 && p == 1 {
		return c.r, c.p, true
	}
	return c.Topology.Peer(r, p)
}

// The port at the other end of a link exists, is another one, and leads back.
func TestCheckRefusesCrookedLinks(t *testing.T) {
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3}}))
	r, p, _ := m.Peer(0, 1)
	for _, test := range []struct {
		r    topology.Router
		p    topology.Port
		want string
	}{
		{r, p, ""},
		{3, 0, "Peer(0, 1) is (3, 0), which does not exist"},
		{-1, 0, "Peer(0, 1) is (-1, 0), which does not exist"},
		{1, topology.Port(m.Ports()), "which does not exist"},
		{0, 1, "Peer(0, 1) is the port itself"},
		{2, 0, "Peer(0, 1) is (2, 0), whose peer is (1, 1)"},
	} {
		got := ""
		if err := topology.Check(crooked{m, test.r, test.p}); err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("peer (%d, %d): %q, want %q", test.r, test.p, got, test.want)
		}
	}
}
