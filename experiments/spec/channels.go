package spec

import (
	"slices"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes"
)

// VCSelects are the values of network.vc_select.
var VCSelects = map[string]router.VCSelect{
	"most-credits": router.SelectMostCredits,
	"round-robin":  router.SelectRoundRobin,
	"first":        router.SelectFirst,
}

// choosesChannels reports whether a header may find several virtual channels of
// a channel to choose from: there is one without virtual channels, and with
// datelines each half of them is a class of its own in dimensions that wrap. Channels to nodes have
// no classes.
func (s *Spec) choosesChannels() bool {
	n, m := &s.Network, &s.Machine
	if s.sharesInputs() && n.NodeVirtualChannels != 1 {
		return true
	}
	if needed, classes, ok := s.classedRouting(); ok {
		return max(n.VirtualChannels, needed) > classes
	}
	if channels, own := s.ownChannels(); own {
		return channels > 1
	}
	if n.VirtualChannels == 0 || n.VirtualChannels == 1 {
		return false
	}
	if m.Topology == "tree" || n.Routing == "dimension-order" || !m.Wraps(true) {
		return true
	}
	return n.VirtualChannels > 2 || m.Wraps(false)
}

// sharesInputs reports whether several virtual channels share an input port of a
// router.
func (s *Spec) sharesInputs() bool {
	n, m := &s.Network, &s.Machine
	if channels, own := s.ownChannels(); own {
		return channels > 1
	}
	if _, _, ok := s.classedRouting(); ok {
		return true
	}
	if n.VirtualChannels == 0 {
		return n.Routing != "dimension-order" && m.Topology != "tree" && m.Wraps(true)
	}
	return n.VirtualChannels > 1
}

// The conditions of keys that say how virtual channels share a router's ports.
var (
	severalChannels = when("more than one virtual channel (see network.virtual_channels)",
		(*Spec).sharesInputs)
	choiceOfChannels = when("more than one virtual channel to choose from "+
		"(see network.virtual_channels)", (*Spec).choosesChannels)
	limitedInputs = when("more than one virtual channel (see network.virtual_channels) and a "+
		"network.input_speedup that is not 0",
		func(s *Spec) bool { return s.sharesInputs() && s.Network.InputSpeedup > 0 })
)

// draws reports whether a built-in routing draws for each packet, whatever the machine.
func draws(call string) bool {
	return slices.ContainsFunc(routes.Builtin(), func(m router.Maker) bool {
		return m.Name == call && m.Draws
	})
}

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

// classesOfLinks is the condition that the links of the machine are of several kinds.
var classesOfLinks = when("a machine.topology with classes of links", func(s *Spec) bool {
	if s.fromKeys() {
		return s.Machine.Topology != "graph"
	}
	machine, err := s.Registry.NewMachine(&s.Machine)
	if err != nil {
		return true // the machine is refused
	}
	_, ok := machine.(topology.Classed)
	return ok
})
