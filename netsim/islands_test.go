package netsim_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/topology"
)

// islands returns a network of hosts with some nodes each. A flit takes card cycles on the links
// between hosts and inside cycles on those of nodes.
func islands(hosts, nodes, inside, card int) netsim.Config {
	c := netsim.Default(must.Have(topology.NewFatTree(topology.FatTreeConfig{
		Children: []int{nodes, hosts}, Parents: []int{nodes}})))
	c.Switching, c.RoutingCycles, c.InputSpeedup = router.VirtualCutThrough, 0, 0
	c.NodeFlitCycles, c.ClassFlitCycles = inside, []int{card}
	c.SourceQueues = netsim.QueuePerDestination
	return c
}

// Where one node of each host sends to one node of another, dcqcn and ib-cca act as on a machine
// whose nodes have the rate of their cards: the same packets are marked and arrive in the same
// cycles, whatever the rate inside hosts, the length of links and the start. Buffers hold all
// flits: in smaller ones packets would queue at leaves. Under throttle a pair rests at once, and on
// the other machine a packet that has joined the source queue does not.
func TestLawOfCards(t *testing.T) { lawOfCards(t, 100) }

func lawOfCards(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	marked := 0
	rapid.Check(t, func(r *rapid.T) {
		hosts, nodes := rapid.IntRange(3, 8).Draw(r, "hosts"), rapid.IntRange(1, 4).Draw(r, "nodes")
		card := rapid.IntRange(2, 9).Draw(r, "card")
		c := islands(hosts, nodes, rapid.IntRange(1, card-1).Draw(r, "inside"), card)
		c.PacketFlits = rapid.IntRange(1, 16).Draw(r, "L")
		c.BufferFlits = 16 * 100 * 16
		c.LinkCycles = rapid.SampledFrom([]int{1, 7, 60}).Draw(r, "D")
		c.VirtualChannels = rapid.IntRange(1, 3).Draw(r, "V")
		c.RoutingSeed = rapid.Uint64().Draw(r, "seed")
		for throttle := true; c.Congestion == nil || throttle; {
			c.Congestion = drawControl(r)
			_, throttle = c.Congestion.(*netsim.Throttle)
		}
		k := trial{config: c}
		for h := range hosts {
			from := topology.Node(h*nodes + rapid.IntRange(0, nodes-1).Draw(r, "from"))
			to := topology.Node((h + 1) % hosts * nodes)
			if h > 0 && rapid.IntRange(0, 3).Draw(r, "to the busy node") > 0 {
				to = 0
			}
			for range rapid.IntRange(1, 2).Draw(r, "messages") {
				k.messages = append(k.messages, reference.Timed{
					At: rapid.Int64Range(0, 2000).Draw(r, "at"), Message: netsim.Message{From: from, To: to,
						Flits: int32(rapid.IntRange(1, 100*c.PacketFlits).Draw(r, "flits"))}})
			}
		}
		sortByTime(k.messages)
		got := arrivals(k.run(r))
		k.config.NodeFlitCycles = card
		by := laws.Later(r)
		later := k.later(by).run(r)
		later.earlier(by)
		want := arrivals(later)
		if diff := firstOther(got, want); diff != "" {
			r.Fatalf("%T: a packet that arrives differs: %s", c.Congestion, diff)
		}
		for _, p := range want {
			if p.marked {
				marked++
			}
		}
	})
	if marked < 100 {
		t.Errorf("%d packets are marked", marked)
	}
}

// arrival is what a machine of cards and one of islands have in common.
type arrival struct {
	number, created, injected, delivered netsim.Cycle
	marked                               bool
}

// arrivals lists the packets of an outcome in the order in which they were sent.
func arrivals(o outcome) (list []arrival) {
	for i := range o.packets {
		p := &o.packets[i]
		list = append(list, arrival{p.Number, p.Created, p.Injected, p.Delivered, p.Marked})
	}
	slices.SortFunc(list, func(a, b arrival) int { return cmp.Compare(a.number, b.number) })
	return list
}

// firstOther describes the first packet that differs, "" if none does.
func firstOther(got, want []arrival) string {
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			return fmt.Sprintf("%+v, want %+v", got[min(i, len(got)-1)], want[i])
		}
	}
	return ""
}

// hgx has hosts of 8 GPUs with links of 450 GB/s and cards of 50 GB/s, in flits of 450 bytes and
// cycles of a nanosecond, and the defaults of dcqcn for these cards.
func hgx(hosts int) netsim.Config {
	c := islands(hosts, 8, 1, 9)
	c.LinkCycles, c.CreditCycles, c.PacketFlits, c.BufferFlits = 500, 500, 64, 4096
	c.VirtualChannels, c.PacketsHoldLinks = 2, true
	c.Congestion = &netsim.DCQCN{MarkFrom: 111, MarkTo: 4444, MarkShare: 0.01, CNPCycles: 50_000,
		AlphaCycles: 55_000, TimerCycles: 55_000, CounterFlits: 222_222, Gain: 1. / 256, Recovery: 5,
		Additive: 0.001, Hyper: 0.01, Least: 0.001}
	return c
}

// shares runs flows that send from a cycle on and returns the rate of each over that of a card in
// the given windows of milliseconds after it.
func shares(t *testing.T, c netsim.Config, flows [][2]topology.Node, start netsim.Cycle,
	windows ...[2]netsim.Cycle) (rates [][]float64) {
	const ms = 1_000_000
	n := must.Have(netsim.New(c))
	flits := map[[2]topology.Node]float64{}
	n.Watch(func(p *router.Arrival) { flits[[2]topology.Node{p.From, p.To}] += float64(p.Length) })
	advanced(t, n, start)
	for _, f := range flows {
		n.Send(netsim.Message{From: f[0], To: f[1], Flits: 1 << 30})
	}
	for _, w := range windows {
		advanced(t, n, start+w[0]*ms)
		clear(flits)
		advanced(t, n, start+w[1]*ms)
		var list []float64
		for _, f := range flows {
			list = append(list, flits[f]*9/float64((w[1]-w[0])*ms))
		}
		rates = append(rates, list)
	}
	return rates
}

// Under DCQCN an incast of n cards into one converges to 1/n of its rate for each, soon and 50 ms
// later, whenever it begins. A victim from one of these hosts, which shares a card with the incast,
// gets more than a third of it, and without control 1/n behind the same queue.
func TestDCQCNOfCards(t *testing.T) {
	soon, later := [2]netsim.Cycle{20, 30}, [2]netsim.Cycle{50, 60}
	for _, n := range []int{2, 4, 8} {
		c, fair := hgx(n+2), 1/float64(n)
		var flows [][2]topology.Node
		for h := range topology.Node(n) {
			flows = append(flows, [2]topology.Node{8 * (h + 2), 0})
		}
		for _, start := range []netsim.Cycle{0, 50_000_123} {
			c.RoutingSeed = uint64(start)
			for _, rates := range shares(t, c, flows, start, soon, later) {
				all := 0.0
				for _, x := range rates {
					all += x
				}
				if slices.Min(rates) < 0.6*fair || slices.Max(rates) > 1.4*fair || all < 0.95 || all > 1 {
					t.Errorf("from %d on %d cards have %.3f, %.3f together", start, n, rates, all)
				}
			}
		}
		flows = append(flows, [2]topology.Node{8*2 + 1, 8}) // by the same rail
		for i, rates := range shares(t, c, flows, 0, soon, later) {
			if victim := rates[n]; victim < 1./3 {
				t.Errorf("beside %d cards the victim has %.3f in window %d", n, victim, i)
			}
		}
		c.Congestion = nil
		if victim := shares(t, c, flows, 0, [2]netsim.Cycle{1, 3})[0][n]; victim > 1.15*fair {
			t.Errorf("without control the victim of %d cards has %.3f", n, victim)
		}
	}
}
