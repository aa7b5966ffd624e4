package router

import (
	"strings"
	"testing"

	"contend/netsim/topology"
)

// silent is a routing that offers nothing, or a channel that does not exist, at one
// router.
type silent struct {
	Routing
	at    topology.Router
	wrong bool
}

// Possible implements Routing.
func (x silent) Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	if r != x.at {
		return x.Routing.Possible(dst, r, in, h)
	}
	if x.wrong {
		return append(dst, -1)
	}
	return dst
}

// Traits implements Described.
func (silent) Traits() Traits { return Traits{Oblivious: true, NoEscape: true} }

// A routing that offers no channel, or one that does not exist, is refused before a
// packet meets it.
func TestRoutingsOfferChannels(t *testing.T) {
	c, err := topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(c, 1, 1)
	x, err := NewDimensionOrder(w, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		wrong bool
		want  string
	}{{false, "offers no channel"}, {true, "offers channel -1, which does not exist,"}} {
		err := CheckDeadlock(w, silent{x, 4, k.wrong})
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("got %v, want an error with %q", err, k.want)
		}
	}
}
