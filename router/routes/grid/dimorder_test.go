package grid

import (
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
)

// With datelines the middle of an odd number of virtual channels belongs to packets that need not
// cross the end, but on the link over the end, which these never take.
func TestMiddleVirtualChannelOfADateline(t *testing.T) {
	w := torus(t, 3, 5)
	x := must.Have(NewDimensionOrder(w, true))
	for _, c := range []struct {
		at, to topology.Node
		want   []router.Channel // virtual channels
	}{
		{3, 0, []router.Channel{0}}, {4, 0, []router.Channel{0, 1}}, {4, 1, []router.Channel{0, 1}},
		{0, 1, []router.Channel{1, 2}}, {2, 4, []router.Channel{1, 2}},
		{1, 4, []router.Channel{0}}, {0, 4, []router.Channel{0, 1}}, {4, 3, []router.Channel{1, 2}},
	} {
		h := router.Header{Destination: c.to}
		var got []router.Channel
		for _, at := range x.Possible(nil, topology.Router(c.at), 0, &h) {
			got = append(got, at-w.First(w.LinkOf(at)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d: virtual channels %v, want %v", c.at, c.to, got, c.want)
		}
	}
	for _, dims := range [][]int{{3}, {4}, {5}, {5, 5}, {4, 3}, {3, 4, 5}} {
		for _, virtual := range []int{3, 5} {
			w := torus(t, virtual, dims...)
			if err := deadlock.CheckDeadlock(w, must.Have(NewDimensionOrder(w, true))); err != nil {
				t.Errorf("%v with %d virtual channels: %v", dims, virtual, err)
			}
		}
	}
}
