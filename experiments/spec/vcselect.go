package spec

import (
	"contend/router"
)

// VCSelects are the values of network.vc_select.
var VCSelects = map[string]router.VCSelect{
	"most-credits": router.SelectMostCredits,
	"round-robin":  router.SelectRoundRobin,
	"first":        router.SelectFirst,
	"random":       router.SelectRandom,
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
	speculation = when("one virtual channel (see network.virtual_channels), or a "+
		"network.input_speedup that is not 0",
		func(s *Spec) bool { return !s.sharesInputs() || s.Network.InputSpeedup > 0 })
)
