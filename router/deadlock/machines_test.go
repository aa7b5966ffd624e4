package deadlock_test

import (
	"errors"
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// over returns a routing over as many virtual channels as it needs and some more.
func over(t testing.TB, k router.Maker, m topology.Topology, more int) (*router.Wiring,
	router.Routing) {
	t.Helper()
	w := router.NewNodeWiring(m, fewest(k, m)+more, 1+more, 1+more)
	x := must.Have(k.New(w, 1))
	return w, x
}

// fewest returns how many virtual channels a routing needs.
func fewest(k router.Maker, m topology.Topology) int {
	if k.VirtualChannels == nil {
		return 1
	}
	return k.VirtualChannels(m)
}

// inOrder returns dimension order on a mesh of those sides.
func inOrder(t testing.TB, dims ...int) (*router.Wiring, *routes.DimensionOrder) {
	t.Helper()
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: dims}))
	w := router.NewWiring(m, 1, 1)
	x := must.Have(routes.NewDimensionOrder(w, false))
	return w, x
}

// refused checks that packets on a routing can wait for each other.
func refused(t *testing.T, name string, w *router.Wiring, x router.Routing) {
	t.Helper()
	var cycle *deadlock.CycleError
	if err := deadlock.CheckDeadlock(w, x); !errors.As(err, &cycle) {
		t.Errorf("%s: a routing with cycles was found to have the error %v", name, err)
	}
}

// machine is a topology with a name.
type machine struct {
	topology.Topology
	name string
}

// sides are of lines, planes and spaces of all kinds.
var sides = [][]int{{1}, {2}, {3}, {5}, {10}, {2, 2}, {4, 3}, {6, 5}, {3, 4, 2}, {3, 2, 1, 4}}

// heights are trees, slim ones among them.
var heights = []topology.TreeConfig{{Arity: 5, Levels: 1}, {Arity: 2, Levels: 2}, {Arity: 3,
	Levels: 3},
	{Arity: 4, Levels: 3, UpPorts: []int{3, 2}}, {Arity: 2, Levels: 5, UpPorts: []int{2, 1, 2, 1}}}

// maxBranching is the size of machines up to which routings are checked whose headers are in many
// states.
var maxBranching = 24

// witnessed are cubes with sides of all kinds that wrap or do not, trees of all heights with
// missing nodes, fat trees, dragonflies, HyperX networks and graphs.
func witnessed(t testing.TB) (list []machine) {
	t.Helper()
	add := func(name any, m topology.Topology) {
		list = append(list, machine{m, fmt.Sprintf("%+v", name)})
	}
	for _, dims := range sides {
		for wraps := range 1 << len(dims) {
			wrap := make([]bool, len(dims))
			for d := range wrap {
				wrap[d] = wraps>>d&1 == 1
			}
			c := topology.CubeConfig{Dims: dims, Wrap: wrap, Concentration: 1 + wraps%2}
			add(c, must.Have(topology.NewCube(c)))
		}
	}
	for _, c := range heights {
		places := 1
		for range c.Levels {
			places *= c.Arity
		}
		for _, missing := range []int{0, 1, places / 3, places / 2, places - 1} {
			c.Nodes = places - missing
			add(c, must.Have(topology.NewTree(c)))
		}
	}
	for _, c := range []topology.FatTreeConfig{{Children: []int{5}, Rails: 2},
		{Children: []int{4, 3}, Parents: []int{2}},
		{Children: []int{3, 2}, Parents: []int{1}, Bundle: []int{3}},
		{Children: []int{2, 3, 2}, Parents: []int{2, 2}, Bundle: []int{2, 3}},
		{Children: []int{2, 2, 2}, Parents: []int{3, 1}, Bundle: []int{1, 2}, Rails: 3},
		{Children: []int{1, 3, 2}, Rails: 2, Nodes: 5},
		{Children: []int{4, 4, 3}, Parents: []int{2, 3}, Bundle: []int{3, 2}, Nodes: 41}} {
		add(c, must.Have(topology.NewFatTree(c)))
	}
	for _, text := range []string{"dragonfly:a4h2p2g9", "dragonfly:a4h2g5:relative",
		"dragonfly:a3h1g4", "dragonfly:a4h2g7:circulant", "dragonfly:a1h4", "dragonfly:a5h1g1",
		"dragonfly:a2h1p2", "dragonfly:a3h2p2g4", "dragonfly:a3h1p1g4:relative",
		"dragonfly:a2h2p1:circulant", "dragonfly:a3h2p1g2", "dragonfly:a3h1p2g1", "hyperx:6:p2",
		"hyperx:4x3:w2p2", "hyperx:3x1x4:w3", "hyperx:2x3x2x2", "hyperx:3x3:p2", "hyperx:2x2:w2p1",
		"hyperx:2x3x2:p1", "hyperx:2:p2", "hyperx:3x1x2:w2p1"} {
		add(text, topologytest.Machine(t, text))
	}
	for seed := range uint64(6) {
		add(fmt.Sprint("graph ", seed), topologytest.DrawnGraph(t, seed, 12, 11+4*int(seed)))
	}
	for rails := 2; rails <= 3; rails++ {
		add(fmt.Sprint("planes ", rails), topologytest.DrawnPlanes(t, 7, rails, 7, 9, 1))
	}
	return list
}
