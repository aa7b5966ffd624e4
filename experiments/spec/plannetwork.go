package spec

import (
	"slices"

	"contend/allocation/byname"
	"contend/allocation/order"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
)

// networkPlan is the section [network] as package netsim has it.
func (s *Spec) networkPlan(t topology.Topology) netsim.Config {
	n := &s.Network
	c := netsim.Config{
		Topology: t, PacketFlits: n.PacketFlits, BufferFlits: n.BufferFlits,
		VirtualChannels: n.VirtualChannels, RoutingCycles: n.RoutingCycles,
		LinkCycles: n.LinkCycles, FlitCycles: n.FlitCycles, CreditCycles: n.CreditCycles,
		NodeLinkCycles: n.NodeLinkCycles, NodeFlitCycles: n.NodeFlitCycles,
		NodeCreditCycles: n.NodeCreditCycles,
		ClassLinkCycles:  n.ClassLinkCycles, ClassFlitCycles: n.ClassFlitCycles,
		InjectionPorts: n.InjectionPorts, InjectionFlitCycles: n.InjectionFlitCycles,
		VCSelect: VCSelects[n.VCSelect], InputSpeedup: n.InputSpeedup,
		NodeVirtualChannels: n.NodeVirtualChannels, HeadersYield: n.HeadersYield,
		Routing: s.routing(), Routes: s.Registry.makers(s.routing()), Engine: n.Engine,
		MessageFlits: s.MessageFlits(), MessageMultiple: s.MessageMultiple(),
	}
	switch n.Switching {
	case "virtual-cut-through":
		c.Switching = router.VirtualCutThrough
	case "store-and-forward":
		c.Switching = router.StoreAndForward
	}
	if n.Rail == "destination" {
		c.Rail = netsim.RailByDestination
	}
	if n.Arbiter == "round-robin" {
		c.Arbiter = router.RoundRobin
	}
	return c
}

// spanOrder names the order in which the allocator takes processors. It is row-major
// for allocators without such an order; an order of pages of several processors does
// not count.
func spanOrder(a *AllocatorSpec) string {
	if slices.Contains(byname.Parameters(a.Name), "order") && a.Page == 0 {
		return a.Order
	}
	return order.RowMajor
}
