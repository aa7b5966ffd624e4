package netsim_test

import (
	"cmp"
	"fmt"
	"maps"
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

// stopped is a scenario on a network of which parts stand still for a time and go on later.
type stopped struct {
	*netsim.Network
	rng   *rand.Rand
	run   reference.Run
	parts []part       // that share no link
	shift netsim.Cycle // by which the clock that runs is ahead of the time of the scenario
	err   error
}

// part is a set of messages that share no link with others.
type part struct {
	links    []router.Link
	messages []numbered
}

// numbered is a message with its place in the order of the scenario.
type numbered struct {
	reference.Timed
	number int
}

// partsOf divides the messages of a scenario into parts.
func partsOf(n *netsim.Network, messages []reference.Timed) []part {
	footprint, nodes := n.Footprint(), n.Config().Topology.Nodes()
	of, parts := make([]int, n.Wiring().Links()), []part{}
	for l := range of {
		of[l] = -1
	}
	for i, m := range messages {
		p := len(parts)
		parts = append(parts, part{})
		var links []router.Link
		use := func(l router.Link) { links = append(links, l) }
		footprint.Links(m.From, m.To, use)
		for l := range router.Link(len(of)) { // all interfaces, since messages take them in turn
			if from, _ := n.Wiring().Ends(l); n.Wiring().Kind(l) == router.Injection &&
				int(from.Node)%nodes == int(m.From) {
				links = append(links, l)
			}
		}
		for _, l := range links {
			q := of[l]
			if q == p {
				continue
			}
			if q >= 0 {
				for _, k := range parts[q].links {
					of[k] = p
				}
				parts[p].links = append(parts[p].links, parts[q].links...)
				parts[p].messages = append(parts[p].messages, parts[q].messages...)
				parts[q] = part{}
				continue
			}
			of[l] = p
			parts[p].links = append(parts[p].links, l)
		}
		parts[p].messages = append(parts[p].messages, numbered{m, i})
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return len(p.links) == 0 })
	for _, p := range parts {
		slices.Sort(p.links)
		slices.SortFunc(p.messages, func(a, b numbered) int {
			return cmp.Compare(a.number, b.number)
		})
	}
	return parts
}

// Sent implements router.Tracer.
func (s *stopped) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	s.run.Sent = append(s.run.Sent, reference.Sending{Cycle: cycle - s.shift, On: c, Packet: packet,
		Index: index})
}

// advance lets the clock that runs go to a cycle of the scenario, and sends the messages of some
// parts.
func (s *stopped) advance(until netsim.Cycle, parts ...*part) {
	for s.err == nil {
		next := until
		for _, p := range parts {
			for len(p.messages) > 0 && p.messages[0].At == s.Now()-s.shift && p.messages[0].At < until {
				s.Send(p.messages[0].Message)
				p.messages = p.messages[1:]
			}
			if len(p.messages) > 0 {
				next = min(next, p.messages[0].At)
			}
		}
		if s.Now()-s.shift >= until {
			return
		}
		_, _, s.err = s.Advance(next + s.shift)
	}
}

// stopAndGo runs a scenario with parts that stand still at random.
// It returns the number of parts, and how long packets have waited for their rates.
func stopAndGo(r *rapid.T, c reference.Scenario, seed uint64) (reference.Run, int, netsim.Cycle) {
	s := &stopped{Network: must.Have(netsim.New(c.Config)), rng: rand.New(rand.NewPCG(seed, 3))}
	s.Trace(s)
	s.Watch(func(p *router.Arrival) {
		by := s.shift
		s.run.Packets = append(s.run.Packets, reference.Packet{Number: p.Number, From: p.From, To: p.To,
			Length: int(p.Length), Hops: int(p.Hops), Created: p.Created - by, Turn: p.Turn - by,
			Injected: p.Injected - by, Delivered: p.Delivered - by, Blocked: p.Blocked})
	})
	s.parts = partsOf(s.Network, c.Messages)
	total := len(s.parts)
	var all []*part
	for i := range s.parts {
		all = append(all, &s.parts[i])
	}
	for left := len(c.Messages); s.err == nil && (s.Pending() > 0 || left > 0); {
		s.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		k := s.rng.IntN(min(3, len(all)) + 1)
		begin := s.Now()
		end := begin + netsim.Cycle(s.rng.IntN(1+[]int{3, 40, 400}[s.rng.IntN(3)]))
		var frozen []*netsim.Frozen
		for _, p := range all[:k] {
			frozen = append(frozen, s.Freeze(p.links))
		}
		s.advance(end, all[k:]...)
		others := s.FreezeRest()
		for i, f := range frozen {
			s.shift = netsim.Cycle(s.rng.IntN(3) * s.rng.IntN(5000))
			s.SetNow(begin + s.shift)
			s.Thaw(f)
			s.advance(end, all[i])
			frozen[i] = s.FreezeRest()
			s.SetNow(end + netsim.Cycle(s.rng.IntN(1000)))
			s.Thaw(frozen[i])
			frozen[i] = s.Freeze(all[i].links)
		}
		s.shift = 0
		s.SetNow(end)
		s.Thaw(others)
		for _, f := range frozen {
			s.Thaw(f)
		}
		left = 0
		for _, p := range all {
			left += len(p.messages)
		}
		if s.Now() > 1<<24 {
			r.Fatal("the network comes to no end")
		}
	}
	if s.err != nil {
		r.Fatal(s.err)
	}
	s.run.Renumber()
	control, _ := s.Congestion()
	return s.run, total, control.Rests
}

// A part of a network may stand still and catch up later, at any time and with any clock: all
// engines send every flit in the cycle in which they send it if nothing stands still.
func TestFrozenPartsCatchUp(t *testing.T) { partsCatchUp(t, 10) }

// partsCatchUp compares runs with parts that stand still with runs without.
func partsCatchUp(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	several, limited := 0, map[string]int{}
	for name, draw := range draws {
		t.Run(name, rapid.MakeCheck(func(r *rapid.T) {
			c, seed := fewer(r, draw(r)), rapid.Uint64().Draw(r, "seed of stops")
			for _, e := range must.Have(c.Engines()) {
				if e.Config.Threads > 1 {
					continue
				}
				want := must.Have(e.Simulate())
				got, parts, rests := stopAndGo(r, e, seed)
				got.Untraced = want.Untraced
				if parts > 1 && rests > 0 {
					limited[fmt.Sprintf("%T", e.Config.Congestion)]++
				}
				if diff := got.Difference(&want); diff != "" {
					r.Fatalf("engine %s, flit by flit %v: %s", e.Config.Engine, e.Config.FlitByFlit, diff)
				}
				if parts > 1 {
					several++
				}
			}
		}))
	}
	if several < checks {
		t.Errorf("%d runs with several parts", several)
	}
	if runs := slices.Sorted(maps.Values(limited)); len(runs) < 3 || runs[0] < checks/3 {
		t.Errorf("packets wait for their rates in few runs with several parts: %v", limited)
	}
}

// fewer leaves out messages, so that those left are in several parts more often, and has rails that
// do not depend on other messages.
func fewer(r *rapid.T, c reference.Scenario) reference.Scenario {
	c.Config.Rail = netsim.RailByDestination
	stride, crowded := topology.Node(rapid.IntRange(1, 4).Draw(r, "neighbours")), false
	if rapid.IntRange(0, 3).Draw(r, "queue pairs") > 0 {
		c.Config.SourceQueues = netsim.QueuePerDestination
		c.Config.Congestion = drawControl(r)
		if k, throttles := c.Config.Congestion.(*netsim.Throttle); throttles {
			k.Senders, k.Outstanding = 2, 4 // in a few nodes
		}
		c.Messages = slices.Repeat(c.Messages, 4)
		sortByTime(c.Messages)
		stride, crowded = stride+1, true
	}
	if crowded || rapid.Bool().Draw(r, "near") {
		for i := range c.Messages {
			m := &c.Messages[i]
			if m.To %= stride; crowded && m.From%3 > 0 {
				m.To = 0
			}
			m.To += m.From / stride * stride
			m.To = min(m.To, topology.Node(c.Config.Topology.Nodes()-1))
		}
	}
	return c
}
