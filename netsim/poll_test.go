package netsim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

var errPolled = errors.New("stopped")

// pollAfter has a network stop at every poll after some.
func pollAfter(n *netsim.Network, polls int) (polled *int) {
	polled = new(int)
	n.Poll(func() error {
		if *polled++; *polled > polls {
			return errPolled
		}
		return nil
	})
	return polled
}

// Advance stops soon after it is told to, in every engine, at any time of a run: during a message
// that takes hours, and where a single cycle of a large machine is as much work as a thousand of a
// small one.
func TestAdvanceStopsWithinFractionsOfASecond(t *testing.T) {
	engines := map[string]func(*netsim.Config){
		"cycle":       func(c *netsim.Config) { c.Engine = "cycle" },
		"worms":       func(c *netsim.Config) { c.Engine, c.FlitByFlit = "worm", true },
		"closed form": func(c *netsim.Config) { c.Engine = "worm" },
		"threads":     func(c *netsim.Config) { c.Engine, c.Threads = "cycle", 2 },
		"queue pairs": func(c *netsim.Config) { c.SourceQueues = netsim.QueuePerDestination },
		"recorded":    func(c *netsim.Config) {},
	}
	for name, engine := range engines {
		for _, start := range []netsim.Cycle{0, 1_000_000} {
			c := netsim.Default(meshOf(3, 2))
			c.VirtualChannels, c.NodeVirtualChannels = 1, 1
			engine(&c)
			n := must.Have(netsim.New(c))
			polled := pollAfter(n, 1000)
			if name == "recorded" { // which makes the routers anew
				n.Record(nobody{})
			}
			advanced(t, n, start)
			n.Send(netsim.Message{From: 0, To: 5, Flits: math.MaxInt32 &^ 7})
			began := time.Now()
			now, _, err := n.Advance(math.MaxInt64 / 4)
			if err != errPolled || *polled != 1001 || now < start || now > start+10_000_000 ||
				time.Since(began) > 10*time.Second {
				t.Errorf("%s from %d: %v after %d polls and %v, in cycle %d", name, start, err, *polled,
					time.Since(began), now)
			}
			if now, _, err := n.Advance(math.MaxInt64 / 4); err == nil || now < start {
				t.Errorf("%s: it does not stop again: %d, %v", name, now, err)
			}
		}
	}
	large := netsim.Default(meshOf(64, 64))
	n := must.Have(netsim.New(large))
	polled := pollAfter(n, math.MaxInt)
	for i := range topology.Node(64 * 64) {
		n.Send(netsim.Message{From: i, To: 64*64 - 1 - i, Flits: 8})
	}
	for n.Now() < 100 {
		advanced(t, n, 100)
	}
	if *polled < 90 {
		t.Errorf("%d polls in 100 cycles of a large machine", *polled)
	}
}

// advanced calls Advance.
func advanced(t *testing.T, n *netsim.Network, until netsim.Cycle) {
	t.Helper()
	if _, _, err := n.Advance(until); err != nil {
		t.Fatal(err)
	}
}

// nobody records nothing.
type nobody struct{}

func (nobody) Carried(router.Link, int64, int64) {}

// A run that is stopped at some of its polls and then continued is the run that nobody stopped.
func TestStoppedRunsContinue(t *testing.T) {
	laws.AtMost(t, 20)
	all := 0
	rapid.Check(t, func(r *rapid.T) {
		c := drawRouted(r).Config
		if c.Topology.Nodes() < 2 {
			r.Skip("there is nobody to send to")
		}
		c.MessageFlits, c.MessageMultiple = 0, 0
		load, flits := rapid.Float64Range(0.01, 0.5).Draw(r, "load"), int32(2*c.PacketFlits)
		start := rapid.SampledFrom([]netsim.Cycle{0, 1_000_000}).Draw(r, "start")
		stops := rapid.IntRange(1, 3).Draw(r, "stops")
		want, stopped := pollingRun(r, c, start, load, flits, 0)
		got, n := pollingRun(r, c, start, load, flits, stops)
		if stopped != 0 || !reflect.DeepEqual(got, want) {
			r.Fatalf("a run with %d stops is another run", n)
		}
		all += n
	})
	if all < 20 {
		t.Errorf("%d stops in all runs", all)
	}
}

// pollingRun sends messages at drawn times from a cycle on. Every so many polls stop it; it is then
// continued.
func pollingRun(r *rapid.T, c netsim.Config, start netsim.Cycle, load float64, flits int32,
	every int) (s stepped, stops int) {
	n := must.Have(netsim.New(c))
	n.ReportEntries()
	n.Watch(func(p *router.Arrival) { s.packets = append(s.packets, *p) })
	polls, stop := 0, false
	n.Poll(func() error {
		polls++
		if stop = every > 0 && polls%every == 0 && !stop; stop {
			stops++
			return errPolled
		}
		return nil
	})
	advance := func(until netsim.Cycle) {
		for n.Now() < until {
			_, _, err := n.Advance(until)
			if err != nil && err != errPolled {
				r.Fatal(err)
			}
			s.entries = append(s.entries, n.Entries()...)
		}
	}
	nodes, rng := c.Topology.Nodes(), rand.New(rand.NewPCG(1, 2))
	advance(start)
	for t := start; t < start+1500; t++ {
		advance(t)
		for from := range nodes {
			if to := rng.IntN(nodes); rng.Float64() < load/float64(flits) && to != from {
				n.Send(netsim.Message{From: topology.Node(from),
					To: topology.Node(to), Flits: flits})
			}
		}
	}
	advance(start + 3000)
	for l := range n.Wiring().Links() {
		s.usage = append(s.usage, n.Usage(router.Link(l)))
	}
	return s, stops
}

// stepped is what a run shows: packets and entries in their order, and the use of all links.
type stepped struct {
	packets []router.Arrival
	entries []router.Entry
	usage   []router.Usage
}

// stepWith runs uniform traffic on a network that some threads step.
func stepWith(r *rapid.T, c netsim.Config, threads int, load float64, flits int32) (s stepped) {
	c.Threads = threads
	n := must.Have(netsim.New(c))
	n.ReportEntries()
	n.Watch(func(p *router.Arrival) { s.packets = append(s.packets, *p) })
	nodes := c.Topology.Nodes()
	tr := netsim.Traffic{Load: load, Flits: flits, Destination: netsim.Uniform(nodes)}
	tr.Start(nodes, rand.New(rand.NewPCG(1, 2)))
	for t := netsim.Cycle(20); t < 1500; t += 20 {
		if err := tr.Run(n, t); err != nil {
			r.Fatal(err)
		}
		s.entries = append(s.entries, n.Entries()...)
	}
	for l := range n.Wiring().Links() {
		s.usage = append(s.usage, n.Usage(router.Link(l)))
	}
	return s
}

// Any number of threads steps a network to the same packets, entries and uses of links, in the same
// order, also where cycles are so short that one thread goes on alone.
func TestThreadsGiveTheSameRuns(t *testing.T) {
	laws.AtMost(t, 10)
	rapid.Check(t, func(r *rapid.T) {
		c := drawRouted(r).Config
		if c.Topology.Nodes() < 2 {
			r.Skip("there is nobody to send to")
		}
		c.Engine, c.MessageFlits, c.MessageMultiple = "cycle", 0, 0
		load, flits := rapid.Float64Range(0.01, 0.5).Draw(r, "load"), int32(c.PacketFlits)
		want := stepWith(r, c, 1, load, flits)
		for _, threads := range []int{2, 3, 8} {
			if got := stepWith(r, c, threads, load, flits); !reflect.DeepEqual(got, want) {
				r.Fatalf("%d threads give another run", threads)
			}
		}
	})
}
