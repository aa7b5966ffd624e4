// Package frame has what routings share: phases, the choice between links by what a router sees,
// and how many virtual channels are needed.
package frame

import (
	"fmt"

	"contend/netsim/topology"
	"contend/router"
)

// AtLeast refuses wirings with fewer virtual channels than a routing needs.
func AtLeast(name string, w *router.Wiring, needed int) error {
	if w.VirtualChannels < needed {
		return fmt.Errorf("%s routing needs at least %d virtual channels, not %d", name, needed,
			w.VirtualChannels)
	}
	return nil
}

// Part returns the virtual channels, of so many, of one of several classes: those from low to
// below high.
func Part(virtual, class, classes router.Channel) (low, high router.Channel) {
	return class * virtual / classes, (class + 1) * virtual / classes
}

// Made drops the type of a constructor's result, and the result with an error.
func Made[T router.Routing](x T, err error) (router.Routing, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Plain is the New of a Maker whose routing draws nothing.
func Plain[T router.Routing](f func(*router.Wiring) (T, error)) func(*router.Wiring, uint64) (
	router.Routing, error) {
	return func(w *router.Wiring, _ uint64) (router.Routing, error) { return Made(f(w)) }
}

// Drawing is the New of a Maker whose routing draws.
func Drawing[T router.Routing](f func(*router.Wiring, uint64) (T, error)) func(*router.Wiring,
	uint64) (router.Routing, error) {
	return func(w *router.Wiring, seed uint64) (router.Routing, error) { return Made(f(w, seed)) }
}

// Is reports whether a topology is of a type.
func Is[T topology.Topology](t topology.Topology) bool {
	_, ok := t.(T)
	return ok
}

// Two virtual channels are needed on any topology.
func Two(topology.Topology) int { return 2 }
