package ringofrings

import (
	"testing"

	"contend/router"
	"contend/router/routertest"
	"contend/router/topology/topologytest"
)

// The topology and the routing keep their contracts at every size.
func TestConforms(t *testing.T) {
	for rings := 3; rings <= 6; rings++ {
		for length := 3; length <= 6; length++ {
			m, err := New(rings, length)
			if err != nil {
				t.Fatal(err)
			}
			if err := topologytest.Check(m); err != nil {
				t.Fatalf("%d rings of %d: %v", rings, length, err)
			}
			for _, virtual := range []int{2, 3} {
				w := router.NewWiring(m, virtual, 1)
				x, err := newDateline(w)
				if err != nil {
					t.Fatal(err)
				}
				if err := routertest.Check(w, x, routertest.Options{Minimal: true}); err != nil {
					t.Fatalf("%d rings of %d, %d virtual channels: %v", rings, length, virtual, err)
				}
			}
		}
	}
}

func TestTwoRingsAreRefused(t *testing.T) {
	if _, err := New(2, 9); err == nil {
		t.Error("two rings were accepted")
	}
}
