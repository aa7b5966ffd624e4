package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"

	"github.com/google/go-cmp/cmp"
)

// graph is a machine of any shape: routers joined by lists of neighbours, the
// nodes on routers as listed.
type graph struct {
	next  [][]int
	homes []int // the router of each node
}

func (g graph) Nodes() int   { return len(g.homes) }
func (g graph) Routers() int { return len(g.next) }

func (g graph) Ports() int {
	most := 0
	for _, next := range g.next {
		most = max(most, len(next))
	}
	return most + len(g.homes)
}

func (g graph) Attach(n topology.Node) (topology.Router, topology.Port) {
	return topology.Router(g.homes[n]), topology.Port(g.Ports() - len(g.homes) + int(n))
}

func (g graph) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	if int(p) >= len(g.next[r]) {
		return 0, 0, false
	}
	to := g.next[r][p]
	return topology.Router(to), topology.Port(slices.Index(g.next[to], int(r))), true
}

// irregular is a connected graph: a random tree with more channels, a third of
// its routers without nodes, others with up to three.
func irregular(routers int) graph {
	stream := rand.New(rand.NewPCG(4, uint64(routers)))
	g := graph{next: make([][]int, routers)}
	join := func(a, b int) {
		if a != b && !slices.Contains(g.next[a], b) {
			g.next[a], g.next[b] = append(g.next[a], b), append(g.next[b], a)
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
			g.homes = append(g.homes, r)
		}
	}
	return g
}

func cube(t testing.TB, c topology.CubeConfig) *topology.Cube {
	t.Helper()
	machine, err := topology.NewCube(c)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// cplant is the machine of [Leung et al. 2002, sec. 4]: an 8x8 torus of routers,
// four of whose rows have four processors on each. Which rows is not said.
func cplant(t testing.TB) *topology.Cube {
	return cube(t, topology.CubeConfig{Dims: []int{8, 8}, Wrap: []bool{true, true}, Concentration: 4,
		ServiceRows: []int{4, 5, 6, 7}})
}

// orderMachines are machines of all kinds.
func orderMachines(t testing.TB) map[string]topology.Topology {
	hyper, err := topology.Hypercube(5)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]topology.Topology{
		"8x8":    mesh(t, 8, 8),
		"8x8x5":  mesh(t, 8, 8, 5),
		"cplant": cplant(t),
		"other rows": cube(t, topology.CubeConfig{Dims: []int{8, 8}, Wrap: []bool{true, true},
			Concentration: 4, ServiceRows: []int{0, 2, 3, 6}}),
		"line":            mesh(t, 9),
		"one":             mesh(t, 1),
		"two":             mesh(t, 2),
		"ring":            cube(t, topology.CubeConfig{Dims: []int{7}, Wrap: []bool{true}}),
		"concentration":   cube(t, topology.CubeConfig{Dims: []int{3, 5}, Concentration: 3}),
		"four dimensions": mesh(t, 3, 2, 4, 2),
		"hypercube":       hyper,
		"irregular":       irregular(40),
		"one router":      graph{next: [][]int{nil}, homes: []int{0, 0, 0}},
	}
}

// checkOrder holds an order against what all promise: each node once, those of
// a router together.
func checkOrder(t *testing.T, where string, machine topology.Topology, order []topology.Node) {
	t.Helper()
	left := map[topology.Router]bool{}
	for i, n := range order {
		r, _ := machine.Attach(n)
		if left[r] {
			t.Errorf("%s: the nodes of router %d are apart", where, r)
		}
		if i+1 < len(order) {
			if next, _ := machine.Attach(order[i+1]); next != r {
				left[r] = true
			}
		}
	}
	if order = slices.Sorted(slices.Values(order)); !slices.Equal(order, byNumber(machine)) {
		t.Errorf("%s: not every node once: %v", where, order)
	}
}

func TestOrdersArePermutations(t *testing.T) {
	for name, machine := range orderMachines(t) {
		made := 0
		for _, info := range NodeOrders() {
			if info.Name == Optimized { // see TestOptimizedBeatsTheCurves
				continue
			}
			if order, err := NewOrder(info.Name, machine); err == nil {
				made++
				checkOrder(t, name+", "+info.Name, machine, order)
			}
		}
		if _, ok := machine.(*topology.Cube); made < 1 || ok && made < 5 {
			t.Errorf("%s: only %d orders", name, made)
		}
	}
}

// An order is its curve over the routers, those without nodes left out.
func TestOrderFollowsTheCurve(t *testing.T) {
	machine := cplant(t)
	var want []topology.Node
	for _, router := range draw(t, Hilbert, 8, 8) {
		first, n := machine.NodesAt(topology.Router(router))
		for i := range n {
			want = append(want, first+topology.Node(i))
		}
	}
	if got := makeOrder(t, Hilbert, machine); !slices.Equal(got, want) || len(got) != 128 {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestTurnedOrders(t *testing.T) {
	machine := mesh(t, 3, 2)
	for name, want := range map[string][]topology.Node{
		"row-major":    {0, 1, 2, 3, 4, 5},
		"row-major/xy": {0, 1, 2, 3, 4, 5},
		"row-major/yx": {0, 3, 1, 4, 2, 5},
		"snake/yx":     {0, 3, 4, 1, 2, 5},
		"snake/x-y":    {3, 4, 5, 2, 1, 0},
		"snake/-x-y":   {5, 4, 3, 0, 1, 2},
		"snake/-yx":    {3, 0, 1, 4, 5, 2},
	} {
		if diff := cmp.Diff(want, makeOrder(t, name, machine)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	// Turned curves are curves: neighbours stay neighbours.
	box := mesh(t, 8, 4, 2)
	for _, name := range []string{"hilbert/zyx", "hilbert/-yz-x", "hilbert/x-y-z"} {
		order := makeOrder(t, name, box)
		checkOrder(t, name, box, order)
		for i := 1; i < len(order); i++ {
			if box.Distance(order[i-1], order[i]) != 1 {
				t.Errorf("%s jumps", name)
			}
		}
	}
	if !slices.Equal(makeOrder(t, Morton, box), makeOrder(t, ShuffledRowMajor, box)) {
		t.Error("Morton order is not shuffled row-major")
	}
}

func TestOrderErrors(t *testing.T) {
	parts := graph{next: [][]int{{1}, {0}, nil}, homes: []int{0, 1, 2}}
	for _, c := range []struct {
		name    string
		machine topology.Topology
		want    string
	}{
		{"hilber", mesh(t, 4, 4), `unknown order "hilber": there are row-major, shuffled-row-major, ` +
			`snake, shuffled-snake, middle-out, hilbert, h-index, optimized`},
		{"hilbert/", mesh(t, 4, 4), `order "hilbert/": after the slash each of the dimensions x, y ` +
			`must stand once, with a minus if it is to be counted from its far end`},
		{"hilbert/xz", mesh(t, 4, 4), `order "hilbert/xz": after the slash each of the dimensions x, ` +
			`y must stand once, with a minus if it is to be counted from its far end`},
		{"snake/xy-", mesh(t, 4, 4), `order "snake/xy-": after the slash each of the dimensions x, y ` +
			`must stand once, with a minus if it is to be counted from its far end`},
		{"snake/xx", mesh(t, 4, 4), `order "snake/xx": after the slash each of the dimensions x, y ` +
			`must stand once, with a minus if it is to be counted from its far end`},
		{"snake/x", mesh(t, 2, 2, 2, 2, 2, 2, 2),
			`order "snake/x": curves can be turned in up to 6 dimensions; this machine has 7`},
		{HIndex, mesh(t, 4, 4, 4), "order h-index needs two dimensions; this machine has 3: hilbert " +
			"would do"},
		{"optimized/yx", mesh(t, 4, 4),
			"order optimized/yx: optimized cannot be turned; only curves can"},
		{Hilbert, irregular(12), "order hilbert needs a mesh, a torus or a hypercube; this machine is " +
			"none: row-major or optimized would do"},
		{Optimized, parts, "order optimized: this machine is in parts: there is no way from router 0 " +
			"to router 2"},
		{Optimized, mesh(t, 128, 65), "order optimized: this machine has nodes on 8320 routers; a " +
			"table of distances is made for up to 8192"},
	} {
		if _, err := NewOrder(c.name, c.machine); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// byPairs is the objective by its definition: all pairs, distances asked of
// the machine where it knows them.
func byPairs(d *distances, order []topology.Node) float64 {
	sum := int64(0)
	for i, a := range order {
		for j, b := range order[:i] {
			gap := min(i-j, len(order)-i+j)
			sum += weightOf(gap) * int64(d.row(d.home[a])[d.home[b]])
		}
	}
	return float64(sum) / weightUnit
}

func TestObjectiveIsTheSumOverPairs(t *testing.T) {
	for name, machine := range orderMachines(t) {
		d, err := newDistances(machine)
		if err != nil {
			t.Fatal(err)
		}
		if metric, ok := machine.(topology.Metric); ok {
			for a := range topology.Node(machine.Nodes()) {
				for b := range topology.Node(machine.Nodes()) {
					if got := int(d.row(d.home[a])[d.home[b]]); got != metric.Distance(a, b) {
						t.Fatalf("%s: %d to %d in %d hops, want %d", name, a, b, got, metric.Distance(a, b))
					}
				}
			}
		}
		order := byNumber(machine)
		if got, want := float64(objective(d, order))/weightUnit, byPairs(d, order); got != want {
			t.Errorf("%s: objective %v, over pairs %v", name, got, want)
		}
	}
	// By hand: on a line of four, ring span, there are four pairs of ranks that
	// differ by 1, three of one hop and one of three, and two of two hops by 2.
	d, _ := newDistances(mesh(t, 4))
	if got, want := objective(d, byNumber(mesh(t, 4))), 6*weightOf(1)+4*weightOf(2); got != want {
		t.Errorf("line of four: %d, want %d", got, want)
	}
}

// What a move would add is what it adds, on machines of one node a router and
// of several, larger and smaller than the window.
func TestChangeIsTheDifference(t *testing.T) {
	for name, machine := range orderMachines(t) {
		if name == "irregular" { // the homes' objective is not the nodes' there
			continue
		}
		d, err := newDistances(machine)
		if err != nil || d.homes < 4 {
			continue
		}
		s := newOrderSearch(d, homesOf(d, byNumber(machine)), rand.New(rand.NewPCG(1, 1)))
		cost := objective(d, s.nodes(machine))
		for range 400 {
			if !s.propose() {
				continue
			}
			change := s.change()
			s.make()
			after := objective(d, s.nodes(machine))
			if after-cost != change {
				t.Fatalf("%s: a move from %v to %v adds %d, said %d", name, s.old, s.new, after-cost, change)
			}
			cost = after
		}
	}
}

// The optimized order is at least as good as every curve by its own objective,
// better where it can be, the same whenever it is asked for, and the best where
// that is plain: a ring as it is.
func TestOptimizedBeatsTheCurves(t *testing.T) {
	for name, machine := range orderMachines(t) {
		d, err := newDistances(machine)
		if err != nil {
			t.Fatal(err)
		}
		order := makeOrder(t, Optimized, machine)
		checkOrder(t, name, machine, order)
		_, least := startingOrder(machine, d)
		cost := objective(d, order)
		t.Logf("%s: curves %d, optimized %d (%.1f%% less)", name, least, cost,
			100*(1-float64(cost)/float64(least)))
		if cost > least {
			t.Errorf("%s: optimized has %d, the best curve %d", name, cost, least)
		}
		switch name {
		case "8x8", "8x8x5", "other rows", "irregular":
			if float64(cost) > 0.98*float64(least) {
				t.Errorf("%s: optimized has %d, the best curve %d", name, cost, least)
			}
		case "ring":
			if !slices.Equal(order, byNumber(machine)) {
				t.Errorf("the ring is %v", order)
			}
		case "cplant":
			if !slices.Equal(order, makeOrder(t, Optimized, machine)) {
				t.Error("another order the second time")
			}
		}
	}
}

// The costs of all orders of a machine, the optimized one last and least.
func TestOrderCosts(t *testing.T) {
	costs, err := OrderCosts(mesh(t, 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range costs {
		names = append(names, c.Name)
		if c.Cost < costs[len(costs)-1].Cost {
			t.Errorf("%v is less than the optimized", c)
		}
	}
	if want := []string{RowMajor, ShuffledRowMajor, Snake, ShuffledSnake, MiddleOut, Hilbert, HIndex,
		Optimized}; !slices.Equal(names, want) {
		t.Errorf("orders %v, want %v", names, want)
	}
}

// Every order has a line about it that says where it is from.
func TestOrdersAreListed(t *testing.T) {
	for _, info := range NodeOrders() {
		if !strings.ContainsAny(info.Doc, "(") {
			t.Errorf("%s: %q cites nothing", info.Name, info.Doc)
		}
	}
	if len(Orders()) != 5 || Orders()[0].Name != RowMajor {
		t.Errorf("orders of pages: %v", Orders())
	}
}

func BenchmarkOptimizedOrder(b *testing.B) {
	for _, c := range []topology.CubeConfig{
		{Dims: []int{8, 8}, Wrap: []bool{true, true}, Concentration: 4, ServiceRows: []int{4, 5, 6, 7}},
		{Dims: []int{16, 16}}, {Dims: []int{16, 16}, Concentration: 4}, {Dims: []int{32, 32}},
		{Dims: []int{64, 64}},
	} {
		machine := cube(b, c)
		b.Run(fmt.Sprintf("%v-%d-nodes", c.Dims, machine.Nodes()), func(b *testing.B) {
			for b.Loop() {
				makeOrder(b, Optimized, machine)
			}
		})
	}
}
