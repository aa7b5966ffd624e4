package routes

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

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
