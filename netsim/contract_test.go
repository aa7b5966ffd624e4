package netsim_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
)

// bySpill routes by any shortest path with escape channels, without a word about itself.
func bySpill(w *router.Wiring, _ uint64) (router.Routing, error) {
	x, err := routes.NewMinimalAdaptive(w, false)
	return struct {
		router.Routing
		router.Escaping
	}{x, x}, err
}

// byDetour routes over a router drawn for each packet, without a word about itself.
func byDetour(w *router.Wiring, seed uint64) (router.Routing, error) {
	x, err := routes.NewGridTwoPhase(w, false, seed)
	return struct {
		router.Routing
		router.Branching
	}{x, x}, err
}

// careless is a routing all of whose channels are said to be escape channels.
type careless struct{ router.Routing }

func (x careless) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return x.Possible(dst, r, in, h)
}

func byCareless(w *router.Wiring, _ uint64) (router.Routing, error) {
	x, err := routes.NewMinimalAdaptive(w, false)
	return careless{x}, err
}

// A small mesh far beyond saturation gets stuck where any channel is granted with
// packets in its buffer, and never where there are escape channels.
func TestEscapesKeepNetworksMoving(t *testing.T) {
	if n := countStuck(t, bySpill); n > 0 {
		t.Errorf("with escape channels %d networks got stuck", n)
	}
	if n := countStuck(t, byCareless); n == 0 {
		t.Error("without escape channels nothing got stuck: the test shows nothing")
	}
}

// countStuck returns how many of some overloaded networks get stuck.
func countStuck(t *testing.T, route func(*router.Wiring, uint64) (router.Routing,
	error)) (stuck int) {
	t.Helper()
	for _, flits := range [][2]int{{1, 1}, {2, 4}, {9, 4}} { // of a packet, of a buffer
		for seed := range uint64(3) {
			c := netsim.Default(meshOf(4, 4))
			c.Route, c.VirtualChannels, c.RoutingCycles, c.VCSelect = route, 2, 0, router.SelectFirst
			c.PacketFlits, c.BufferFlits = flits[0], flits[1]
			n := must.Have(netsim.New(c))
			tr := netsim.Traffic{Destination: netsim.Uniform(16), Load: 1, Flits: int32(flits[0])}
			tr.Start(16, rand.New(rand.NewPCG(seed, 0)))
			err := tr.Run(n, 2000)
			for err == nil && n.Pending() > 0 {
				_, _, err = n.Advance(n.Now() + 1_000_000)
			}
			var bad *router.StuckError
			if errors.As(err, &bad) {
				stuck++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	return stuck
}
