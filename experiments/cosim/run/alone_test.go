package run

import (
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// A job alone with consecutive messages takes the time of the closed form.
func TestServiceTimeOfAJobAlone(t *testing.T) {
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pattern string
		shape   []int
		quota   int64
		want    int64 // cycles; 3H+11 a message of 8 flits
	}{
		{"ping-pong", []int{2, 1}, 10, 10 * 14},
		{"ping-pong", []int{2, 1}, 1, 14},
		{"ring", []int{1, 2}, 6, 3 * 14}, // both at once, in opposite directions
		{"fft", []int{2, 2}, 8, 2 * 14},  // neighbours all of them
	} {
		net, err := netsim.New(netsim.Default(machine))
		if err != nil {
			t.Fatal(err)
		}
		var service scheduler.Cycle
		place, err := byname.New(byname.Config{Name: "first-fit"}, machine, nil)
		if err != nil {
			t.Fatal(err)
		}
		sim := scheduler.Sim{
			Source: &scheduler.List{Jobs: []scheduler.Job{{ID: 1, Submit: 5, Size: c.shape[0] * c.shape[1],
				Shape: c.shape, Quota: c.quota}}},
			Policy:   scheduler.FCFS{},
			Free:     allocation.NewFreeSet(machine.Nodes()),
			Executor: New(net, []patterns.Config{{Name: c.pattern}}, scheduler.Clock{}),
			Record:   func(r *scheduler.Record) { service = r.Service() },
		}
		sim.Allocator = place
		if _, err := sim.Run(); err != nil {
			t.Fatal(err)
		}
		if int64(service) != c.want {
			t.Errorf("%s on %v processors, %d messages: %d cycles, want %d", c.pattern, c.shape, c.quota,
				service, c.want)
		}
	}
}
