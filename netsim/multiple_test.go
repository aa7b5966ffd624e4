package netsim

import (
	"testing"

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
		n, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		r := n.Config()
		timing := router.Timing{Routing: int64(r.RoutingCycles), Link: int64(r.LinkCycles),
			Flit: int64(r.FlitCycles), Credit: int64(r.CreditCycles), Buffer: int32(r.BufferFlits)}
		_, x, err := r.Wire()
		if err != nil {
			t.Fatal(err)
		}
		if got := r.engine(n.Wiring(), x, timing); got != k.want {
			t.Errorf("%+v: engine %v, want %v", k, got, k.want)
		}
	}
}

// A broken promise is a caller's bug.
func TestPromisesAreKept(t *testing.T) {
	c := Default(cube(t, false, 3))
	c.MessageMultiple = 4
	n, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	n.Send(Message{From: 0, To: 1, Flits: 12})
	defer func() {
		if want := "netsim: message of 6 flits, want a multiple of 4"; recover() != want {
			t.Errorf("no panic that says %q", want)
		}
	}()
	n.Send(Message{From: 0, To: 1, Flits: 6})
}
