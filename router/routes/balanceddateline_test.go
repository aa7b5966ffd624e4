package routes

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// torus returns the wiring of a torus with so many virtual channels a link.
func torus(t *testing.T, virtual int, dims ...int) *router.Wiring {
	t.Helper()
	c := topology.CubeConfig{Dims: dims}
	for range dims {
		c.Wrap = append(c.Wrap, true)
	}
	m := must.Have(topology.NewCube(c))
	return router.NewWiring(m, virtual, 1)
}

// On a ring the shorter way is taken, and upwards where both are as long.
func TestShorterWayRound(t *testing.T) {
	for n := 3; n <= 9; n++ {
		w := torus(t, 2, n)
		x := must.Have(NewDimensionOrder(w, true))
		for ahead := 1; ahead < n; ahead++ {
			port := topology.Port(1)
			if 2*ahead > n {
				port = 0
			}
			want, _ := w.Out(0, port)
			h := router.Header{Destination: topology.Node(ahead)}
			if c := x.Route(nil, 0, 0, &h, nil)[0]; w.LinkOf(c) != want {
				t.Errorf("%d routers, %d ahead: by %s", n, ahead, w.Describe(c))
			}
		}
	}
}

// Half of the packets that go half-way round a ring go either way, and each has
// one virtual channel all along.
func TestBalancedWays(t *testing.T) {
	w := torus(t, 2, 8)
	x := must.Have(newBalancedDateline(w, 1))
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
