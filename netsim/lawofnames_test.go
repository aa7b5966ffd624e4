package netsim_test

import (
	"cmp"
	"math/rand/v2"
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

// Nodes renamed by an automorphism of the network give the renamed run, unless two heads request
// one channel in the same cycle: of these the one on the input channel of the smaller number is
// first.
func TestLawOfNames(t *testing.T) { lawOfNames(t, 40) }

func lawOfNames(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	compared, blocked := 0, netsim.Cycle(0)
	rapid.Check(t, func(r *rapid.T) {
		s, rename := drawSymmetric(r)
		s.Config.Engine = "cycle"
		want := must.Have(s.Simulate())
		if hasTie(s.Config, want) {
			return
		}
		for i := range want.Packets {
			p := &want.Packets[i]
			p.From, p.To = rename(p.From), rename(p.To)
			blocked += p.Blocked
		}
		sortPackets(want.Packets)
		for i := range s.Messages {
			m := &s.Messages[i].Message
			m.From, m.To = rename(m.From), rename(m.To)
		}
		for _, e := range must.Have(s.Engines()) {
			got := must.Have(e.Simulate())
			sortPackets(got.Packets)
			if !slices.Equal(got.Packets, want.Packets) {
				r.Fatalf("%+v\nrenamed nodes give another run", e.Config)
			}
			compared++
		}
	})
	if compared < checks/2 || blocked == 0 {
		t.Errorf("%d runs of %d trials compared, in which heads waited %d cycles", compared, checks,
			blocked)
	}
}

// drawSymmetric draws a scenario with one virtual channel, first come, first served, and an
// automorphism of its nodes: reflections of a mesh, or permutations of the ports down of a tree.
func drawSymmetric(r *rapid.T) (s reference.Scenario, rename func(topology.Node) topology.Node) {
	var base []int
	c := drawConfig(r)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed of names"), 0))
	var renamed [][]int // by digit of a node's number
	if rapid.Bool().Draw(r, "tree") {
		k := topology.TreeConfig{Arity: rapid.IntRange(2, 4).Draw(r, "arity"), Levels: 2}
		c.Topology = must.Have(topology.NewTree(k))
		c.Routing = rapid.SampledFrom([]string{"d-mod-k", "s-mod-k"}).Draw(r, "up")
		for range k.Levels {
			base, renamed = append(base, k.Arity), append(renamed, rng.Perm(k.Arity))
		}
	} else {
		base = rapid.SampledFrom([][]int{{5}, {4, 3}, {2, 2, 2}, {3, 2, 3}}).Draw(r, "mesh")
		c.Topology, c.Routing = meshOf(base...), ""
		for _, k := range base {
			order := rng.Perm(k)
			slices.Sort(order)
			if rng.IntN(2) == 0 {
				slices.Reverse(order)
			}
			renamed = append(renamed, order)
		}
	}
	linksAlike(&c)
	drawLinks(r, &c, "none", "delay", "width", "both")
	giveVirtualChannels(&c, 1)
	c.OwnLinks, c.Arbiter, c.InjectionPorts = nil, router.FirstCome, 1
	s = scenarioOf(r, c)
	s.Messages = s.Messages[:min(len(s.Messages), 14)]
	for i := range s.Messages {
		m := &s.Messages[i]
		// Few heads come to a channel in the same cycle, and many to the same channels.
		m.At += rng.Int64N(40)
		if m.From = topology.Node(i % c.Topology.Nodes()); i%4 > 0 {
			m.To = 0
		}
	}
	sortByTime(s.Messages)
	return s, func(n topology.Node) (to topology.Node) {
		for i, k := 0, 1; i < len(base); i++ {
			to += topology.Node(renamed[i][int(n)/k%base[i]] * k)
			k *= base[i]
		}
		return to
	}
}

// sortPackets orders packets by what names do not change, and forgets their numbers.
func sortPackets(list []reference.Packet) {
	for i := range list {
		list[i].Number = 0
	}
	slices.SortFunc(list, func(a, b reference.Packet) int {
		return cmp.Or(cmp.Compare(a.Injected, b.Injected), cmp.Compare(a.From, b.From),
			cmp.Compare(a.Delivered, b.Delivered))
	})
}

// hasTie reports whether two heads request one channel in the same cycle, in a run with one virtual
// channel a link.
func hasTie(c netsim.Config, run reference.Run) bool {
	n := must.Have(netsim.New(c))
	w, times := n.Wiring(), n.LinkTimings()
	type visit struct{ head, tail netsim.Cycle } // of a packet, when sent
	sent := map[router.Channel]map[int64]*visit{}
	path := map[int64][]router.Channel{}
	order := map[router.Channel][]int64{} // packets in the order of their heads
	for _, f := range run.Sent {
		if sent[f.On] == nil {
			sent[f.On] = map[int64]*visit{}
		}
		if f.Index == 0 {
			sent[f.On][f.Packet] = &visit{head: f.Cycle}
			path[f.Packet] = append(path[f.Packet], f.On)
			order[f.On] = append(order[f.On], f.Packet)
		}
		sent[f.On][f.Packet].tail = f.Cycle
	}
	next := func(on router.Channel, packet int64) (router.Channel, bool) {
		i := slices.Index(path[packet], on) + 1
		if i == len(path[packet]) {
			return 0, false
		}
		return path[packet][i], true
	}
	type request struct {
		of router.Channel
		at netsim.Cycle
	}
	requests := map[request]int{}
	for on, packets := range order {
		delay, left := netsim.Cycle(times[w.LinkOf(on)].Delay), netsim.Cycle(-1)
		for _, p := range packets {
			to, ok := next(on, p)
			if !ok {
				continue
			}
			ready := max(sent[on][p].head+delay, left+1) + netsim.Cycle(c.RoutingCycles-c.VCAllocCycles)
			if c.Switching == router.StoreAndForward {
				ready = max(ready, sent[on][p].tail+delay)
			}
			requests[request{to, ready}]++
			left = sent[to][p].tail
		}
	}
	for _, count := range requests {
		if count > 1 {
			return true
		}
	}
	return false
}
