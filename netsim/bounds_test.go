package netsim

import (
	"errors"
	"math"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"

	"pgregory.net/rapid"
)

// The state of a FIFO counts its flits in 16 bits and those of a packet in 32. What does not fit is
// refused, and names its field.
func TestSizesBeyondStateAreRefused(t *testing.T) {
	machine := cube(t, false, 2, 2)
	rapid.Check(t, func(t *rapid.T) {
		c := Default(machine)
		c.Engine = rapid.SampledFrom([]string{"cycle", "auto"}).Draw(t, "engine")
		field := "BufferFlits"
		if rapid.Bool().Draw(t, "buffer") {
			c.BufferFlits = rapid.IntRange(1<<15, math.MaxInt).Draw(t, "buffer flits")
		} else {
			field = "PacketFlits"
			c.PacketFlits = rapid.IntRange(1<<30+1, math.MaxInt).Draw(t, "packet flits")
		}
		var wrong *ConfigError
		if _, err := New(c); !errors.As(err, &wrong) || wrong.Field != field || wrong.Right == "" {
			t.Fatalf("the error is %v, and has to be about %s", err, field)
		}
	})
}

// The deepest FIFO there may be fills up and empties: packets of two nodes meet on the way to a
// third. All engines agree on when they arrive, whatever a credit takes.
func TestDeepestFIFOsFill(t *testing.T) {
	const places = 1<<15 - 1
	for _, credit := range []int{1, 2} {
		want := deepArrivals(t, credit, func(*Config) {})
		for name, other := range map[string]func(c *Config){
			"cycle":        func(c *Config) { c.Engine = "cycle" },
			"flit by flit": func(c *Config) { c.FlitByFlit = true },
		} {
			got := deepArrivals(t, credit, other)
			if len(got) != len(want) {
				t.Fatalf("%s: %d messages arrive, %d with the closed form", name, len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s, credits take %d: message %d arrives as\n%+v, with the closed form as\n%+v",
						name, credit, i, got[i], want[i])
				}
			}
		}
		if last := want[len(want)-1].Delivered; last < 4*places {
			t.Errorf("the last of 4 times %d flits arrives in cycle %d", places, last)
		}
	}
}

// deepArrivals returns the messages of two nodes to a third, each twice as long as a FIFO.
func deepArrivals(t *testing.T, credit int, change func(c *Config)) []Delivery {
	const flits = 2 * (1<<15 - 1)
	c := Default(cube(t, false, 3))
	c.BufferFlits, c.PacketFlits, c.MessageFlits, c.CreditCycles = flits/2, flits, flits, credit
	change(&c)
	n := must.Have(New(c))
	for _, from := range []topology.Node{0, 1} {
		n.Send(Message{From: from, To: 2, Flits: flits})
	}
	var all []Delivery
	for n.Pending() > 0 {
		_, some, err := n.Advance(math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}
