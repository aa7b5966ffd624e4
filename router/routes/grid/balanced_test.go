package grid

import (
	"testing"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
)

// torus returns the wiring of a torus with so many virtual channels a link.
func torus(t *testing.T, virtual int, dims ...int) *router.Wiring {
	t.Helper()
	c := topology.CubeConfig{Dims: dims}
	for range dims {
		c.Wrap = append(c.Wrap, true)
	}
	m, err := topology.NewCube(c)
	if err != nil {
		t.Fatal(err)
	}
	return router.NewWiring(m, virtual, 1)
}

// Though no packet changes its class on the way, no cycle of channels remains.
func TestBalancedCannotDeadlock(t *testing.T) {
	for _, dims := range [][]int{{3}, {4}, {5}, {6}, {7}, {8}, {4, 4}, {5, 3}, {2, 6}, {3, 4, 3}} {
		for _, virtual := range []int{2, 3, 4} {
			w := torus(t, virtual, dims...)
			x, err := NewBalanced(w, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := deadlock.CheckDeadlock(w, x); err != nil {
				t.Errorf("torus %v, V = %d: %v", dims, virtual, err)
			}
		}
	}
}

// Half of the packets that go half-way round a ring go either way, and each has
// one virtual channel all along.
func TestBalancedWays(t *testing.T) {
	w := torus(t, 2, 8)
	x, err := NewBalanced(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	const packets = 2000
	upwards := 0
	for p := range int64(packets) {
		h := router.Header{Source: topology.Node(p % 8), Destination: topology.Node((p + 4) % 8),
			Packet: p}
		at, class := w.Injection(h.Source), router.Channel(-1)
		for hop := 0; ; hop++ {
			_, here := w.Ends(w.LinkOf(at))
			offered := x.Route(nil, here.Router, at, &h, nil)
			if at = offered[0]; at == w.Ejection(h.Destination) {
				break
			}
			from, to := w.Ends(w.LinkOf(at))
			if hop == 0 && (int(to.Router)-int(from.Router)+8)%8 == 1 {
				upwards++
			}
			v := at - w.First(w.LinkOf(at))
			if len(offered) != 1 || class >= 0 && v != class {
				t.Fatalf("packet %d from %d: %d channels offered, virtual channel %d after %d",
					p, h.Source, len(offered), v, class)
			}
			class = v
		}
	}
	// Five standard deviations of a fair coin are 112.
	if upwards < packets/2-112 || upwards > packets/2+112 {
		t.Errorf("%d of %d packets go upwards", upwards, packets)
	}
}
