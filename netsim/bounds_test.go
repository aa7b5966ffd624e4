package netsim

import (
	"errors"
	"math"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// The error for what is refused names the field: sizes that the state of a FIFO cannot count, fewer
// virtual channels than the routing needs, a node faster than its link, iSLIP without limited
// ports.
func TestConfigsAreRefused(t *testing.T) {
	rate := func(g float64) func(*Config) {
		return func(c *Config) { c.FlitCycles, c.InjectionFlitCycles = 3, g }
	}
	for _, k := range []struct {
		field  string
		change func(*Config)
	}{
		{"BufferFlits", func(c *Config) { c.BufferFlits = 1 << 15 }},
		{"PacketFlits", func(c *Config) { c.PacketFlits = 1<<30 + 1 }},
		{"VirtualChannels", func(c *Config) { c.Routing, c.VirtualChannels = "valiant", 1 }},
		{"SwitchAllocator", func(c *Config) { c.SwitchAllocator, c.InputSpeedup = router.ISLIP, 0 }},
		{"InjectionFlitCycles", rate(-1)}, {"InjectionFlitCycles", rate(2.9)},
		{"InjectionFlitCycles", rate(1e9)}, {"InjectionFlitCycles", rate(math.NaN())},
	} {
		c := Default(cube(t, false, 2, 2))
		k.change(&c)
		var wrong *ConfigError
		if _, err := New(c); !errors.As(err, &wrong) || wrong.Field != k.field || wrong.Right == "" {
			t.Errorf("the error is %v, and has to be about %s", err, k.field)
		}
	}
}

// The deepest FIFO there may be fills up and empties: packets of two nodes meet on the way to a
// third. All engines agree on when they arrive, whatever a credit takes.
func TestDeepestFIFOsFill(t *testing.T) {
	places := 1<<15 - 1
	if slow { // the bound itself needs no invariants
		places = 1<<10 - 1
	}
	flits := 2 * places
	for _, credit := range []int{1, 2} {
		var want []router.Arrival
		for i, engine := range engines {
			c := Default(cube(t, false, 3))
			c.BufferFlits, c.PacketFlits, c.MessageFlits, c.CreditCycles = places, flits, flits, credit
			n := must.Have(New(engine(c)))
			got := arrivals(n)
			for _, from := range []topology.Node{0, 1} {
				n.Send(Message{From: from, To: 2, Flits: int32(flits)})
			}
			for n.Pending() > 0 {
				advance(t, n, math.MaxInt64)
			}
			if i == 0 {
				want = *got
			}
			if last := (*got)[1].Delivered; !slices.Equal(*got, want) || last < int64(4*places) {
				t.Errorf("engine %d, credits take %d: arrivals %+v, of the first engine %+v", i, credit,
					*got, want)
			}
		}
	}
}
