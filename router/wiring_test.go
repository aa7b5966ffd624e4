package router

import (
	"testing"

	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Every channel has one number, and the numbers know where they come from.
func TestWiring(t *testing.T) {
	for _, text := range []string{"mesh:9", "torus:5x4", "hypercube:4", "tree:3x2", "hyperx:4x3:w2p2",
		"dragonfly:a3h2p2g4"} {
		m := topologytest.Machine(t, text)
		w := NewWiring(m, 2, 3)
		network := 0
		for r := range topology.Router(m.Routers()) {
			for p := range topology.Port(m.Ports()) {
				r2, p2, ok := m.Peer(r, p)
				if !ok {
					continue
				}
				network++
				l, ok := w.Out(r, p)
				from, to := w.Ends(l)
				if !ok || w.Kind(l) != Network || from.Router != r || from.Port != p || to.Router != r2 ||
					to.Port != p2 {
					t.Fatalf("%s: the channel from port %d of router %d goes from %+v to %+v", text, p, r,
						from, to)
				}
			}
		}
		if got, want := w.Links(), network+4*m.Nodes(); got != want {
			t.Errorf("%s: %d links, want %d", text, got, want)
		}
		there := 0
		for c := range Channel(w.Channels()) {
			if w.Has(c) {
				there++
			}
		}
		if got, want := there, 2*network+4*m.Nodes(); got != want {
			t.Errorf("%s: %d channels, want %d", text, got, want)
		}
		for n := range topology.Node(m.Nodes()) {
			r, p := m.Attach(n)
			if from, to := w.Ends(w.LinkOf(w.Injection(n))); from.Node != n || to.Router != r ||
				to.Port != p {
				t.Errorf("%s: node %d injects from %+v to %+v", text, n, from, to)
			}
			if from, to := w.Ends(w.LinkOf(w.Ejection(n))); to.Node != n || from.Router != r ||
				from.Port != p {
				t.Errorf("%s: node %d is reached from %+v at %+v", text, n, from, to)
			}
		}
	}
}

// Who asks about a link or a channel that there is not learns whose mistake it is.
func TestWiringNamesWhatIsMissing(t *testing.T) {
	c, err := topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(c, 1, 1)
	for want, ask := range map[string]func(){
		"router: Wiring.First was asked about link -1, but there are links 0 to 41 only": func() {
			l, _ := w.Out(0, 0)
			w.First(l)
		},
		"router: Wiring.First was asked about link 42, but there are links 0 to 41 only": func() {
			w.First(42)
		},
		"router: Wiring.LinkOf was asked about channel -1, but there are channels 0 to 41 only": func() {
			w.LinkOf(-1)
		},
		"router: Wiring.Out was asked about router 9, but there are routers 0 to 8 only": func() {
			w.Out(9, 0)
		},
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got the panic %v, want %s", got, want)
				}
			}()
			ask()
		}()
	}
	if l, ok := w.Out(0, 99); ok || l != -1 {
		t.Errorf("port 99 leads to link %d", l)
	}
}

// On a mesh of two dimensions the channel found without jumps is that of the rule, at the ends of
// the largest meshes too.
func TestTowardsFollowsTheRule(t *testing.T) {
	ends := []int{0, 1, 2, 1<<15 - 2, 1<<15 - 1}
	const down, up, eject = 10, 11, 20
	for _, hx := range ends {
		for _, hy := range ends {
			k := MeshRouter{Out: [4]Channel{down, up, down + 2, up + 2}, Eject: eject,
				Here: Place(hx<<16 | hy)}
			for _, x := range ends {
				for _, y := range ends {
					want := Channel(eject)
					switch {
					case x < hx:
						want = down
					case x > hx:
						want = up
					case y < hy:
						want = down + 2
					case y > hy:
						want = up + 2
					}
					if got := k.Output(Place(x<<16 | y)); got != want {
						t.Fatalf("from (%d,%d) to (%d,%d) by %d, want %d", hx, hy, x, y, got, want)
					}
				}
			}
		}
	}
}
