package router

import (
	"fmt"

	"contend/netsim/topology"
)

// atLeast refuses wirings with fewer virtual channels than a routing needs.
func atLeast(name string, w *Wiring, needed int) error {
	if w.VirtualChannels < needed {
		return fmt.Errorf("%s routing needs at least %d virtual channels, not %d", name, needed,
			w.VirtualChannels)
	}
	return nil
}

// part returns the virtual channels, of so many, of one of several classes: those from low to
// below high.
func part(virtual, class, classes Channel) (low, high Channel) {
	return class * virtual / classes, (class + 1) * virtual / classes
}

// made drops the type of a constructor's result, and the result with an error.
func made[T Routing](x T, err error) (Routing, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// is reports whether a topology is of a type.
func is[T topology.Topology](t topology.Topology) bool {
	_, ok := t.(T)
	return ok
}

// two virtual channels are needed on any topology.
func two(topology.Topology) int { return 2 }
