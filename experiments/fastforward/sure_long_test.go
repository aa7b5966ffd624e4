//go:build long

package fastforward

import (
	"math/rand/v2"
	"testing"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"

	"pgregory.net/rapid"
)

// routedMachine is a small machine and one of its routings, of which most draw.
type routedMachine struct {
	machine func() (topology.Topology, error)
	routing string
	virtual int
}

func cubeOf(wrap bool, dims ...int) func() (topology.Topology, error) {
	return func() (topology.Topology, error) {
		return topology.NewCube(topology.CubeConfig{Dims: dims, Wrap: []bool{wrap, wrap}})
	}
}

func treeOf(arity, levels int) func() (topology.Topology, error) {
	return func() (topology.Topology, error) {
		return topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels})
	}
}

func flyOf() (topology.Topology, error) {
	return topology.NewDragonfly(topology.DragonflyConfig{Concentration: 2, GroupRouters: 2,
		GlobalLinks: 1})
}

func hyperOf() (topology.Topology, error) {
	return topology.NewHyperX(topology.HyperXConfig{Dims: []int{4, 4}})
}

var routedMachines = []routedMachine{
	{cubeOf(false, 6, 6), "auto", 1}, {cubeOf(false, 6, 6), "o1turn", 2},
	{cubeOf(false, 6, 6), "o1turn", 2}, {cubeOf(false, 6, 4), "valiant", 2},
	{cubeOf(false, 6, 4), "romm", 2}, {cubeOf(false, 6, 6), "romm", 2},
	{cubeOf(true, 6, 6), "balanced-dateline", 2}, {cubeOf(true, 4, 4), "dateline", 2},
	{treeOf(4, 2), "random", 1}, {treeOf(2, 4), "random", 1}, {treeOf(2, 4), "random", 2},
	{treeOf(4, 2), "ecmp", 1}, {treeOf(2, 4), "adaptive", 1}, {flyOf, "valiant", 0},
	{flyOf, "ugal-l", 0}, {hyperOf, "dal", 0}, {hyperOf, "valiant", 0},
}

// drawnRoutes draws a network of one of these, of any engine, and whether its routing draws.
func drawnRoutes(r *rapid.T) (c netsim.Config, draws bool) {
	k := rapid.SampledFrom(routedMachines).Draw(r, "machine")
	machine, err := k.machine()
	if err != nil {
		r.Fatal(err)
	}
	c = netsim.Default(machine)
	c.Routing, c.VirtualChannels = k.routing, k.virtual
	c.PacketFlits = rapid.SampledFrom([]int{2, 8}).Draw(r, "packet")
	c.BufferFlits = rapid.SampledFrom([]int{1, 2, 8}).Draw(r, "buffer")
	c.FlitCycles = rapid.IntRange(1, 2).Draw(r, "flit")
	c.RoutingSeed = rapid.Uint64().Draw(r, "routing seed")
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).
		Draw(r, "arbiter")
	selects := []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin}
	c.VCSelect = rapid.SampledFrom(selects).Draw(r, "vc select")
	n, err := netsim.New(c)
	if err != nil {
		r.Fatal(err)
	}
	return c, n.DrawsPaths()
}

// drawnJobs draws jobs of which some are long, on blocks of nodes or on nodes drawn from the whole
// machine.
func drawnJobs(r *rapid.T, nodes int, mix []patterns.Config) (list []started) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "jobs"), 5))
	order := make([]int, nodes)
	for i := range order {
		order[i] = i
	}
	if rapid.Bool().Draw(r, "scattered") {
		order = rng.Perm(nodes)
	}
	at, gap := scheduler.Cycle(0), rapid.SampledFrom([]int{400, 4000, 40000}).Draw(r, "gap")
	for id := scheduler.JobID(1); ; id++ {
		size := 2 + rng.IntN(min(6, nodes/3))
		if len(order) < size || id > 8 {
			return list
		}
		j := scheduler.Job{ID: id, Size: size, Pattern: rng.IntN(len(mix)), Seed: rng.Uint64(),
			Compute: scheduler.Cycle(rng.IntN(300))}
		j.Lead = j.Compute
		per, err := patterns.MessagesPerIteration(mix[j.Pattern], size, nil)
		if err != nil || per == 0 {
			continue
		}
		j.Quota = per * int64(1+rng.IntN(12))
		if rng.IntN(2) == 0 {
			j.Quota *= 30
		}
		s := started{at: at, job: j}
		for _, i := range order[:size] {
			s.nodes = append(s.nodes, topology.Node(i))
		}
		order = order[size:]
		list = append(list, s)
		at += scheduler.Cycle(rng.IntN(gap))
	}
}

// A job that is printed with an error of 0 ends in the cycle in which it ends in the full
// simulation, under routings that draw too: what other jobs do not send, since they jump, changes
// no draw of its packets.
func TestLongJobsWithoutErrorEndAsInFull(t *testing.T) {
	draw, beside := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		c, draws := drawnRoutes(r)
		jobs := drawnJobs(r, c.Topology.Nodes(), mixed)
		clock := scheduler.Clock{CyclesPerSecond: 1}
		network := func() *netsim.Network {
			n, err := netsim.New(c)
			if err != nil {
				r.Fatal(err)
			}
			return n
		}
		full := drive(t, executor.New(network(), mixed, clock), jobs)
		e := New(network(), mixed, clock, Config{Tolerance: 0.1, DrawsRoute: draws}, executor.Software{})
		half := map[scheduler.JobID]float64{}
		e.ReportHalfWidths(func(id scheduler.JobID, cycles float64) { half[id] = cycles })
		jumped := drive(t, e, jobs)
		for id, end := range full {
			if half[id] > 0 {
				continue
			}
			if jumped[id] != end {
				r.Errorf("job %d ends at %d with an error of 0, in full at %d", id, jumped[id], end)
			}
			if draws {
				draw++
			}
			if draws && e.sums.jumpedCycles > 0 {
				beside++
			}
		}
	})
	t.Logf("%d jobs whose routes are drawn, %d of them in runs with jumps", draw, beside)
	if beside < 50 {
		t.Errorf("%d jobs without an error in runs with jumps", beside)
	}
}
