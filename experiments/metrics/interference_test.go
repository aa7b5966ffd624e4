package metrics

import (
	"math/rand/v2"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
	"contend/scheduler"

	"github.com/google/go-cmp/cmp"
)

// shared is a co-simulation: jobs with their places on a network.
type shared struct {
	config   netsim.Config
	patterns []patterns.Config
	jobs     []scheduler.Job
	places   [][]topology.Node
	software executor.Software
	ahead    int // parts of critical paths that are waits of packets ahead
}

// networks are those of drawShared, with the least number of virtual channels.
var networks = []struct {
	machine  string
	channels int
	routings []string
}{
	{"mesh:6x6", 1, []string{"auto", "odd-even"}},
	{"torus:5x5", 2, []string{"auto"}},
	{"mesh:6x6", 2, []string{"minimal-adaptive", "west-first"}},
	{"tree:3x3:2x1", 1, []string{"auto"}},
	{"dragonfly:a4h1p2", 4, []string{"ugal-l", "minimal", "valiant"}},
	{"hyperx:4x3:p3", 4, []string{"dal", "dimension-order", "minimal-adaptive"}},
	{"mesh:6x6", 1, []string{"auto"}}, // with slow links
}

// drawShared draws two to six jobs at random places of one of several networks.
func drawShared(t *testing.T, rng *rand.Rand) *shared {
	kind, v := rng.IntN(7), 1+rng.IntN(4)*rng.IntN(2) // one channel in most
	k := &networks[kind]
	c := netsim.Default(topologytest.Machine(t, k.machine))
	c.Routing, c.VirtualChannels = k.routings[rng.IntN(len(k.routings))], max(k.channels, v)
	if kind == 6 {
		c.FlitCycles, c.LinkCycles, c.CreditCycles = 1+rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(3)
	}
	c.BufferFlits = []int{1, 2, 4, 8}[rng.IntN(4)]
	c.PacketFlits = []int{1, 4, 8, 16}[rng.IntN(4)]
	if kind > 1 && kind < 6 {
		c.BufferFlits = 8
	}
	c.MessageMultiple = 0
	s := &shared{config: c}
	for _, name := range []string{"all-to-all", "random", "ring", "fft", "all-reduce-ring"} {
		s.patterns = append(s.patterns, patterns.Config{Name: name, Flits: 1 + rng.IntN(24), Bytes: 512,
			FlitBytes: 4, PadFlits: 16, RendezvousFlits: rng.Int64N(2) * 16,
			ComputeCycles: rng.Int64N(2) * rng.Int64N(100)})
	}
	if rng.IntN(3) == 0 {
		s.software = executor.Software{Send: rng.Int64N(9), Receive: rng.Int64N(9)}
	}
	if rng.IntN(2) == 0 { // lengths for which the closed form is exact
		s.config.PacketFlits, s.config.BufferFlits = 16, max(s.config.BufferFlits, 2)
		s.config.MessageMultiple = 16
		for i := range s.patterns {
			s.patterns[i].Flits = 16 * (1 + rng.IntN(2))
		}
	}
	nodes, many := rng.Perm(c.Topology.Nodes()), 2+rng.IntN(5)
	for id := range many {
		size := 4
		if many == 2 && rng.IntN(2) == 0 {
			size = 8
		}
		var place []topology.Node
		for _, n := range nodes[:size] {
			place = append(place, topology.Node(n))
		}
		nodes = nodes[size:]
		s.places = append(s.places, place)
		s.jobs = append(s.jobs, scheduler.Job{ID: scheduler.JobID(id + 1), Size: size, Shape: []int{size},
			Pattern: rng.IntN(len(s.patterns)), Quota: 20 + rng.Int64N(40), Seed: rng.Uint64()})
	}
	return s
}

// allWaits keeps all waits, and hands them on.
type allWaits struct {
	list    []router.Wait
	arrived map[int32][]int64 // by number, when packets arrive that have it
	to      *Interference
}

func (a *allWaits) Waited(list []router.Wait) {
	a.list = append(a.list, list...)
	a.to.Waited(list)
}

// check checks that headers wait behind the flits of packets only after these were sent.
func (a *allWaits) check(t *testing.T) {
	t.Helper()
	for i := range a.list {
		if w := &a.list[i]; w.Held > 0 && w.Resume <= w.Tail || w.From+w.Held > w.Until {
			t.Fatalf("%+v", *w)
		}
	}
}

// packet names the packet that has a number in a cycle: each gets numbers of those before it.
func (a *allWaits) packet(number int32, cycle int64) [2]int {
	n := 0
	for n < len(a.arrived[number]) && a.arrived[number][n] <= cycle {
		n++
	}
	return [2]int{int(number), n}
}

// run runs the jobs in an engine. It sums waits up after atOnce of them.
func (s *shared) run(t *testing.T, engine string, flitByFlit bool, atOnce int) (*Interference,
	*allWaits, netsim.Totals) {
	t.Helper()
	c := s.config
	c.Engine, c.FlitByFlit = engine, flitByFlit
	net, err := netsim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	x := executor.New(net, s.patterns, scheduler.Clock{})
	w := NewInterference(net)
	w.atOnce = atOnce
	all := &allWaits{to: w, arrived: map[int32][]int64{}}
	net.RecordWaits(all)
	x.Began, x.Software = w.Began, s.software
	chains := &executor.Chains{Waited: w.WaitedFor}
	chains.Ended = func(id scheduler.JobID, path []executor.Hop) {
		s.checkPath(t, net, id, path)
		w.Path(id, path)
	}
	x.FindChains(chains)
	net.Watch(func(p *router.Arrival) {
		all.arrived[net.Number()] = append(all.arrived[net.Number()], p.Delivered)
		chains.Packet(p)
	})
	for i := range s.jobs {
		x.Start(&s.jobs[i], s.places[i])
	}
	for ended := 0; ended < len(s.jobs); {
		_, done, err := x.Advance(scheduler.MaxCycle, nil)
		if err != nil {
			t.Fatal(err)
		}
		ended += len(done)
	}
	return w, all, net.Totals()
}

// checkPath checks that the parts of a critical path are those of the time since cycle 0, in which
// all jobs start.
func (s *shared) checkPath(t *testing.T, net *netsim.Network, id scheduler.JobID,
	path []executor.Hop) {
	t.Helper()
	sum := int64(0)
	for _, p := range partsOf(id, path) {
		if p.cycles < 0 {
			t.Errorf("job %d, %s: %d cycles", id, p.name, p.cycles)
		}
		if p.name == PartAhead {
			s.ahead++
		}
		sum += p.cycles
	}
	if sum != net.Now() {
		t.Errorf("the parts of job %d sum to %d cycles, it took %d", id, sum, net.Now())
	}
}

// roots finds the roots of waits cycle by cycle, by going from packet to packet.
func (a *allWaits) roots() map[[3]int64]int64 {
	type moment struct {
		packet [2]int
		cycle  int64
	}
	of := map[moment]*router.Wait{}
	for i := range a.list {
		w := &a.list[i]
		packet := a.packet(w.Packet, w.From)
		for c := w.From; c < w.Until; c++ {
			of[moment{packet, c}] = w
		}
	}
	sums := map[[3]int64]int64{}
	for i := range a.list {
		first := &a.list[i]
		for c := first.From; c < first.Until; c++ {
			seen, at := map[*router.Wait]bool{first: true}, first
			for !at.Nobody() && (c < at.Tail || c >= at.Resume) {
				next := of[moment{a.packet(at.For, at.Tail), c}]
				if next == nil || seen[next] {
					break
				}
				at, seen[next] = next, true
			}
			by := int64(-1)
			if !at.Nobody() {
				by = int64(at.ForJob) + 1 // slots are in the order of jobs here
			}
			sums[[3]int64{int64(first.Job) + 1, by, int64(first.Link)}]++
		}
	}
	return sums
}

// The sums of a run are packet_blocking_time and foreign_blocking_time to the cycle, the same in
// every engine, and roots are those that are found cycle by cycle.
func TestInterferenceSumsToBlocking(t *testing.T) {
	met, rooted, closed, ahead := 0, 0, 0, 0
	for seed := range uint64(200) {
		s := drawShared(t, rand.New(rand.NewPCG(seed, 30)))
		var first []LinkWait
		var paths []PathRow
		var want map[[3]int64]int64
		for _, e := range []struct {
			name       string
			flitByFlit bool
		}{{"cycle", false}, {"auto", true}, {"auto", false}} {
			w, all, totals := s.run(t, e.name, e.flitByFlit, 64)
			all.check(t)
			sums := w.Sums()
			var blocked, foreign, root int64
			if want == nil {
				want = all.roots()
			}
			for _, k := range sums {
				blocked += k.Held + k.Behind
				root += k.Root
				if k.Job != k.For && !k.Nobody {
					foreign += k.Held
				}
				key := [3]int64{int64(k.Job), int64(k.For), int64(k.Link)}
				if k.Root != want[key] {
					t.Fatalf("seed %d, %s: the root of %v has %d cycles, want %d", seed, e.name, key, k.Root,
						want[key])
				}
				if k.Root != k.Held+k.Behind {
					rooted++
				}
			}
			if blocked != totals.Blocked || foreign != totals.Foreign || root != blocked {
				t.Fatalf("seed %d, %s, %s V=%d: %d cycles, foreign %d, root %d; want %d, %d", seed, e.name,
					s.config.Routing, s.config.VirtualChannels, blocked, foreign, root, totals.Blocked,
					totals.Foreign)
			}
			if first == nil {
				first, paths = sums, w.paths
			} else if d := cmp.Diff(first, sums); d != "" {
				t.Fatalf("seed %d, %s, %v: %s", seed, e.name, e.flitByFlit, d)
			}
			if d := cmp.Diff(paths, w.paths, cmp.AllowUnexported(PathRow{}, pathPart{})); d != "" {
				t.Fatalf("seed %d, %s, %v: %s", seed, e.name, e.flitByFlit, d)
			}
			met += int(min(1, foreign))
			if c := &s.config; c.VirtualChannels == 1 && c.MessageMultiple > 0 {
				closed++
			}
		}
		ahead += s.ahead
	}
	if met < 300 || rooted < 300 || closed < 20 || ahead < 300 {
		t.Errorf("%d runs have foreign waits, %d sums have other roots, %d may be of the closed form, "+
			"%d parts are of packets ahead", met, rooted, closed, ahead)
	}
}

// The numbers of packets in waits are used again, also where nobody waits.
func TestNumbersInWaitsAreFew(t *testing.T) {
	net := must.Have(netsim.New(netsim.Default(must.Have(topology.NewCube(
		topology.CubeConfig{Dims: []int{4}})))))
	w := NewJobWaits(net)
	net.RecordWaits(w)
	x := executor.New(net, []patterns.Config{{Name: "ring", Flits: 8}}, scheduler.Clock{})
	x.Began = w.Began
	most := int32(0)
	net.Watch(func(*router.Arrival) { most = max(most, net.Number()) })
	const packets = 10000
	x.Start(&scheduler.Job{Size: 2, Quota: packets}, []topology.Node{0, 1})
	_, done, err := x.Advance(scheduler.MaxCycle, nil)
	if n := net.Totals().Packets; err != nil || len(done) != 1 || n < packets || most > packets/4 {
		t.Errorf("%d packets have numbers up to %d, %v", n, most, err)
	}
}

// A wait for a packet whose tail was sent before another job got the slot is for the job before.
func TestWaitsAreForTheJobThatHadTheSlot(t *testing.T) {
	w := NewJobWaits(must.Have(netsim.New(netsim.Default(topologytest.Machine(t, "mesh:4")))))
	w.jobs = []scheduler.JobID{7, 8, 9}
	w.slots = [][]slotStart{{{since: 0, job: 0}, {since: 10, job: 1}}, {{since: 0, job: 2}}}
	w.Waited([]router.Wait{{Job: 1, ForJob: 0, From: 5, Until: 12, Tail: 8, Held: 3},
		{Job: 1, ForJob: 0, From: 10, Until: 14, Tail: 14, Held: 4}})
	if d := cmp.Diff([]JobWait{{By: 8, Cycles: 4}, {By: 7, Cycles: 3}}, w.Of(9)); d != "" {
		t.Error(d)
	}
}
