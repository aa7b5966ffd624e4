package routes

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// With datelines both kinds of packets have the middle of an odd number of virtual channels, but on
// the links before the end, where the kind that has more ways has it.
func TestMiddleVirtualChannelOfADateline(t *testing.T) {
	w := torus(t, 3, 8)
	plain, balanced := must.Have(NewDimensionOrder(w, true)), must.Have(newBalancedDateline(w, 1))
	for _, c := range []struct {
		from, at, to topology.Node
		want, kept   string // virtual channels with dateline, and where a packet keeps its half
	}{
		{4, 4, 0, "[0]", ""}, {4, 4, 7, "[1 2]", "[1 2]"}, // up; 4 to 0 may go down too
		{5, 5, 0, "[0]", "[0]"}, {5, 5, 7, "[1 2]", "[1 2]"}, // 3 ways cross, 7 do not
		{5, 6, 0, "[0 1]", "[0 1]"}, {5, 6, 7, "[2]", "[2]"}, // 6 ways cross, 4 do not
		{5, 7, 0, "[0 1]", "[0 1]"}, {6, 0, 1, "[1 2]", "[0 1]"}, {0, 0, 1, "[1 2]", "[1 2]"},
		{2, 1, 7, "[0]", "[0 1]"}, {2, 1, 0, "[1 2]", "[2]"}, // down; the longest ways only up
		{3, 3, 0, "[1 2]", "[1 2]"}, {1, 0, 7, "[0 1]", "[0 1]"}, {0, 7, 6, "[1 2]", "[0 1]"},
	} {
		for x, want := range map[router.Routing]string{plain: c.want, balanced: c.kept} {
			h := router.Header{Source: c.from, Destination: c.to}
			var got []router.Channel
			for _, at := range x.Possible(nil, topology.Router(c.at), 0, &h) {
				got = append(got, at-w.First(w.LinkOf(at)))
			}
			if want != "" && fmt.Sprint(got) != want {
				t.Errorf("%T from %d at %d to %d: virtual channels %v, want %s", x, c.from, c.at, c.to,
					got, want)
			}
		}
	}
	for _, dims := range [][]int{{3}, {4}, {5}, {8}, {5, 5}, {4, 3}, {8, 7}, {3, 4, 5}} {
		for _, virtual := range []int{3, 5} {
			w := torus(t, virtual, dims...)
			for _, x := range []router.Routing{must.Have(NewDimensionOrder(w, true)),
				must.Have(newBalancedDateline(w, 1))} {
				if err := deadlock.CheckDeadlock(w, x); err != nil {
					t.Errorf("%T on %v with %d virtual channels: %v", x, dims, virtual, err)
				}
			}
		}
	}
}

// Were both kinds given the middle one everywhere, channels would depend on each other in a cycle.
func TestMiddleVirtualChannelForAll(t *testing.T) {
	w := torus(t, 3, 5)
	x := must.Have(newBalancedDateline(w, 1))
	clear(x.sharing)
	if err := deadlock.CheckDeadlock(w, x); err == nil {
		t.Error("no cycle was found")
	}
}
