package netsim

import (
	"errors"
	"strings"
	"testing"

	"contend/router/deadlock"
	"contend/router/topology"
)

func TestTorusWithoutDatelineIsRefused(t *testing.T) {
	c := Default(cube(t, true, 4, 4))
	c.Routing = "dimension-order"
	err := c.CheckDeadlock()
	var cycle *deadlock.CycleError
	if !errors.As(err, &cycle) {
		t.Fatalf("got %v, want a cycle", err)
	}
	if len(cycle.Channels) != 4 || !strings.Contains(err.Error(),
		"router (3,0)->(0,0), router (0,0)->(1,0), router (1,0)->(2,0), router (2,0)->(3,0)") {
		t.Errorf("the cycle is not named: %v", err)
	}
	c.Routing, c.VirtualChannels = "dateline", 1
	if err := c.CheckDeadlock(); err == nil || !strings.Contains(err.Error(),
		"dateline needs at least 2") {
		t.Errorf("dateline routing with one virtual channel: %v", err)
	}
}

// The default routings of grids are free of deadlock, however many virtual channels links have.
func TestRoutingsFreeOfDeadlock(t *testing.T) {
	for _, m := range []*topology.Cube{cube(t, false, 8, 8), cube(t, false, 3, 4, 5), cube(t, true, 4,
		4), cube(t, true, 5, 3, 4), cube(t, true, 9), cube(t, false, 2, 2, 2, 2)} {
		for _, v := range []int{2, 3, 4} {
			c := Default(m)
			c.VirtualChannels = v
			if err := c.CheckDeadlock(); err != nil {
				t.Errorf("%v wrap %v V=%d: %v", m.Dims(), m.Wrap(), v, err)
			}
		}
	}
}
