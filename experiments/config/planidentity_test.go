package config

import (
	"testing"

	"contend/internal/must"
)

// Graphs whose lines are the same words, divided in another way, are two machines.
func TestGraphsAreToldApart(t *testing.T) {
	seen := map[Identity]bool{}
	for _, lines := range [][]string{
		{"router 0 node 0 router 1 #", "node 1 router 1"}, {"router 0 node 0 router 1 # node 1 router 1"},
	} {
		s := DefaultSpec()
		s.Machine = MachineSpec{Topology: "graph", Graph: lines}
		s.Allocator, s.Workload.Jobs = "sequential", 1
		s.Workload.Source, s.Workload.Processors = "synthetic", 1
		plan := must.Have(s.Plan())
		if seen[plan.MachineID()] {
			t.Errorf("%q has the identity of another graph", lines)
		}
		seen[plan.MachineID()] = true
	}
}

// How many virtual channels lash needs is computed once for a machine. A computation allocates
// thousands of times.
func TestNeededChannelsAreRemembered(t *testing.T) {
	s := DefaultSpec()
	s.Machine = MachineSpec{Topology: "graph", Graph: []string{"router 0 node 0 router 1",
		"router 1 node 1 router 2", "router 2 node 2 router 3", "router 3 node 3 router 0"}}
	s.Network.Routing = "lash"
	first := s.routedMachine()
	if n := testing.AllocsPerRun(10, func() { s.routedMachine() }); n > 40 {
		t.Errorf("asking again allocates %v times", n)
	}
	if second := s.routedMachine(); second != first || first.needed < 1 {
		t.Errorf("%d virtual channels, then %d", first.needed, second.needed)
	}
}
