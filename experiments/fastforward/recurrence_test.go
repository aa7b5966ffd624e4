package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"

	"pgregory.net/rapid"
)

// repeating are patterns in phases that draw nothing.
var repeating = []patterns.Config{{Name: "all-to-all", Flits: 16}, {Name: "ring", Flits: 32},
	{Name: "near-neighbour", Flits: 48}, {Name: "n-body", Flits: 16}}

// drawnNetwork draws a small network of one virtual channel, of any engine.
func drawnNetwork(r *rapid.T) *netsim.Network {
	machine := must.Have(topology.NewCube(topology.CubeConfig{
		Dims: []int{rapid.IntRange(2, 5).Draw(r, "width"), rapid.IntRange(2, 4).Draw(r, "height")}}))
	c := netsim.Default(machine)
	if rapid.Bool().Draw(r, "tree") {
		arity := rapid.IntRange(2, 4).Draw(r, "arity")
		c.Topology = must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: 2}))
	}
	c.PacketFlits, c.BufferFlits = 16, rapid.SampledFrom([]int{1, 2, 4, 16}).Draw(r, "buffer")
	c.FlitCycles = rapid.IntRange(1, 3).Draw(r, "flit")
	c.CreditCycles = rapid.IntRange(1, 3).Draw(r, "credit")
	c.MessageMultiple = 16
	c.Engine = rapid.SampledFrom([]string{"auto", "cycle"}).Draw(r, "engine")
	c.FlitByFlit = rapid.Bool().Draw(r, "flit by flit")
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).
		Draw(r, "arbiter")
	n := must.Have(netsim.New(c))
	return n
}

// drawnTogether draws jobs of which several have one size and one computing time, or multiples of
// it, and that begin within a short time.
func drawnTogether(r *rapid.T, nodes int) []started {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 3))
	perm := rng.Perm(nodes)
	size := rapid.IntRange(2, max(2, nodes/2)).Draw(r, "size")
	pattern, compute := rng.IntN(len(repeating)), scheduler.Cycle(rng.IntN(60))
	var list []started
	for id := scheduler.JobID(1); len(perm) >= size && id <= 6; id++ {
		j := scheduler.Job{ID: id, Size: size, Pattern: pattern, Seed: 1,
			Compute: compute * scheduler.Cycle(1+rng.IntN(2))}
		if rng.IntN(4) == 0 {
			j.Pattern = rng.IntN(len(repeating))
		}
		per, err := patterns.MessagesPerIteration(repeating[j.Pattern], size, nil)
		if err != nil || per == 0 {
			continue
		}
		j.Quota = per * int64(30+rng.IntN(200))
		j.Lead = scheduler.Cycle(rng.IntN(int(j.Compute) + 1))
		s := started{job: j}
		for _, i := range perm[:size] {
			s.nodes = append(s.nodes, topology.Node(i))
		}
		perm = perm[size:]
		list = append(list, s)
	}
	return list
}

// A job that is printed without an error ends in the cycle in which it ends in the full simulation,
// on all engines of one virtual channel, also where the states of components come back while other
// components are simulated beside them.
func TestRecurrenceIsExact(t *testing.T) {
	several := 0
	rapid.Check(t, func(r *rapid.T) {
		n := drawnNetwork(r)
		jobs := drawnTogether(r, n.Config().Topology.Nodes())
		software := rapid.SampledFrom([]executor.Software{{}, {Send: 3, Receive: 2}}).Draw(r, "software")
		x := executor.New(must.Have(netsim.New(n.Config())), repeating, clock)
		x.Software = software
		full := drive(t, x, jobs)
		e := New(n, repeating, clock, Config{Tolerance: 1e-9}, software)
		half := map[scheduler.JobID]float64{}
		e.HalfWidth = func(id scheduler.JobID, cycles float64) { half[id] = cycles }
		together := map[scheduler.JobID]bool{} // in exact jumps of several jobs
		for i := range jobs {
			e.Start(&jobs[i].job, jobs[i].nodes)
		}
		for ended := 0; ended < len(jobs); {
			now, done, err := e.Advance(scheduler.Cycle(e.now)+200, nil)
			if err != nil {
				r.Fatal(err)
			}
			for _, id := range done {
				if ended++; half[id] == 0 && now != full[id] {
					r.Errorf("job %d ends at %d, in full at %d", id, now, full[id])
				} else if half[id] == 0 && together[id] {
					several++
				}
			}
			for _, c := range e.components {
				for _, k := range c.jobs {
					if c.jump != nil && c.jump.exact && len(c.jobs) > 1 {
						together[k.job.ID] = true
					}
				}
			}
		}
	})
	t.Logf("%d jobs end in exact jumps of several", several)
	if several < 20 {
		t.Errorf("%d jobs end in exact jumps of several", several)
	}
}

// A job that meets others at first and is then alone keeps the round-robin pointers that they left,
// which are in the state that recurs.
func TestRecurrenceOfAnotherPeriod(t *testing.T) {
	config := grid(t, 6).Config()
	config.PacketFlits, config.BufferFlits, config.Arbiter = 8, 1, router.RoundRobin
	job := func(at scheduler.Cycle, id scheduler.JobID, pattern int, compute scheduler.Cycle,
		messages int64, nodes ...topology.Node) started {
		return started{at: at, nodes: nodes, job: scheduler.Job{ID: id, Size: len(nodes), Seed: 1,
			Pattern: pattern, Quota: messages, Lead: compute, Compute: compute}}
	}
	jobs := []started{job(143, 2, 0, 264, 240, 3, 4, 5, 6, 7),
		job(232, 3, 2, 183, 2400, 8, 9, 10, 11, 12),
		job(473, 4, 4, 43, 1440, 13, 14, 15, 16, 17, 18), job(1151, 7, 3, 69, 4320, 29, 30, 31, 32)}
	network := func() *netsim.Network {
		n := must.Have(netsim.New(config))
		return n
	}
	full := drive(t, executor.New(network(), mixed, clock), jobs)
	e := New(network(), mixed, clock, Config{Tolerance: 0.1}, executor.Software{})
	half := map[scheduler.JobID]float64{}
	e.HalfWidth = func(id scheduler.JobID, cycles float64) { half[id] = cycles }
	for id, end := range drive(t, e, jobs) {
		if off := math.Abs(float64(end - full[id])); off > half[id] {
			t.Errorf("job %d ends at %d ± %.0f, in full at %d", id, end, half[id], full[id])
		}
	}
	if e.sums.jumpedCycles < 1e5 {
		t.Errorf("%v cycles are jumped over", e.sums.jumpedCycles)
	}
}
