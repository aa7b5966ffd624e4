package netsim_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
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

// The laws of networks: what may change about a run, and what then may not. They hold to the cycle
// for every mechanism. A new mechanism enters drawTrial, and each law then draws it.

// trial is a network, what is sent on it, and what fails.
type trial struct {
	config   netsim.Config
	messages []reference.Timed
	failures []failure
}

// drawTrial draws a network with any mechanisms, and an engine that is exact for it.
func drawTrial(r *rapid.T) (k trial) {
	draw := drawRouted
	names := []string{"routed", "any", "one virtual channel", "narrow crossbar", "whole packets"}
	if name := rapid.SampledFrom(names).Draw(r, "draw"); name != "routed" {
		draw = draws[name]
	}
	s := draw(r)
	if rapid.IntRange(0, 2).Draw(r, "loaded") == 0 {
		s.Messages = slices.Repeat(s.Messages, 4)
		sortByTime(s.Messages)
	}
	if rapid.Bool().Draw(r, "queue pairs") {
		s.Config.SourceQueues = netsim.QueuePerDestination
		s.Config.Congestion = drawControl(r)
		crowd(r, &s)
	}
	engines := must.Have(s.Engines())
	k = trial{config: engines[rapid.IntRange(0, len(engines)-1).Draw(r, "engine")].Config,
		messages: s.Messages}
	if c := &k.config; c.Engine == "cycle" && rapid.IntRange(0, 2).Draw(r, "failures") == 0 {
		c.EjectionCreditCycles, c.HeadersSpeculate = 0, false
		c.LinksFail, c.ResendCycles = true, netsim.Cycle(rapid.IntRange(0, 300).Draw(r, "resend"))
		if rapid.Bool().Draw(r, "links slow down") {
			c.SlowestBandwidth = 0.25
		}
		c.Drops = rapid.IntRange(0, 3).Draw(r, "drops") == 0
		k.failures = drawFailures(r, *c)
	}
	return k
}

// sortByTime sorts messages by the cycles in which they are sent.
func sortByTime(list []reference.Timed) {
	slices.SortStableFunc(list, func(a, b reference.Timed) int { return cmp.Compare(a.At, b.At) })
}

// run simulates a trial.
func (k trial) run(r *rapid.T) outcome {
	return runWithFailures(r, k.config, k.messages, k.failures, k.config.Threads)
}

// later returns the trial with everything a number of cycles later.
func (k trial) later(by netsim.Cycle) trial {
	k.messages, k.failures = slices.Clone(k.messages), slices.Clone(k.failures)
	for i := range k.messages {
		k.messages[i].At += by
	}
	for i := range k.failures {
		k.failures[i].at += by
	}
	return k
}

// earlier takes the time back by which a trial was later.
func (o *outcome) earlier(by netsim.Cycle) {
	for i := range o.deliveries {
		d := &o.deliveries[i]
		d.Created, d.Delivered = d.Created-by, d.Delivered-by
	}
	for i := range o.packets {
		p := &o.packets[i]
		p.Created, p.Turn, p.Injected, p.Delivered = p.Created-by, p.Turn-by, p.Injected-by,
			p.Delivered-by
	}
}

// Everything sent and failing later gives the same run, as much later.
func TestLawOfTime(t *testing.T) { lawOfTime(t, 60) }

func lawOfTime(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		k := drawTrial(r)
		by := laws.Later(r)
		got := k.later(by).run(r)
		got.earlier(by)
		if want := k.run(r); !reflect.DeepEqual(got, want) {
			r.Fatalf("%d cycles later the run is another one: %s", by, firstDifference(&got, &want))
		}
	})
}

// firstDifference describes the first packet that differs.
func firstDifference(got, want *outcome) string {
	for i := range min(len(got.packets), len(want.packets)) {
		if got.packets[i] != want.packets[i] {
			return fmt.Sprintf("packet %d is\n%+v, not\n%+v", i, got.packets[i], want.packets[i])
		}
	}
	return fmt.Sprintf("%d packets, not %d; failures %+v, not %+v", len(got.packets),
		len(want.packets), got.counts, want.counts)
}

// What is sent again on a network that has long been idle does what it did the first time: with one
// virtual channel no pointer of an arbiter is left where earlier packets put it, and no mark is
// drawn.
func TestLawOfRepetition(t *testing.T) { lawOfRepetition(t, 30) }

func lawOfRepetition(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		s := draws["one virtual channel"](r)
		s.Config.Arbiter, s.Config.SourceQueues = router.FirstCome, netsim.QueuePerDestination
		switch c := drawControl(r).(type) {
		case *netsim.DCQCN:
			c.MarkTo = c.MarkFrom
			s.Config.Congestion = c
		case *netsim.IBCCA:
			c.MarkingRate = 0
			s.Config.Congestion = c
		case *netsim.Throttle:
			s.Config.Congestion = c
		}
		crowd(r, &s)
		engines := must.Have(s.Engines())
		k := trial{config: engines[rapid.IntRange(0, len(engines)-1).Draw(r, "engine")].Config,
			messages: s.Messages}
		const by = 10_000_000
		twice := trial{config: k.config, messages: slices.Concat(k.messages, k.later(by).messages)}
		both := twice.run(r)
		half := len(both.packets) / 2
		first, second := outcome{packets: both.packets[:half]}, outcome{packets: both.packets[half:]}
		second.earlier(by)
		for _, o := range []*outcome{&first, &second} {
			for i := range o.packets {
				p := &o.packets[i]
				p.User, p.Message, p.Number, p.Identity = 0, 0, 0, 0
			}
		}
		if !slices.Equal(first.packets, second.packets) {
			r.Fatalf("the second time the run is another one: %s", firstDifference(&second, &first))
		}
	})
}

// Traffic on links that nobody else may use, of nodes that send and get nothing else, and failures
// of those links, change nothing for the others.
func TestLawOfElsewhere(t *testing.T) { lawOfElsewhere(t, 40) }

func lawOfElsewhere(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	apart := 0
	rapid.Check(t, func(r *rapid.T) {
		k := drawTrial(r)
		k.config.Drops, k.failures = false, nil // drops name no node
		here, there := k.divided(r)
		if len(there.messages)+len(there.failures) > 0 {
			apart++
		}
		both := trial{k.config, slices.Concat(here.messages, there.messages), there.failures}
		checkElsewhere(r, here, both)
	})
	if apart < checks/4 {
		t.Errorf("only %d of %d trials have traffic elsewhere", apart, checks)
	}
}

// More pairs of nodes elsewhere than tables hold before they are tidied up change nothing either.
func TestLawOfElsewhereForManyPairs(t *testing.T) {
	laws.AtMost(t, 40)
	rapid.Check(t, func(r *rapid.T) {
		c := netsim.Default(must.Have(topology.NewTree(topology.TreeConfig{Arity: 40, Levels: 1})))
		c.SourceQueues = netsim.QueuePerDestination
		for c.Congestion == nil {
			c.Congestion = drawControl(r)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		here, begin, before := trial{config: c}, netsim.Cycle(0), netsim.Cycle(0)
		for range 3 { // incasts, between which rates recover
			for range 30 {
				here.messages = append(here.messages, reference.Timed{At: begin + rng.Int64N(50),
					Message: netsim.Message{From: topology.Node(1 + rng.IntN(3)), Flits: 1 + rng.Int32N(40)}})
			}
			before = begin
			begin += 500 + rapid.Int64Range(0, 2000).Draw(r, "gap")
		}
		both := trial{config: c, messages: slices.Clone(here.messages)}
		at := rapid.Int64Range(before-500, before).Draw(r, "at")
		for i := range topology.Node(36 * 36) {
			both.messages = append(both.messages, reference.Timed{At: at,
				Message: netsim.Message{From: 4 + i/36, To: 4 + i%36, Flits: 1, Job: 1}})
		}
		checkElsewhere(r, here, both)
	})
}

// checkElsewhere checks that what is sent on other links changes nothing of a trial.
func checkElsewhere(r *rapid.T, here, both trial) {
	sortByTime(here.messages)
	sortByTime(both.messages)
	got, want := both.run(r), here.run(r)
	got.keep(both.messages, 0, here.links(r))
	want.keep(here.messages, 0, here.links(r))
	if !slices.Equal(got.packets, want.packets) || !slices.Equal(got.deliveries, want.deliveries) ||
		!slices.Equal(got.entered, want.entered) || !slices.Equal(got.usage, want.usage) {
		r.Fatalf("traffic elsewhere changes a run: %s", firstDifference(&got, &want))
	}
}

// divided returns the part of a trial between some of its nodes, and the part between the others
// that uses other links. The two have jobs 0 and 1.
func (k trial) divided(r *rapid.T) (here, there trial) {
	nodes := k.config.Topology.Nodes()
	border := topology.Node(rapid.IntRange(1, nodes).Draw(r, "nodes of the first part"))
	turned := topology.Node(rapid.IntRange(0, nodes-1).Draw(r, "turned by"))
	isHere := func(n topology.Node) bool { return (n+turned)%topology.Node(nodes) < border }
	here, there = trial{config: k.config}, trial{config: k.config}
	var rest []reference.Timed
	for _, m := range k.messages {
		m.Job = 0
		if isHere(m.From) != isHere(m.To) {
			m.To = m.From + 1 // so that fewer messages are lost
			if int(m.To) == nodes || isHere(m.From) != isHere(m.To) {
				m.To = m.From
			}
		}
		if isHere(m.From) {
			here.messages = append(here.messages, m)
		} else {
			m.Job = 1
			rest = append(rest, m)
		}
	}
	used, f := here.links(r), must.Have(netsim.New(k.config)).Footprint()
	fails := make([]bool, len(used))
	// When any link fails up-down routing on a graph finds its paths anew, and heads that wait look at
	// queues anew if their routing does.
	c := must.Have(k.config.Resolved())
	w, x, err := c.Wire()
	must.Do(err)
	if k.config.LinksFail && k.config.Routing != "up-down" && router.TraitsOf(w, router.Whole(x)).Oblivious {
		for _, x := range drawFailures(r, k.config) {
			if slices.ContainsFunc(x.links, func(l router.Link) bool { return used[l] }) {
				continue
			}
			there.failures = append(there.failures, x)
			for _, l := range x.links {
				fails[l] = true
			}
		}
	}
	for _, m := range rest { // a packet that finds a failed link may take any way
		free := true
		f.Links(m.From, m.To, func(l router.Link) { free = free && !used[l] && !fails[l] })
		if free {
			there.messages = append(there.messages, m)
		}
	}
	return here, there
}

// links returns which links the messages of a trial may use.
func (k trial) links(r *rapid.T) []bool {
	n := must.Have(netsim.New(k.config))
	used, f := make([]bool, n.Wiring().Links()), n.Footprint()
	for _, m := range k.messages {
		f.Links(m.From, m.To, func(l router.Link) { used[l] = true })
	}
	w := n.Wiring()
	for i := range topology.Node(w.Nodes()) { // a node with a failed injection link sends nothing
		for l := w.LinkOf(w.Injection(i)); int(l-w.LinkOf(w.Injection(i))) < w.InjectionPorts; l++ {
			used[l] = used[w.LinkOf(w.Injection(i))]
		}
	}
	return used
}

// keep keeps what a run says of the messages of a job and of some links, and nothing that numbers
// or counts all messages.
func (o *outcome) keep(messages []reference.Timed, job int32, links []bool) {
	position := make([]int32, len(messages)) // among the messages of the job
	count := int32(0)
	for i, m := range messages {
		position[i] = count
		if m.Job == job {
			count++
		}
	}
	o.deliveries = slices.DeleteFunc(o.deliveries,
		func(d netsim.Delivery) bool { return d.Job != job })
	for i := range o.deliveries {
		o.deliveries[i].User = position[o.deliveries[i].User]
	}
	o.packets = slices.DeleteFunc(o.packets, func(p router.Arrival) bool { return p.Job != job })
	for i := range o.packets {
		p := &o.packets[i]
		p.User, p.Message, p.Number = position[p.User], 0, 0
	}
	slices.SortStableFunc(o.packets, func(a, b router.Arrival) int {
		return cmp.Or(cmp.Compare(a.Delivered, b.Delivered), cmp.Compare(a.To, b.To))
	})
	var entered []int32
	for _, i := range o.entered {
		if messages[i].Job == job {
			entered = append(entered, position[i])
		}
	}
	slices.Sort(entered)
	o.entered, o.counts = entered, netsim.Failures{}
	for l := range o.usage {
		if !links[l] {
			o.usage[l] = router.Usage{}
		}
	}
}
