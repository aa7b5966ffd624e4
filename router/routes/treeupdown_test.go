package routes

import (
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

func tree(t *testing.T, c topology.TreeConfig) *topology.Tree {
	t.Helper()
	m := must.Have(topology.NewTree(c))
	return m
}

func treeUpDown(t *testing.T, m topology.Topology, virtual int, choice UpPort) (*router.Wiring,
	*TreeUpDown) {
	t.Helper()
	w := router.NewWiring(m, virtual, 1)
	x := NewTreeUpDown(w, choice, 42)
	return w, x
}

// Adaptive offers every port up once, that of d-mod-k first and the others in
// turn, first the first virtual channel of all of them.
func TestAdaptiveOffersAllPorts(t *testing.T) {
	m := tree(t, topology.TreeConfig{Arity: 4, Levels: 3})
	w, x := treeUpDown(t, m, 2, TreeAdaptive)
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
		w, x := treeUpDown(t, m, 1, k.choice)
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

// fewerCredits is a View of idle channels, with fewer credits on one of them.
type fewerCredits router.Channel

func (fewerCredits) Free(router.Channel) bool    { return true }
func (fewerCredits) Queued(router.Channel) int32 { return 0 }
func (c fewerCredits) Credits(o router.Channel) int32 {
	if o == router.Channel(c) {
		return 7
	}
	return 8
}

// By credits, the port with fewer of them comes last. Of the others that of d-mod-k comes first, or
// each for about a third of the packets.
func TestPortsUpByCredits(t *testing.T) {
	m := tree(t, topology.TreeConfig{Arity: 4, Levels: 3})
	w := router.NewWiring(m, 1, 1)
	port := func(p topology.Port) router.Channel {
		l, _ := w.Out(0, 4+p)
		return w.First(l)
	}
	const packets = 3000
	for i, draws := range []bool{false, true} {
		x := must.Have(treeByCreditsMakers[i].New(w, 42))
		first := map[router.Channel]int{}
		for n := range int64(packets) {
			h := router.Header{Destination: 6, Packet: n} // by its digits 012 up by port 2
			got := x.Route(nil, 0, w.Injection(0), &h, fewerCredits(port(1)))
			if len(got) != 4 || got[3] != port(1) {
				t.Fatalf("draws %v: %v, want channel %d last", draws, got, port(1))
			}
			first[got[0]]++
		}
		for _, p := range []topology.Port{0, 2, 3} {
			low, high := 0, 0
			switch {
			case draws:
				low, high = packets*3/10, packets*11/30
			case p == 2:
				low, high = packets, packets
			}
			if n := first[port(p)]; n < low || n > high {
				t.Errorf("draws %v: port %d first for %d of %d packets", draws, p, n, packets)
			}
		}
	}
}

// creditsOf is a view in which VCs have given credits.
type creditsOf map[router.Channel]int32

func (creditsOf) Free(router.Channel) bool         { return true }
func (v creditsOf) Credits(c router.Channel) int32 { return v[c] }
func (creditsOf) Queued(router.Channel) int32      { return 0 }

// Of four ports up the k-th best is the better of two drawn ones, with replacement, with a
// probability of (2(4-k)+1)/16.
func TestTwoChoices(t *testing.T) {
	m := must.Have(topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 2}))
	w := router.NewWiring(m, 2, 1)
	x := must.Have(treeTwoChoicesMaker.New(w, 3))
	r := w.Enters(w.Injection(0))
	v, rank, order := creditsOf{}, map[router.Link]int{}, []int{2, 0, 3, 1} // of the ports up
	for p, k := range order {
		l, ok := w.Out(r, topology.Port(4+p))
		if !ok {
			t.Fatalf("no port %d", 4+p)
		}
		rank[l] = k
		v[w.First(l)], v[w.First(l)+1] = int32(p), int32(10-3*k-p) // the sum counts, not one VC
	}
	const packets = 16000
	var taken [4]int
	for p := range int64(packets) {
		h := router.Header{Destination: 15, Packet: p}
		taken[rank[w.LinkOf(x.Route(nil, r, w.Injection(0), &h, v)[0])]]++
	}
	for k, n := range taken {
		want := (2*(4-k-1) + 1) * packets / 16
		if n < want-300 || n > want+300 { // five standard deviations of 0.4 are 310
			t.Errorf("the port with place %d is taken by %d packets, want about %d", k, n, want)
		}
	}
}
