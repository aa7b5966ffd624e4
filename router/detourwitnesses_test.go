package router

import (
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"
)

// named returns a machine by its short form.
func named(t *testing.T, text string) topology.Topology {
	t.Helper()
	name, size, _ := strings.Cut(text, ":")
	kind, ok := topology.KindNamed(topology.Kinds(), name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	m, err := kind.Parse(size)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The headers that routings with ways round know bring about all dependencies.
func TestHeadersOfDetoursBringAboutAllDependencies(t *testing.T) {
	for _, text := range []string{"dragonfly:a2h1p2", "dragonfly:a4h2p1g5", "dragonfly:a3h2p2g4",
		"dragonfly:a3h1p1g4:relative", "dragonfly:a2h2p1:circulant", "dragonfly:a4h1p1",
		"dragonfly:a3h2p1g2", "dragonfly:a3h1p2g1", "hyperx:3x3:p2", "hyperx:4:p1", "hyperx:2x2:w2p1",
		"hyperx:2x3x2:p1", "hyperx:2:p2", "hyperx:3x1x2:w2p1"} {
		m := named(t, text)
		for _, maker := range Builtin() {
			if !maker.Suits(m) || maker.VirtualChannels == nil {
				continue
			}
			w := NewNodeWiring(m, maker.VirtualChannels(m)+1, 2, 1)
			x, err := maker.New(w, 1)
			if err != nil {
				t.Fatal(err)
			}
			y, ok := x.(WitnessingHeaders)
			if !ok {
				continue
			}
			k := newWalk(w, x)
			if k.headers(y.WitnessHeaders(x)); k.err != nil {
				t.Fatal(k.err)
			}
			got := k.sorted()
			for c, want := range Dependencies(w, x) {
				if !slices.Equal(got[c], want) {
					t.Errorf("%s on %s: %s is followed by %v, by all packets %v", maker.Name, text,
						w.Describe(Channel(c)), got[c], want)
					break
				}
			}
		}
	}
}
