package netsim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/netsim/topology"
	"contend/router"
)

// scenario is a network and messages to send at given cycles.
type scenario struct {
	config   Config
	messages []timed
}

type timed struct {
	at Cycle
	Message
}

// tracer collects what an engine sends.
type tracer struct{ sent []sending }

func (t *tracer) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	t.sent = append(t.sent, sending{cycle, c, packet, index})
}

// packetRecord is what is measured of one packet.
type packetRecord struct {
	Number                                      int64
	From, To                                    topology.Node
	Length, Hops                                int
	Created, Turn, Injected, Delivered, Blocked Cycle
}

func sortSendings(s []sending) {
	slices.SortFunc(s, func(a, b sending) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.On, b.On))
	})
}

// runEngine runs the scenario in a Network until all has arrived.
func (s scenario) runEngine(t failer) ([]packetRecord, []sending) {
	n, err := New(s.config)
	if err != nil {
		t.Fatal(err)
	}
	var tr tracer
	n.Trace(&tr)
	var out []packetRecord
	n.Watch(func(p *router.Arrival) {
		out = append(out, packetRecord{p.Number, p.From, p.To, int(p.Length), int(p.Hops), p.Created, p.Turn, p.Injected, p.Delivered, p.Blocked})
	})
	for _, m := range s.messages {
		for n.Now() < m.at {
			if _, _, err := n.Advance(m.at); err != nil {
				t.Fatal(err)
			}
		}
		n.Send(m.Message)
	}
	for n.Pending() > 0 {
		if _, _, err := n.Advance(n.Now() + 1_000_000); err != nil {
			t.Fatal(err)
		}
	}
	sortSendings(tr.sent)
	return out, tr.sent
}

// runReference runs it in the plain model.
func (s scenario) runReference(t failer) ([]packetRecord, []sending) {
	r := newReference(s.config)
	i, packets := 0, 0
	for _, m := range s.messages {
		packets += (int(m.Flits)-1)/s.config.PacketFlits + 1
	}
	for len(r.done) < packets {
		for i < len(s.messages) && s.messages[i].at <= r.now {
			r.send(s.messages[i].Message)
			i++
		}
		r.step()
		if r.now > 1_000_000 {
			t.Fatal("the reference model does not come to an end")
		}
	}
	slices.SortFunc(r.done, func(a, b *refPacket) int {
		return cmp.Or(cmp.Compare(a.delivered, b.delivered), cmp.Compare(a.number, b.number))
	})
	var out []packetRecord
	for _, p := range r.done {
		out = append(out, packetRecord{p.number, p.from, p.to, p.length, p.hops, p.created, p.turn, p.injected, p.delivered, p.blocked})
	}
	sortSendings(r.sent)
	return out, r.sent
}

// renumber makes packet numbers comparable: in the order of injection, those of
// one cycle in the order of their nodes.
func renumber(p []packetRecord, s []sending) {
	slices.SortFunc(p, func(a, b packetRecord) int {
		return cmp.Or(cmp.Compare(a.Injected, b.Injected), cmp.Compare(a.From, b.From), cmp.Compare(a.Number, b.Number))
	})
	number := map[int64]int64{}
	for i := range p {
		number[p[i].Number] = int64(i)
		p[i].Number = int64(i)
	}
	for i := range s {
		s[i].Packet = number[s[i].Packet]
	}
}

// compare runs the reference and every engine that is exact for the scenario,
// and reports the first difference.
func (s scenario) compare(t failer) {
	b, bs := s.runReference(t)
	renumber(b, bs)
	for _, engine := range []struct {
		name       string
		flitByFlit bool
	}{{"cycle", false}, {"worm", true}, {"worm", false}} {
		s.config.Engine, s.config.flitByFlit = engine.name, engine.flitByFlit
		if _, err := New(s.config); err != nil && engine.name == "worm" {
			continue // it is not exact here
		}
		a, as := s.runEngine(t)
		renumber(a, as)
		for i := range min(len(as), len(bs)) {
			if as[i] != bs[i] {
				t.Fatalf("%+v\nsending %d: engine %+v, reference %+v", s.config, i, as[i], bs[i])
			}
		}
		if diff := gocmp.Diff(b, a); diff != "" {
			t.Fatalf("%+v\npackets differ (-reference +engine):\n%s", s.config, diff)
		}
		if closed := len(as) == 0 && engine.name == "worm" && !engine.flitByFlit; len(as) != len(bs) && !closed {
			t.Fatalf("%d flits sent, reference %d", len(as), len(bs))
		}
	}
}

func TestEngineAgreesWithReference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) { drawScenario(r).compare(r) })
}

func FuzzEngine(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(r *rapid.T) { drawScenario(r).compare(r) }))
}

// failer is what tests, fuzzing and rapid have in common.
type failer interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

// drawMachine draws a mesh, torus, hypercube or tree, and tells whether a
// dimension wraps.
func drawMachine(r *rapid.T) (t topology.Topology, wraps bool) {
	if rapid.IntRange(0, 2).Draw(r, "kind") == 0 {
		return drawTree(r), false
	}
	shape := rapid.SampledFrom([]topology.CubeConfig{
		{Dims: []int{4}}, {Dims: []int{3, 3}}, {Dims: []int{4, 3}}, {Dims: []int{2, 2, 2}}, {Dims: []int{5, 1}},
		{Dims: []int{4, 4}, Wrap: []bool{true, true}}, {Dims: []int{5, 3}, Wrap: []bool{true, false}}, {Dims: []int{3, 3, 3}, Wrap: []bool{true, true, true}},
		{Dims: []int{3, 2}, Concentration: 2}, {Dims: []int{3, 3}, Concentration: 2, ServiceRows: []int{1}},
	}).Draw(r, "shape")
	t, err := topology.NewCube(shape)
	if err != nil {
		r.Fatal(err)
	}
	return t, shape.Wrap != nil
}

// drawTree draws a k-ary n-tree, k and n up to 4, slimmed or not, whole or with
// nodes missing. The largest is always slimmed and 4-ary 4-trees are left to
// TestEnginesAgreeOnTrees: the reference looks at every channel in every cycle.
func drawTree(r *rapid.T) *topology.Tree {
	c := rapid.SampledFrom([]topology.TreeConfig{{Arity: 2, Levels: 2}, {Arity: 2, Levels: 3}, {Arity: 2, Levels: 4}, {Arity: 3, Levels: 2},
		{Arity: 3, Levels: 3}, {Arity: 4, Levels: 2}, {Arity: 4, Levels: 3}, {Arity: 4, Levels: 1}}).Draw(r, "tree")
	if large := c.Arity == 4 && c.Levels == 3; large || rapid.Bool().Draw(r, "slim") {
		most := c.Arity
		if large {
			most = 2
		}
		for range c.Levels - 1 {
			c.UpPorts = append(c.UpPorts, rapid.IntRange(1, most).Draw(r, "up ports"))
		}
	}
	places := 1
	for range c.Levels {
		places *= c.Arity
	}
	if rapid.Bool().Draw(r, "missing") {
		c.Nodes = rapid.IntRange(max(2, places/2), places).Draw(r, "nodes")
	}
	t, err := topology.NewTree(c)
	if err != nil {
		r.Fatal(err)
	}
	return t
}

var vcSelects = []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin,
	router.SelectFirst, router.SelectRandom}

func drawScenario(r *rapid.T) scenario {
	t, wraps := drawMachine(r)
	c := Default(t)
	c.Switching = rapid.SampledFrom([]router.Switching{router.Wormhole, router.Wormhole, router.VirtualCutThrough, router.StoreAndForward}).Draw(r, "switching")
	c.PacketFlits = rapid.IntRange(1, 9).Draw(r, "L")
	c.BufferFlits = rapid.IntRange(1, 9).Draw(r, "B")
	if c.Switching != router.Wormhole {
		c.BufferFlits = max(c.BufferFlits, c.PacketFlits)
	}
	c.RoutingCycles = rapid.IntRange(0, 5).Draw(r, "R")
	c.LinkCycles = rapid.IntRange(1, 4).Draw(r, "D")
	c.FlitCycles = rapid.IntRange(1, 3).Draw(r, "F")
	c.CreditCycles = rapid.IntRange(1, 4).Draw(r, "C")
	c.InjectionPorts = rapid.SampledFrom([]int{1, 1, 2}).Draw(r, "ports")
	if rapid.Bool().Draw(r, "slow nodes") { // some of them far beyond the calendar
		c.InjectionFlitCycles = float64(c.FlitCycles) + rapid.SampledFrom([]float64{0, 0.25, 1, 3.375, 40}).Draw(r, "G")
	}
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).Draw(r, "arbiter")
	c.VirtualChannels = rapid.SampledFrom([]int{1, 1, 1, 2, 3, 4}).Draw(r, "V")
	if wraps {
		c.VirtualChannels = max(2, c.VirtualChannels)
	}
	if _, ok := t.(*topology.Tree); ok {
		c.Routing = rapid.SampledFrom([]string{"d-mod-k", "s-mod-k", "random", "adaptive", "adaptive"}).Draw(r, "routing")
	}
	if c.VirtualChannels > 1 && c.Routing == "" && rapid.Bool().Draw(r, "balanced") {
		c.Routing = "balanced-dateline"
	}
	c.RoutingSeed = rapid.Uint64Range(0, 3).Draw(r, "routing seed")
	c.VCSelect = rapid.SampledFrom(vcSelects).Draw(r, "VC select")
	c.InputSpeedup = rapid.SampledFrom([]int{0, 1, 1, 2, 3}).Draw(r, "S")
	c.NodeVirtualChannels = rapid.IntRange(0, c.VirtualChannels).Draw(r, "node VCs")
	c.HeadersYield = rapid.Bool().Draw(r, "headers yield")
	s := scenario{config: c}
	count := rapid.IntRange(1, 60).Draw(r, "messages")
	spread := rapid.SampledFrom([]int{1, 20, 200}).Draw(r, "spread")
	if rapid.Bool().Draw(r, "one length") {
		c.MessageFlits = rapid.IntRange(1, 20).Draw(r, "length")
		if rapid.Bool().Draw(r, "multiple") { // such as the closed form likes
			c.PacketFlits = c.BufferFlits * rapid.IntRange(1, 8).Draw(r, "packet")
			c.MessageFlits = c.BufferFlits * rapid.IntRange(1, 12).Draw(r, "message")
			if c.Switching != router.Wormhole {
				c.PacketFlits = c.BufferFlits
			}
		}
		s.config = c
	} else if rapid.Bool().Draw(r, "multiples") { // of what packets and FIFOs are multiples of, or not
		c.MessageMultiple = rapid.IntRange(1, 9).Draw(r, "multiple of")
		if rapid.Bool().Draw(r, "padded") {
			c.MessageMultiple = c.BufferFlits * rapid.IntRange(1, 3).Draw(r, "FIFOs")
			c.PacketFlits = c.BufferFlits * rapid.IntRange(1, 6).Draw(r, "packet")
			if c.Switching != router.Wormhole {
				c.PacketFlits = c.BufferFlits
			}
		}
		s.config = c
	}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
	for range count {
		m := Message{From: topology.Node(rng.IntN(t.Nodes())), To: topology.Node(rng.IntN(t.Nodes())), Flits: int32(1 + rng.IntN(20)), Job: int32(rng.IntN(3))}
		if c.MessageFlits > 0 {
			m.Flits = int32(c.MessageFlits)
		}
		if k := int32(c.MessageMultiple); k > 0 {
			m.Flits = (m.Flits + k - 1) / k * k
		}
		s.messages = append(s.messages, timed{Cycle(rng.IntN(spread)), m})
	}
	slices.SortStableFunc(s.messages, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	return s
}
