package netsim

import (
	"errors"
	"strings"
	"testing"

	"contend/router/deadlock"
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
