package routes

import (
	"fmt"
	"strings"

	"contend/router"
	"contend/router/topology"
)

// topologyOf returns the topology of a wiring for a routing of that name. It refuses wirings of
// other topologies, and those with fewer VCs than needed.
func topologyOf[T topology.Topology](w *router.Wiring, name string, needed int) (T, error) {
	t, ok := w.Topology.(T)
	switch {
	case !ok:
		return t, fmt.Errorf("%s routing needs a %s", name,
			strings.TrimPrefix(fmt.Sprintf("%T", t), "*topology."))
	case w.VirtualChannels < needed:
		return t, fmt.Errorf("%s routing needs at least %d virtual channels, not %d", name, needed,
			w.VirtualChannels)
	}
	return t, nil
}

// classRange returns the VCs, of n, of one of several classes: those from low to below high.
func classRange(n, class, classes router.Channel) (low, high router.Channel) {
	return class * n / classes, (class + 1) * n / classes
}

// plain returns the New of a Maker whose routing draws nothing.
func plain[T router.Routing](f func(*router.Wiring) (T, error)) func(*router.Wiring, uint64) (
	router.Routing, error) {
	return drawing(func(w *router.Wiring, _ uint64) (T, error) { return f(w) })
}

// plainWith is plain for a constructor with an option.
func plainWith[T router.Routing, O any](f func(*router.Wiring, O) (T, error), option O) func(
	*router.Wiring, uint64) (router.Routing, error) {
	return drawing(func(w *router.Wiring, _ uint64) (T, error) { return f(w, option) })
}

// drawingWith is drawing for a constructor with an option.
func drawingWith[T router.Routing, O any](f func(*router.Wiring, O, uint64) (T, error),
	option O) func(*router.Wiring, uint64) (router.Routing, error) {
	return drawing(func(w *router.Wiring, seed uint64) (T, error) { return f(w, option, seed) })
}

// drawing returns the New of a Maker whose routing draws: it calls a constructor, drops the type of
// the result, and drops the result if there is an error.
func drawing[T router.Routing](f func(*router.Wiring, uint64) (T, error)) func(*router.Wiring,
	uint64) (router.Routing, error) {
	return func(w *router.Wiring, seed uint64) (router.Routing, error) {
		x, err := f(w, seed)
		if err != nil {
			return nil, err
		}
		return x, nil
	}
}

// isKind reports whether a topology is of a type.
func isKind[T topology.Topology](t topology.Topology) bool {
	_, ok := t.(T)
	return ok
}

// needsTwo returns 2: the VCs, or classes of VCs, that a routing needs on any topology.
func needsTwo(topology.Topology) int { return 2 }
