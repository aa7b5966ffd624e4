package spec

import "slices"

// drawingRoutings are the built-in routings that draw for each packet, whatever the machine.
var drawingRoutings = []string{"o1turn", "valiant", "romm", "ugal", "dal", "ugal-l", "ugal-g",
	"par", "shortest"}

// classedRouting returns how many virtual channels a built-in routing on a grid or a HyperX needs
// for its classes of packets, and how many of these there are in the dimension that has fewest:
// more virtual channels leave something to choose. It reports false for dimension order, with
// datelines or without, and for routings that need one.
func (s *Spec) classedRouting() (needed, classes int, ok bool) {
	m := &s.Machine
	if m.Topology == "hyperx" {
		ok = slices.Contains([]string{"minimal-adaptive", "valiant", "ugal", "dal"}, s.Network.Routing)
		return 2, 2, ok
	}
	if !m.IsGrid() {
		return 0, 0, false
	}
	most, fewest := 1, 2 // classes of dimension order
	for d, n := range m.Sides() {
		if m.Ring(d) {
			most = 2
		} else if n > 1 {
			fewest = 1
		}
	}
	fewest = min(most, fewest)
	switch s.Network.Routing {
	case "o1turn", "booksim-min-adapt":
		return 2, 2, true
	case "valiant", "romm":
		return 2 * most, 2 * fewest, true
	case "minimal-adaptive", "min-adapt":
		// One virtual channel is not for escapes.
		return most + 1, most + 1, true
	}
	return 0, 0, false
}
