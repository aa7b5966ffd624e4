package netsim

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/router/topology/topologytest"
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

// Each way to misuse Send has a panic of its own.
func TestSendRefuses(t *testing.T) {
	for want, k := range map[string]struct {
		length, multiple int // that the network relies on
		m                Message
	}{
		"netsim: message from node 0 to 4 in a machine of 4": {0, 0, Message{To: 4, Flits: 1}},
		"netsim: message of 0 flits, want at least 1":        {0, 0, Message{To: 1}},
		"netsim: message of 3 flits, want 4":                 {4, 0, Message{To: 1, Flits: 3}},
		"netsim: message of 6 flits, want a multiple of 4":   {0, 4, Message{To: 1, Flits: 6}},
	} {
		c := Default(cube(t, false, 4))
		c.MessageFlits, c.MessageMultiple = k.length, k.multiple
		n := must.Have(New(c))
		if got := must.Panic(func() { n.Send(k.m) }); got != want {
			t.Errorf("got the panic %v, want %s", got, want)
		}
	}
}

// All engines agree packet for packet on machines too large for the reference, under uniform
// traffic below and beyond saturation: on trees with every way up and the same seed, and on graphs,
// where the closed form finds ways in a table of its own.
func TestEnginesAgreeOnTrees(t *testing.T) {
	networks := map[string]Config{"graph": Default(topologytest.DrawnGraph(t, 5, 40, 80))}
	for i, routing := range treeRoutings {
		for _, slim := range []int{4, 2} {
			whole := tree(t, 4, 4, slim).Nodes()
			c := Default(treeOf(t, whole-i*whole/10, 4, 4, slim))
			c.Routing, c.RoutingSeed, c.PacketFlits = routing, 5, 8+24*(i%2)
			if i == 3 {
				c.Arbiter = router.RoundRobin
			}
			networks[fmt.Sprintf("%d up %s", slim, routing)] = c
		}
	}
	cycles := Cycle(400)
	if slow {
		cycles = 60
	}
	for name, c := range networks {
		c.MessageFlits = c.PacketFlits
		for _, load := range []float64{0.05, 0.5} {
			var want []router.Arrival
			for i, engine := range engines {
				n := must.Have(New(engine(c)))
				got := arrivals(n)
				tr := started(n, Traffic{Load: load, Flits: int32(c.MessageFlits)}, 3, 4)
				run(t, n, tr, cycles)
				drain(t, n)
				if i == 0 {
					want = *got
				} else if !slices.Equal(*got, want) {
					t.Errorf("%s, load %v: engine %d differs from the cycle-driven one", name, load, i)
				}
			}
		}
	}
}

// engines are the cycle-driven one, that of worms flit by flit, and the fastest.
var engines = []func(Config) Config{
	func(c Config) Config { c.Engine = "cycle"; return c },
	func(c Config) Config { c.Engine, c.FlitByFlit = "worm", true; return c },
	func(c Config) Config { c.Engine = "worm"; return c },
}

// A ring without datelines gets stuck. All engines describe that alike: packets, channels, times.
func TestStuckNetworksAreAlike(t *testing.T) {
	var want *router.StuckError
	for i, engine := range engines {
		c := Default(cube(t, true, 8))
		c.Routing, c.VirtualChannels, c.MessageFlits = "dimension-order", 1, 8
		n, err := New(engine(c))
		for i := range topology.Node(8) {
			n.Send(Message{From: i, To: (i + 1) % 8, Flits: 8, Job: int32(i)})
			n.Send(Message{From: i, To: (i + 4) % 8, Flits: 8, Job: int32(i)})
		}
		for err == nil && n.Pending() > 0 {
			_, _, err = n.Advance(1 << 40)
		}
		var got *router.StuckError
		switch {
		case !errors.As(err, &got) || !strings.Contains(err.Error(), "waits for router 0->1"):
			t.Fatalf("got %v, want a stuck network", err)
		case i == 0:
			want = got
		case !slices.Equal(got.Channels, want.Channels) || !slices.Equal(got.Packets, want.Packets):
			t.Errorf("engine %d: %v\n%+v\nwant\n%v\n%+v", i, got, got.Packets, want, want.Packets)
		}
	}
	if want.Packets[0].Hops == 0 {
		t.Errorf("no header has moved: %+v", want.Packets)
	}
}

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

// Samples are taken in just the cycles that are asked for, whatever the caller's steps, and the run
// is the same run.
func TestSample(t *testing.T) {
	run := func(sample bool) (list any, cycles []Cycle) {
		c := Default(tree(t, 4, 2))
		c.BufferFlits = 24
		n, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		got := arrivals(n)
		if sample {
			n.Sample(func(now Cycle) Cycle {
				if cycles = append(cycles, now); len(cycles) > 1 && now < 40 {
					return now + 1
				}
				return now + 37
			})
		}
		advanceTo(t, n, 5)
		for k := range 5 {
			n.Send(Message{From: topology.Node(k + 1), To: 0, Flits: 300})
		}
		for n.Pending() > 0 {
			advanceTo(t, n, n.Now()+50)
		}
		advanceTo(t, n, 1_000_000) // while nothing happens
		return *got, cycles
	}
	list, cycles := run(true)
	if want, _ := run(false); !reflect.DeepEqual(list, want) {
		t.Error("a run that is sampled is another run")
	}
	want := []Cycle{0, 37, 38, 39, 40}
	for len(want) < len(cycles) {
		want = append(want, want[len(want)-1]+37)
	}
	if !reflect.DeepEqual(cycles, want) || 1_000_000-cycles[len(cycles)-1] >= 37 {
		t.Errorf("samples in the cycles %v..., %d", cycles[:9], cycles[len(cycles)-1])
	}
}

// A delivery has the sums over the packets of its message, also of those that overtake each other,
// and the totals have those over deliveries.
func TestDeliveriesAddUp(t *testing.T) {
	for name, change := range map[string]func(c *Config){
		"cycle": func(c *Config) { c.Engine = "cycle" },
		"worm":  func(c *Config) { c.Engine = "worm" },
		"adaptive": func(c *Config) {
			c.Routing, c.VirtualChannels, c.BufferFlits, c.RoutingCycles = "minimal-adaptive", 4, 8, 0
		},
	} {
		c := Default(cube(t, false, 4, 4))
		change(&c)
		n := must.Have(New(c))
		packets, overtaken := map[int32]*Delivery{}, 0 // by message
		last := map[int32]int64{}                      // number of a packet
		n.Watch(func(p *router.Arrival) {
			d := packets[p.User]
			if last[p.User] > p.Number {
				overtaken++
			}
			last[p.User] = max(last[p.User], p.Number)
			d.Packets++
			d.Latency += p.Delivered - p.Created
			d.NetworkLatency += p.Delivered - p.Injected
			d.EntryWait += p.Injected - p.Turn
			d.Blocked += p.Blocked
			d.Foreign += p.Foreign
			d.Hops += Cycle(p.Hops)
			d.Created, d.Delivered = p.Created, p.Delivered
		})
		rng := rand.New(rand.NewPCG(5, 6))
		for i := range int32(80) {
			m := Message{From: topology.Node(rng.IntN(16)), To: topology.Node(rng.IntN(16)),
				Flits: 1 + rng.Int32N(60), Job: rng.Int32N(3), User: i}
			packets[i] = &Delivery{Message: m}
			n.Send(m)
		}
		var totals Totals
		for _, d := range drain(t, n) {
			if want := *packets[d.User]; d != want {
				t.Errorf("%s: delivered %+v, its packets are %+v", name, d, want)
			}
			totals.AddDelivery(&d)
		}
		if got := n.Totals(); got != totals || got.EntryWait == 0 || got.Foreign == 0 {
			t.Errorf("%s: totals %+v, want %+v", name, got, totals)
		}
		if (overtaken > 0) != (name == "adaptive") {
			t.Errorf("%s: %d packets were overtaken", name, overtaken)
		}
		if n.ResetUsage(); n.Totals() != (Totals{}) || n.Usage(0) != (router.Usage{}) {
			t.Errorf("%s: after the reset there is %+v", name, n.Totals())
		}
	}
}

func TestTotalsMinus(t *testing.T) {
	now := Totals{Messages: 10, Packets: 20, Flits: 300, Latency: 4000, NetworkLatency: 3000,
		EntryWait: 600, Blocked: 500, Foreign: 400, Hops: 70}
	since := Totals{Messages: 3, Packets: 7, Flits: 110, Latency: 1300, NetworkLatency: 1100,
		EntryWait: 190, Blocked: 230, Foreign: 170, Hops: 29}
	want := Totals{Messages: 7, Packets: 13, Flits: 190, Latency: 2700, NetworkLatency: 1900,
		EntryWait: 410, Blocked: 270, Foreign: 230, Hops: 41}
	if got := now.Minus(&since); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := want.SourceWait(); got != 800 {
		t.Errorf("source wait %d, want 800", got)
	}
}
