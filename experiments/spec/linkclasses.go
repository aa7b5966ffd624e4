package spec

import "contend/netsim/topology"

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
