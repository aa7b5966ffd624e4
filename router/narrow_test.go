package router_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/grid"
)

// Large networks go through the words of their input ports by a summary, small ones through all of
// them. Both send the same flits, with numbers of virtual channels that fill their bits and that
// do not.
func TestSummaryOfInputPortsChangesNothing(t *testing.T) {
	for _, virtual := range []int{2, 3, 4, 5} {
		all, summary := sentOnMesh(t, virtual, false), sentOnMesh(t, virtual, true)
		if len(all) != 200 {
			t.Errorf("%d virtual channels: %d packets arrived, want 200", virtual, len(all))
		}
		if d := cmp.Diff(all, summary); d != "" {
			t.Errorf("%d virtual channels: arrivals differ (-all +summary):\n%s", virtual, d)
		}
	}
}

// sentOnMesh returns the arrivals of 200 packets on a mesh, with or without the summary.
func sentOnMesh(t *testing.T, virtual int, summary bool) (list []router.Arrival) {
	c, err := topology.NewCube(topology.CubeConfig{Dims: []int{12, 12}})
	if err != nil {
		t.Fatal(err)
	}
	w := router.NewWiring(c, virtual, 1)
	x, err := grid.NewDimensionOrder(w, false)
	if err != nil {
		t.Fatal(err)
	}
	b := router.New(w, x, router.Timing{Routing: 1, Link: 1, Flit: 1, Credit: 1, Buffer: 2,
		InputSpeedup: 1}, 8,
		router.CycleDriven)
	if !b.Summarize(summary) {
		t.Fatal("the engine of narrowSwitch is not used")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		from, to := topology.Node(rng.IntN(144)), topology.Node(rng.IntN(144))
		b.Offer(router.Offer{From: from, To: to, Flits: 8, Message: -1, Number: int64(i)})
	}
	for len(list) < 200 {
		arrivals, err := b.Advance(b.Now() + 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(arrivals) == 0 && b.Now() > 100000 {
			break
		}
		list = append(list, arrivals...)
	}
	return list
}
