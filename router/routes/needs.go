package routes

import (
	"fmt"
	"strings"

	"contend/router"
	"contend/router/topology"
)

// topologyOf returns the topology of a wiring for a routing of that name. It refuses wirings of other
// topologies, and those with fewer virtual channels than the routing needs.
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

// classRange returns the virtual channels, of so many, of one of several classes: those from low to
// below high.
func classRange(virtual, class, classes router.Channel) (low, high router.Channel) {
	return class * virtual / classes, (class + 1) * virtual / classes
}

// plain is the New of a Maker whose routing draws nothing.
func plain[T router.Routing](f func(*router.Wiring) (T, error)) func(*router.Wiring, uint64) (
	router.Routing, error) {
	return drawing(func(w *router.Wiring, _ uint64) (T, error) { return f(w) })
}

// plainWith is Plain for a constructor with an option.
func plainWith[T router.Routing, O any](f func(*router.Wiring, O) (T, error), option O) func(
	*router.Wiring, uint64) (router.Routing, error) {
	return drawing(func(w *router.Wiring, _ uint64) (T, error) { return f(w, option) })
}

// drawingWith is Drawing for a constructor with an option.
func drawingWith[T router.Routing, O any](f func(*router.Wiring, O, uint64) (T, error),
	option O) func(*router.Wiring, uint64) (router.Routing, error) {
	return drawing(func(w *router.Wiring, seed uint64) (T, error) { return f(w, option, seed) })
}

// drawing is the New of a Maker whose routing draws: that of a constructor, without the type of
// its result, and without the result where there is an error.
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

// Two virtual channels are needed on any topology.
func needsTwo(topology.Topology) int { return 2 }
