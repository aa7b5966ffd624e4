package tree

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routertest"
)

var everyChoice = []UpPort{ByDestination, BySource, Drawn, Adaptive}

func tree(t *testing.T, c topology.TreeConfig) *topology.Tree {
	t.Helper()
	m, err := topology.NewTree(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fatTrees have bundles and rails, levels of other sizes, and missing nodes.
var fatTrees = []topology.FatTreeConfig{{Children: []int{5}, Rails: 2},
	{Children: []int{4, 3}, Parents: []int{2}},
	{Children: []int{3, 2}, Parents: []int{1}, Bundle: []int{3}},
	{Children: []int{2, 3, 2}, Parents: []int{2, 2}, Bundle: []int{2, 3}},
	{Children: []int{2, 2, 2}, Parents: []int{3, 1}, Bundle: []int{1, 2}, Rails: 3},
	{Children: []int{1, 3, 2}, Rails: 2, Nodes: 5}}

func trees(t *testing.T) []*topology.FatTree {
	t.Helper()
	var out []*topology.FatTree
	for _, c := range []topology.TreeConfig{
		{Arity: 4, Levels: 1}, {Arity: 2, Levels: 4}, {Arity: 3, Levels: 3}, {Arity: 4, Levels: 3,
			Nodes: 50},
		{Arity: 4, Levels: 3, UpPorts: []int{2}}, {Arity: 3, Levels: 4, UpPorts: []int{2, 3, 1},
			Nodes: 60}, {Arity: 4, Levels: 2, UpPorts: []int{1}},
	} {
		out = append(out, tree(t, c).FatTree)
	}
	for _, c := range fatTrees {
		m, err := topology.NewFatTree(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func upDown(t *testing.T, m topology.Topology, virtual int, choice UpPort) (*router.Wiring,
	*UpDown) {
	t.Helper()
	w := router.NewWiring(m, virtual, 1)
	x, err := NewUpDown(w, choice, 42)
	if err != nil {
		t.Fatal(err)
	}
	return w, x
}

// Up/down routing keeps its contract, takes shortest paths and cannot deadlock.
func TestUpDownConforms(t *testing.T) {
	for i, m := range trees(t) {
		for _, choice := range everyChoice {
			for _, virtual := range []int{1, 2} {
				w, x := upDown(t, m, virtual, choice)
				if err := routertest.Check(w, x, routertest.Options{Minimal: true, Rounds: 1}); err != nil {
					t.Errorf("tree %d, choice %d: %v", i, choice, err)
				}
			}
		}
	}
}

// Adaptive offers every port up once, that of d-mod-k first and the others in
// turn, first the first virtual channel of all of them.
func TestAdaptiveOffersAllPorts(t *testing.T) {
	m := tree(t, topology.TreeConfig{Arity: 4, Levels: 3})
	w, x := upDown(t, m, 2, Adaptive)
	for to := range topology.Node(m.Nodes()) {
		if to < 4 {
			continue
		}
		var want []router.Channel
		for v := range router.Channel(2) {
			for i := range topology.Port(4) {
				l, _ := w.Out(0, 4+(topology.Port(to)%4+i)%4)
				want = append(want, w.First(l)+v)
			}
		}
		if got := x.Route(nil, 0, w.Injection(0), &router.Header{Destination: to},
			nil); !slices.Equal(got,
			want) {
			t.Fatalf("to %d: %v, want %v", to, got, want)
		}
	}
}

// The digits: node 27 is 123 in base 4, node 6 is 012. D-mod-k goes up by 3, then
// 2; s-mod-k by 2, then 1.
func TestDigitsOfTheWayUp(t *testing.T) {
	m := tree(t, topology.TreeConfig{Arity: 4, Levels: 3})
	for _, k := range []struct {
		choice UpPort
		ports  []topology.Port
	}{{ByDestination, []topology.Port{4 + 3, 4 + 2, 1, 2, 3}}, {BySource, []topology.Port{4 + 2,
		4 + 1, 1, 2, 3}}} {
		w, x := upDown(t, m, 1, k.choice)
		at, h := w.Injection(6), router.Header{Source: 6, Destination: 27}
		for i, want := range k.ports {
			_, here := w.Ends(w.LinkOf(at))
			at = x.Route(nil, here.Router, at, &h, nil)[0]
			if from, _ := w.Ends(w.LinkOf(at)); from.Port != want {
				t.Errorf("choice %d, step %d: port %d, want %d", k.choice, i, from.Port, want)
			}
		}
		if at != w.Ejection(27) {
			t.Errorf("choice %d ends at %s", k.choice, w.Describe(at))
		}
	}
}

// Ports drawn are as likely as each other, stay the same when asked again, and
// change with the seed.
func TestDrawnPorts(t *testing.T) {
	m := tree(t, topology.TreeConfig{Arity: 3, Levels: 3})
	w, x := upDown(t, m, 1, Drawn)
	y, err := NewUpDown(w, Drawn, 43)
	if err != nil {
		t.Fatal(err)
	}
	const packets = 30000
	for _, r := range []topology.Router{0, 5, 10} {
		from := topology.Node(x.places[r].from)
		to := (from + topology.Node(x.places[r].span)) % topology.Node(m.Nodes())
		count, same := map[router.Channel]int{}, 0
		for i := range int64(packets) {
			h := router.Header{Source: from, Destination: to, Packet: i}
			c := x.Route(nil, r, 0, &h, nil)[0]
			if again := x.Route(nil, r, 0, &h, nil)[0]; again != c {
				t.Fatalf("packet %d got channel %d, then %d", i, c, again)
			}
			if y.Route(nil, r, 0, &h, nil)[0] == c {
				same++
			}
			count[c]++
		}
		spread := 5 * math.Sqrt(packets*2./9)
		for c, n := range count {
			if math.Abs(float64(n)-packets/3.) > spread {
				t.Errorf("router %d: channel %d drawn %d of %d times", r, c, n, packets)
			}
		}
		if len(count) != 3 || math.Abs(float64(same)-packets/3.) > spread {
			t.Errorf("router %d: %d ports drawn, %d of %d the same with another seed", r, len(count), same,
				packets)
		}
	}
}

func TestUpDownNeedsATree(t *testing.T) {
	m, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewUpDown(router.NewWiring(m, 1, 1), ByDestination, 0); err == nil {
		t.Error("a mesh was accepted")
	}
}

// Asking takes no memory.
func TestRouteAllocatesNothing(t *testing.T) {
	m := tree(t, topology.TreeConfig{Arity: 4, Levels: 4})
	for _, choice := range everyChoice {
		w, x := upDown(t, m, 1, choice)
		dst := make([]router.Channel, 0, x.Traits().Choices)
		if n := testing.AllocsPerRun(100, func() {
			x.Route(dst, 0, w.Injection(0),
				&router.Header{Destination: 200}, nil)
		}); n != 0 {
			t.Errorf("choice %d: %v allocations", choice, n)
		}
	}
}

func BenchmarkCheckDeadlock(b *testing.B) {
	for _, levels := range []int{4, 6} {
		for _, choice := range everyChoice {
			b.Run(fmt.Sprint(levels, " levels/", choice), func(b *testing.B) {
				m, err := topology.NewTree(topology.TreeConfig{Arity: 4, Levels: levels})
				if err != nil {
					b.Fatal(err)
				}
				w := router.NewWiring(m, 1, 1)
				x, err := NewUpDown(w, choice, 0)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if err := deadlock.CheckDeadlock(w, x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
