package config

import (
	"fmt"

	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
	"contend/router/topology"
)

// controlTable is the name of the table.
const controlTable = "congestion-controls"

// control returns the congestion control of the spec with its parameters, in which quantities may
// remain.
func (s *Spec) control() (*netsim.ControlKind, call.Values) {
	e, ok := s.Registry.find(controlTable, s.Network.Congestion)
	if !ok { // a spec of no study
		return &netsim.ControlKinds()[0], call.Values{}
	}
	return e.of.(*netsim.ControlKind), s.Registry.values(controlTable, s.Network.Congestion)
}

// drawsMarks reports whether routers draw which packets they mark.
func (s *Spec) drawsMarks() bool {
	c, v := s.control()
	return c.Marks != nil && c.Marks(v)
}

// controlInModelUnits is control of a resolved spec, with numbers.
func (s *Spec) controlInModelUnits() (*netsim.ControlKind, call.Values) {
	c, v := s.control()
	if c.New == nil {
		return c, v
	}
	k, _ := FindKey(string(FieldCongestion))
	v, err := k.callInModelUnits(s.Network.Congestion, s.Registry, s.scale())
	if err != nil {
		panic("spec: " + err.Error())
	}
	return c, v
}

// congestionPlan returns the congestion control for package netsim, nil for none.
func (s *Spec) congestionPlan() netsim.CongestionControl {
	if c, v := s.controlInModelUnits(); c.New != nil {
		return c.New(v)
	}
	return nil
}

// checkControl refuses a control that never acts on a network.
func (s *Spec) checkControl(c netsim.Config) *input.Error {
	e, v := s.controlInModelUnits()
	if e.New == nil {
		return nil
	}
	c, err := c.Resolved()
	if err != nil {
		return nil // whoever makes the network returns it
	}
	nodes := c.Topology.Nodes() * topology.Rails(c.Topology)
	most := c.Topology.Ports() * c.VirtualChannels * c.BufferFlits
	switch {
	case e.Queue != "" && v.Int(e.Queue) >= most:
		return FieldCongestion.Bad(fmt.Sprintf("give %s below %d, or raise network.buffer_flits",
			e.Queue, most), "%s is %s with %s of %d flits, and the buffers of a router hold %d: no packet "+
			"is marked", FieldCongestion, e.Name, e.Queue, v.Int(e.Queue), most)
	case e.Senders != "" && v.Int(e.Senders) >= nodes:
		return FieldCongestion.Bad(fmt.Sprintf("give %s below %d", e.Senders, nodes),
			"%s is %s with %d %s, and of %d nodes no more than %d send to one", FieldCongestion, e.Name,
			v.Int(e.Senders), e.Senders, nodes, nodes-1)
	}
	return nil
}
