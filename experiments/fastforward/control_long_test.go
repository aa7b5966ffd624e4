//go:build long

package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// controlled is a kind of runs whose jumps are compared with a control.
type controlled struct {
	name, machine, routing string
	channels               int
	patterns               []patterns.Config
	jobs, iterations       int
	gap                    float64 // mean cycles between jobs that arrive
	locks                  bool    // jams depend on the cycle in which jobs arrive
}

// controls are the kinds: first those in which jams last, then others.
var controls = []controlled{
	{"mesh, ring", "mesh:10x10", "", 1, ring16, 6, 1500, 500, true},
	{"tree, adaptive", "tree:5x3", "adaptive", 1, ring64, 9, 600, 500, true},
	{"tree, d-mod-k", "tree:4x4", "d-mod-k", 1, ring64, 12, 600, 500, true},
	{"tree, all-to-all", "tree:4x3", "d-mod-k", 1,
		[]patterns.Config{{Name: "all-to-all", Flits: 16}}, 6, 300, 500, false},
	{"tree, mixed", "tree:4x3", "adaptive", 1, []patterns.Config{{Name: "near-neighbour", Flits: 64},
		{Name: "n-body", Flits: 64}}, 6, 600, 500, false},
	{"mesh, in turn", "mesh:10x10", "", 1, ring16, 30, 1500, 60_000, false},
	{"torus, two channels", "torus:8x8", "dateline", 2, []patterns.Config{{Name: "ring", Flits: 16},
		{Name: "near-neighbour", Flits: 16}}, 6, 1500, 500, false},
	{"dragonfly, ugal-l", "dragonfly:a4h2p2", "ugal-l", 3, []patterns.Config{{Name: "fft", Flits: 16},
		{Name: "ring", Flits: 16}}, 6, 1500, 500, false},
	{"mesh, codes", "mesh:8x8", "", 1,
		[]patterns.Config{{Name: "all-reduce-ring", Bytes: 512}}, 5, 800, 500, false},
	{"hypercube, n-body", "hypercube:6", "", 1,
		[]patterns.Config{{Name: "n-body", Flits: 16}}, 6, 1000, 500, false},
}

// Rings of messages of 16 and of 64 flits.
var (
	ring16 = []patterns.Config{{Name: "ring", Flits: 16}}
	ring64 = []patterns.Config{{Name: "ring", Flits: 64}}
)

// controlTolerance is the tolerance of the runs.
const controlTolerance = 0.02

// network returns a network of a kind.
func (c *controlled) network(t *testing.T) *netsim.Network {
	s := config.Defaults()
	if bad := s.Assign("machine.topology", c.machine); bad != nil {
		t.Fatal(bad)
	}
	k := netsim.Default(must.Have(config.NewMachine(&s.Spec.Machine)))
	k.VirtualChannels, k.BufferFlits, k.PacketFlits = c.channels, 4, 16
	if c.routing != "" {
		k.Routing = c.routing
	}
	return must.Have(netsim.New(k))
}

// draw draws the jobs of a run.
func (c *controlled) draw(rng *rand.Rand, nodes int) (list []started) {
	perm, at := rng.Perm(nodes), scheduler.Cycle(0)
	for id := scheduler.JobID(1); len(list) < c.jobs; id++ {
		n := 1 << (2 + rng.IntN(3))
		if c.jobs > 10 {
			n = 8
			perm = rng.Perm(nodes)[:n]
		}
		if len(perm) < n {
			return list
		}
		p := rng.IntN(len(c.patterns))
		j := scheduler.Job{ID: id, Size: n, Pattern: p, Seed: rng.Uint64(), Compute: 100, Lead: 100}
		per := must.Have(patterns.MessagesPerIteration(c.patterns[p], n, nil))
		j.Quota = per * int64(1+rng.ExpFloat64()*float64(c.iterations))
		s := started{at: at, job: j}
		for _, i := range perm[:n] {
			s.nodes = append(s.nodes, topology.Node(i))
		}
		perm = perm[n:]
		list = append(list, s)
		at += scheduler.Cycle(1 + rng.ExpFloat64()*c.gap)
	}
	return list
}

// ran is the result of a run: service times, waits, and the flit hops that were simulated.
type ran struct {
	service, blocked map[scheduler.JobID]float64
	hops             float64
}

// run runs jobs and returns the result.
func (c *controlled) run(t *testing.T, jobs []started, jumps bool) (r ran) {
	r = ran{map[scheduler.JobID]float64{}, map[scheduler.JobID]float64{}, 0}
	n := c.network(t)
	ended := func(id scheduler.JobID, all netsim.Totals, _ bool) {
		r.blocked[id] = float64(all.Blocked) / float64(all.Packets)
	}
	var x scheduler.Executor
	if jumps {
		e := New(n, c.patterns, clock, Config{Tolerance: controlTolerance, DrawsRoute: n.DrawsPaths()},
			executor.Software{})
		e.Ended = ended
		x = e
	} else {
		e := executor.New(n, c.patterns, clock)
		e.Ended = ended
		x = e
	}
	r.service = inTurn(t, x, jobs, n.Config().Topology.Nodes())
	for l := range n.Wiring().Links() {
		r.hops += float64(n.Usage(router.Link(l)).Flits)
	}
	return r
}

// inTurn drives an executor with jobs, each of which starts when it has arrived, in this order, and
// its nodes are free, and returns their service times.
func inTurn(t *testing.T, x scheduler.Executor, jobs []started, nodes int,
) map[scheduler.JobID]float64 {
	began, service := map[scheduler.JobID]scheduler.Cycle{}, map[scheduler.JobID]float64{}
	busy, on := make([]bool, nodes), map[scheduler.JobID][]topology.Node{}
	set := func(list []topology.Node, to bool) {
		for _, n := range list {
			busy[n] = to
		}
	}
	now, next := scheduler.Cycle(0), 0
	for len(service) < len(jobs) {
		for next < len(jobs) && jobs[next].at <= now &&
			!slices.ContainsFunc(jobs[next].nodes, func(n topology.Node) bool { return busy[n] }) {
			j := &jobs[next]
			set(j.nodes, true)
			began[j.job.ID], on[j.job.ID] = now, j.nodes
			x.Start(&j.job, j.nodes)
			next++
		}
		until := scheduler.MaxCycle
		if next < len(jobs) && jobs[next].at > now {
			until = jobs[next].at
		}
		var done []scheduler.JobID
		var err error
		if now, done, err = x.Advance(until, nil); err != nil {
			t.Fatal(err)
		}
		for _, id := range done {
			service[id] = float64(now - began[id])
			set(on[id], false)
		}
	}
	return service
}

// squares returns the sum of the squares of relative errors.
func squares(a, b map[scheduler.JobID]float64) (sum float64) {
	for id, x := range a {
		sum += (b[id]/x - 1) * (b[id]/x - 1)
	}
	return sum
}

// Jumps change the service times of jobs by far less than a cycle does that jobs arrive later, if
// jams depend on it: by at most a third, as root mean square. Elsewhere they change them by no
// more, or within the tolerance as half width of a 95% interval. They simulate fewer flit hops.
func TestLongJumpsBesideACycle(t *testing.T) {
	for _, c := range controls {
		nodes := c.network(t).Config().Topology.Nodes()
		var off, control, blocked, blockedControl, jobs, equal, hops, all float64
		for seed := range uint64(3) {
			list := c.draw(rand.New(rand.NewPCG(seed, 1)), nodes)
			full, jumped := c.run(t, list, false), c.run(t, list, true)
			for i := range list {
				list[i].at += scheduler.Cycle(i % 2)
			}
			later := c.run(t, list, false)
			off += squares(full.service, jumped.service)
			control += squares(full.service, later.service)
			blocked += differences(full.blocked, jumped.blocked)
			blockedControl += differences(full.blocked, later.blocked)
			jobs += float64(len(list))
			for id, s := range full.service {
				if jumped.service[id] == s {
					equal++
				}
			}
			hops, all = hops+jumped.hops, all+full.hops
		}
		rms := func(x float64) float64 { return 100 * math.Sqrt(x/jobs) }
		t.Logf("%-19s %3.0f jobs, %2.0f equal; rms of times %.2f%%, a cycle %.2f%%; of blocking "+
			"%.1f%%, a cycle %.1f%%; %.3f of the flit hops", c.name, jobs, equal, rms(off), rms(control),
			rms(blocked), rms(blockedControl), hops/all)
		most := rms(control)
		if c.locks {
			most /= 3
		}
		if rms(off) > max(most, 100*controlTolerance/1.96) || hops > 1.1*all {
			t.Errorf("%s: an error of %.2f%%, and %v of the flit hops", c.name, rms(off), hops/all)
		}
	}
}

// differences returns the sum of the squares of differences over the mean.
func differences(a, b map[scheduler.JobID]float64) (sum float64) {
	mean := 0.0
	for id, x := range a {
		mean += x / float64(len(a))
		sum += (b[id] - x) * (b[id] - x)
	}
	return sum / max(1e-9, mean*mean)
}
