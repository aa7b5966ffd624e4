package deadlock_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// The witnesses of a routing bring about all dependencies that all packets do, and those of escape
// channels make the ladder that all packets make.
func TestWitnessesStandForAllPackets(t *testing.T) {
	for _, m := range witnessed(t) {
		for _, k := range routes.Builtin() {
			for more := range 2 {
				if !k.Suits(m.Topology) || branches(k.Name) && m.Nodes() > maxBranching {
					continue
				}
				w, x := over(t, k, m.Topology, more)
				name := fmt.Sprintf("%s on %s with %d more", k.Name, m.name, more)
				if _, ok := x.(router.Escaping); ok {
					if m.Nodes() <= 64 {
						sameLadder(t, name, w, x)
					}
					continue
				}
				headers := headersOf(x)
				if headers == nil {
					continue
				}
				got, err := deadlock.Followed(w, x, headers)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for c, want := range deadlock.Dependencies(w, x) {
					if !slices.Equal(got[c], want) {
						t.Fatalf("%s: %s is followed by %v, by all packets %v", name,
							w.Describe(router.Channel(c)), got[c], want)
					}
				}
			}
		}
	}
}

// branches reports whether headers under a routing are in many states, which takes long to follow.
func branches(name string) bool {
	return slices.Contains([]string{"valiant", "romm", "ugal", "ugal-l", "ugal-g", "par"}, name)
}

// headersOf returns the packets that a routing knows.
func headersOf(x router.Routing) iter.Seq[router.Header] {
	if k, ok := x.(deadlock.Witnessing); ok {
		if of, headers := k.Witnesses(); of == x {
			return headers
		}
	}
	return nil
}

// A routing that embeds another one has no witnesses, nor has one on routers without nodes.
func TestNoWitnesses(t *testing.T) {
	x := square(t)
	if headersOf(x) != nil {
		t.Error("a routing has the witnesses of the one it embeds")
	}
	if headersOf(x.DimensionOrder) == nil {
		t.Error("dimension order has no witnesses")
	}
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}, ServiceRows: []int{1}}))
	w := router.NewWiring(m, 2, 1)
	if headersOf(must.Have(routes.NewDimensionOrder(w, true))) != nil {
		t.Error("dimension order has witnesses where a router has no node")
	}
}

// Large machines are checked by witnesses, of escape channels too, but not under a routing that
// hides its own.
func TestLargeMachinesByWitnesses(t *testing.T) {
	for _, c := range []string{"mesh:17x16", "torus:17x16", "hyperx:17x16:p1", "torus:11x10x10"} {
		m := topologytest.Machine(t, c)
		w := router.NewWiring(m, 4, 1)
		for _, k := range routes.Builtin() {
			if !k.Suits(m) || branches(k.Name) || k.Name == "dimension-order" {
				continue
			}
			x := must.Have(k.New(w, 1))
			if _, escapes := x.(router.Escaping); !escapes && m.Nodes() <= 1024 {
				continue
			}
			if !deadlock.ByWitnesses(w, x) || deadlock.ByWitnesses(w, plainly{x}) {
				t.Errorf("%s on %s: witnesses where there are none, or the other way round", k.Name, c)
			}
			if err := deadlock.CheckDeadlock(w, x); err != nil {
				t.Errorf("%s on %s: %v", k.Name, c, err)
			}
		}
	}
}

// Witnesses find the cycle that all packets find.
func TestCycleOfALargeMachine(t *testing.T) {
	w := router.NewWiring(topologytest.Machine(t, "torus:11x10x10"), 2, 1)
	x := must.Have(routes.NewDimensionOrder(w, false))
	got, want := deadlock.CheckDeadlock(w, x), deadlock.Cycle(deadlock.Dependencies(w, x))
	if cycle, ok := got.(*deadlock.CycleError); !ok || !slices.Equal(cycle.Channels, want) {
		t.Errorf("%v, by all packets %v", got, want)
	}
}

// The check of machines of 65,536 nodes, and of a dragonfly of 16,512.
func BenchmarkCheckDeadlockLarge(b *testing.B) {
	run := func(name string, m topology.Topology) {
		for _, k := range routes.Builtin() {
			if !k.Suits(m) || topology.Wraps(m) && k.Name == "dimension-order" ||
				strings.HasPrefix(name, "mesh") && strings.HasSuffix(k.Name, "dateline") {
				continue
			}
			b.Run(name+"/"+k.Name, func(b *testing.B) {
				for b.Loop() {
					w, x := over(b, k, m, 0)
					if !deadlock.ByWitnesses(w, x) {
						b.Skip("all pairs of nodes are followed")
					}
					if err := deadlock.CheckDeadlock(w, x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for _, text := range []string{"mesh:256x256", "torus:64x32x32", "tree:4x8", "dragonfly:a16h8p8",
		"hyperx:16x16x16:p16"} {
		run(text, topologytest.Machine(b, text))
	}
}

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

var everyChoice = []routes.UpPort{routes.ByDestination, routes.BySource, routes.Drawn,
	routes.TreeAdaptive}

// The footprint of a packet on a mesh is its path. On a tree it has all ways up to the nearest
// common ancestors and all down from there, or one, if the way depends on the pair alone.
func TestFootprint(t *testing.T) {
	w, order := inOrder(t, 4, 3)
	checkFootprints(t, "mesh", w, order, func(from, to topology.Node) int {
		return 2 + w.Topology.(topology.Metric).Distance(from, to)
	})
	const arity, levels = 3, 3
	m := must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels}))
	w = router.NewWiring(m, 1, 1)
	for _, choice := range everyChoice {
		x := routes.NewTreeUpDown(w, choice, 0)
		checkFootprints(t, fmt.Sprint("tree ", choice), w, x, func(from, to topology.Node) int {
			ways, links := 1, 2
			for a, b := from/arity, to/arity; a != b; a, b = a/arity, b/arity {
				if choice == routes.ByDestination || choice == routes.BySource {
					links += 2
				} else {
					ways *= arity
					links += 2 * ways
				}
			}
			return links
		})
	}
}

// checkFootprints compares the number of different links that packets of each pair may use.
func checkFootprints(t *testing.T, name string, w *router.Wiring, x router.Routing,
	want func(from, to topology.Node) int) {
	t.Helper()
	f := deadlock.NewFootprint(w, x)
	f.Exhaust() // pairs may be more than there are numbers
	nodes := topology.Node(w.Topology.Nodes())
	for from := range nodes {
		for to := range nodes {
			if from == to {
				continue
			}
			links := map[router.Link]bool{}
			f.Links(from, to, func(l router.Link) { links[l] = true })
			if want := want(from, to); len(links) != want {
				t.Fatalf("%s: packets from %d to %d may use %d links, want %d", name, from, to,
					len(links), want)
			}
		}
	}
}
