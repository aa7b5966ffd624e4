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
	all   []reference.Timed
	parts []part       // that share no link
	shift netsim.Cycle // by which the clock that runs is ahead of the time of the scenario
	err   error
	// messageOf is the message of each packet; uses says whether a message may use a link.
	messageOf []int
	uses      []map[router.Link]bool // nil while packets from before a change are under way
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

// divide divides the messages of the scenario into parts; sent are those that have been sent.
func (s *stopped) divide(sent []bool) {
	s.parts = s.partsOf(s.Network, s.all)
	for i := range s.parts {
		p := &s.parts[i]
		p.messages = slices.DeleteFunc(p.messages, func(m numbered) bool { return sent[m.number] })
	}
}

// partsOf divides messages into parts.
func (s *stopped) partsOf(n *netsim.Network, messages []reference.Timed) []part {
	s.uses = nil
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
		s.uses = append(s.uses, map[router.Link]bool{})
		for _, l := range links {
			s.uses[i][l] = true
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
	if l := s.Wiring().LinkOf(c); s.uses != nil && !s.uses[s.messageOf[packet]][l] {
		s.err = fmt.Errorf("%+v takes link %d, which is not of its footprint",
			s.all[s.messageOf[packet]], l)
	}
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
				m := p.messages[0]
				for range (int(m.Flits)-1)/s.Config().PacketFlits + 1 {
					s.messageOf = append(s.messageOf, m.number)
				}
				s.Send(m.Message)
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

// sums are the sums of a run.
type sums struct {
	failures netsim.Failures
	totals   netsim.Totals
}

// stopAndGo runs a scenario while links fail and are repaired. If stops is set, parts stand still at
// random. It returns the run, its sums, and the number of parts.
func stopAndGo(r *rapid.T, c reference.Scenario, failures []failure, seed uint64, stops bool,
) (reference.Run, sums, int) {
	s := &stopped{Network: must.Have(netsim.New(c.Config)), rng: rand.New(rand.NewPCG(seed, 3)),
		all: c.Messages}
	s.Trace(s)
	s.Watch(func(p *router.Arrival) {
		by := s.shift
		s.run.Packets = append(s.run.Packets, reference.Packet{Number: p.Number, From: p.From, To: p.To,
			Length: int(p.Length), Hops: int(p.Hops), Created: p.Created - by, Turn: p.Turn - by,
			Injected: p.Injected - by, Delivered: p.Delivered - by, Blocked: p.Blocked})
	})
	if len(c.Failed) > 0 {
		s.Fail(c.Failed...)
	}
	if c.Config.LinksFail {
		s.ExpectRepairs(true)
	}
	s.divide(make([]bool, len(c.Messages)))
	total, failed, settled := 0, map[router.Link]int{}, s.Settled()
	for left := len(c.Messages); s.err == nil && (s.Pending() > 0 || left > 0 || len(failures) > 0); {
		for len(failures) > 0 && failures[0].at <= s.Now() {
			apply(s.Network, failed, failures[0])
			failures, settled, s.uses = failures[1:], false, nil
		}
		if now := s.Settled(); now && !settled { // links may be others than before
			sent := slices.Repeat([]bool{true}, len(c.Messages))
			for _, p := range s.parts {
				for _, m := range p.messages {
					sent[m.number] = false
				}
			}
			s.divide(sent)
			settled = true
		}
		var all []*part
		for i := range s.parts {
			all = append(all, &s.parts[i])
		}
		total = max(total, len(all))
		s.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		end := s.Now() + netsim.Cycle(s.rng.IntN(1+[]int{3, 40, 400}[s.rng.IntN(3)]))
		if len(failures) > 0 {
			end = min(end, failures[0].at)
		}
		if stops && settled {
			s.stop(all, s.rng.IntN(min(3, len(all))+1), end)
		} else {
			s.advance(end, all...)
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
	return s.run, sums{s.Failures(), s.Totals()}, total
}

// stop lets the first k parts stand still to a cycle, and catch up one by one.
func (s *stopped) stop(all []*part, k int, end netsim.Cycle) {
	begin := s.Now()
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
				got, all, parts := stopAndGo(r, e, nil, seed, true)
				got.Untraced = want.Untraced
				if parts > 1 && all.totals.Rests > 0 {
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
	runs, all := slices.Sorted(maps.Values(limited)), 0
	for _, n := range runs {
		all += n
	}
	if all < checks/3 || checks >= 100 && (len(runs) < 3 || runs[0] < checks/3) {
		t.Errorf("packets wait for their rates in few runs with several parts: %v", limited)
	}
}

// Where links have failed, or fail and are repaired, parts of the network may stand still and catch
// up too, once no packet from before a change is left. Packets then use no other links than those of
// their footprint.
func TestFrozenPartsCatchUpWhereLinksFail(t *testing.T) { partsCatchUpWhereLinksFail(t, 30) }

func partsCatchUpWhereLinksFail(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	several, lost, escaped := 0, int64(0), int64(0)
	rapid.Check(t, func(r *rapid.T) {
		c, failures := drawWithFailures(r)
		seed := rapid.Uint64().Draw(r, "seed of stops")
		for _, e := range must.Have(c.Engines()) {
			if e.Config.Threads > 1 {
				continue
			}
			want, counts, _ := stopAndGo(r, e, failures, seed, false)
			got, again, parts := stopAndGo(r, e, failures, seed, true)
			if diff := got.Difference(&want); diff != "" {
				r.Fatalf("engine %s: %s", e.Config.Engine, diff)
			}
			if again != counts {
				r.Fatalf("engine %s: %+v, with stops %+v", e.Config.Engine, counts, again)
			}
			if parts > 1 {
				several++
			}
			lost, escaped = lost+counts.failures.Lost, escaped+counts.totals.OnEscapePaths
		}
	})
	t.Logf("%d runs with several parts, %d packets lost, %d on escape paths", several, lost, escaped)
	least := int64(checks) / 2
	if checks < 100 {
		least = 1
	}
	if several < checks/2 || lost < least || escaped < least {
		t.Errorf("%d runs with several parts, %d packets lost and %d on escape paths are too few",
			several, lost, escaped)
	}
}

// drawWithFailures draws a scenario on a network of which links have failed or do so later.
func drawWithFailures(r *rapid.T) (c reference.Scenario, failures []failure) {
	if rapid.Bool().Draw(r, "from the beginning") {
		c = drawFailed(r, "mesh:6x6", "dragonfly:a4h2p2", "hyperx:4x4:p2", "fat-tree:4x4:4", "mesh:3x3")
	} else {
		c = drawRouted(r)
		c.Config.EjectionCreditCycles, c.Config.HeadersSpeculate, c.Config.LinksFail = 0, false, true
		if rapid.Bool().Draw(r, "hold links") {
			holdLinks(&c.Config)
		}
	}
	c = fewer(r, c)
	if len(c.Failed) > 0 {
		left := leftOf(c.Config, c.Failed)
		c.Messages = slices.DeleteFunc(c.Messages, func(m reference.Timed) bool {
			return left.Reach(m.From, m.To) == router.Unreached
		})
	}
	c.Config.ResendCycles = netsim.Cycle(rapid.SampledFrom([]int{0, 50, 2000}).Draw(r, "resend"))
	if len(c.Failed) == 0 || rapid.Bool().Draw(r, "later") {
		failures = drawFailures(r, c.Config)
	}
	once := slices.Clone(c.Messages)
	for i := range netsim.Cycle(rapid.IntRange(0, 8).Draw(r, "times")) {
		for _, m := range once {
			m.At += (i + 1) * 100
			c.Messages = append(c.Messages, m)
		}
	}
	slices.SortStableFunc(c.Messages, func(a, b reference.Timed) int {
		return cmp.Compare(a.At, b.At)
	})
	return c, failures
}

// leftOf returns the routing of a network of which links have failed.
func leftOf(c netsim.Config, links []router.Link) router.Leftover {
	c = must.Have(c.Resolved())
	w, x, err := c.Wire()
	must.Do(err)
	failed, left := make([]bool, w.Links()), x.(router.Leftover)
	for _, l := range links {
		failed[l] = true
	}
	left.SetFailed(failed, true)
	return left
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
