package netsim

import (
	"testing"

	"contend/internal/must"
	"contend/router"
)

// A promise about the lengths of messages is what lets the closed form be used,
// where every packet they are cut into is a multiple of a FIFO.
func TestPromisesChooseTheEngine(t *testing.T) {
	for _, k := range []struct {
		packet, buffer, flitCycles int
		flits, multiple            int
		want                       router.Engine
	}{
		{8, 2, 1, 0, 0, router.Worms},
		{8, 2, 1, 6, 0, router.ClosedForm},
		{8, 2, 1, 7, 0, router.Worms},
		{8, 2, 1, 0, 1, router.Worms},
		{8, 2, 1, 0, 2, router.ClosedForm},
		{8, 2, 1, 0, 3, router.Worms}, // 6, but 9 leaves a packet of one
		{8, 2, 1, 0, 6, router.ClosedForm},
		{8, 2, 1, 0, 16, router.ClosedForm},
		{8, 4, 1, 0, 6, router.Worms}, // 6 is a packet
		{8, 4, 1, 0, 12, router.ClosedForm},
		{9, 4, 1, 0, 12, router.Worms}, // 9 and 3
		{8, 8, 1, 0, 4, router.Worms},
		{8, 1, 1, 0, 1, router.Worms}, // FIFOs of one cannot keep up
		{8, 1, 3, 0, 0, router.ClosedForm},
		{7, 1, 2, 0, 5, router.ClosedForm},
	} {
		c := Default(cube(t, false, 3))
		c.PacketFlits, c.BufferFlits, c.FlitCycles, c.MessageFlits, c.MessageMultiple = k.packet,
			k.buffer, k.flitCycles, k.flits, k.multiple
		if got, _ := engineOf(t, c); got != k.want {
			t.Errorf("%+v: engine %v, want %v", k, got, k.want)
		}
	}
}

// engineOf returns the engine that a network has, and its times.
func engineOf(t *testing.T, c Config) (router.Engine, router.Timing) {
	t.Helper()
	c = must.Have(c.Resolved())
	w, x, err := c.Wire()
	if err != nil {
		t.Fatal(err)
	}
	timing := c.timing(w)
	return c.engine(w, x, timing), timing
}
