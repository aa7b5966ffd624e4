//go:build long

package fastforward

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

func TestLongRecurrenceIsExact(t *testing.T)  { recurrenceIsExact(t, 200) }
func TestLongKilledJobsAreExact(t *testing.T) { killedJobsAreExact(t, 200) }

// Equal runs have equal results, and every message of every job is counted.
func TestLongEpochsOfAnyJobs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 2))
		jobs := scattered(rng, 36, mixed, rapid.Float64Range(0, 60).Draw(r, "iterations"))
		tolerance := rapid.SampledFrom([]float64{1e-9, 0.02, 0.2}).Draw(r, "tolerance")
		software := rapid.SampledFrom([]executor.Software{{}, {Send: 2, Receive: 1}}).Draw(r, "software")
		var ends [2]map[scheduler.JobID]scheduler.Cycle
		for i := range ends {
			e := New(grid(t, 6), mixed, clock,
				Config{Tolerance: tolerance}, software)
			e.Audit(3, rand.New(rand.NewPCG(1, 1)))
			ends[i] = drive(t, e, jobs)
			messages := int64(0)
			for _, j := range jobs {
				_, total, err := patterns.MessagesOf(mixed[j.job.Pattern], j.job.Size, nil, j.job.Quota)
				if err != nil {
					r.Fatal(err)
				}
				messages += total
			}
			if got := e.sums.messages.Messages; got != messages {
				r.Errorf("%d messages, want %d", got, messages)
			}
			if len(e.computing) > 0 {
				r.Errorf("%d jobs are still silent when all have ended", len(e.computing))
			}
			for l, users := range e.users {
				if len(users) > 0 {
					r.Errorf("link %d has users when all jobs have ended", l)
				}
			}
		}
		if !maps.Equal(ends[0], ends[1]) {
			r.Errorf("two runs differ: %v, %v", ends[0], ends[1])
		}
	})
}

// Service times are near those of the full simulation: their sum within 1%, each within 5%.
func TestLongEpochsAgainstFullSimulation(t *testing.T) {
	for seed := range uint64(3) {
		jobs := scattered(rand.New(rand.NewPCG(seed, 1)), 64, mixed, 3000)
		full, jumped, e, _ := fullAndJumped(t, 8, jobs, 0.02, executor.Software{})
		var sum, want float64
		for _, j := range jobs {
			a, b := float64(full[j.job.ID]-j.at), float64(jumped[j.job.ID]-j.at)
			if sum, want = sum+b, want+a; math.Abs(b/a-1) > 0.05 {
				t.Errorf("seed %d: job %d of %d nodes takes %v cycles, in full %v", seed, j.job.ID,
					j.job.Size, b, a)
			}
		}
		if math.Abs(sum/want-1) > 0.01 {
			t.Errorf("seed %d: service times are %.2f%% off", seed, 100*(sum/want-1))
		}
		if e.sums.jumpedCycles < 0.1*e.sums.serviceCycles {
			t.Errorf("seed %d: %v of %v job cycles were jumped over", seed, e.sums.jumpedCycles,
				e.sums.serviceCycles)
		}
	}
}

// routedMachines are small machines with their routings, most of which draw, and numbers of virtual
// channels.
var routedMachines = []struct {
	machine, routing string
	virtual          int
}{
	{"mesh:6x6", "auto", 1}, {"mesh:6x6", "o1turn", 2}, {"mesh:6x4", "valiant", 2},
	{"mesh:6x4", "romm", 2}, {"mesh:6x6", "romm", 2}, {"torus:6x6", "balanced-dateline", 2},
	{"torus:4x4", "dateline", 2}, {"tree:4x2", "random", 1}, {"tree:2x4", "random", 1},
	{"tree:2x4", "random", 2}, {"tree:4x2", "ecmp", 1}, {"tree:2x4", "adaptive", 1},
	{"dragonfly:a2h1p2", "valiant", 0}, {"dragonfly:a2h1p2", "ugal-l", 0}, {"hyperx:4x4", "dal", 0},
	{"hyperx:4x4", "valiant", 0},
}

// drawnRoutes draws a network of one of these, of any engine, and whether its routing draws.
func drawnRoutes(r *rapid.T) (c netsim.Config, draws bool) {
	k := rapid.SampledFrom(routedMachines).Draw(r, "machine")
	s := config.Defaults()
	if bad := s.Assign("machine.topology", k.machine); bad != nil {
		r.Fatal(bad)
	}
	c = netsim.Default(must.Have(config.NewMachine(&s.Spec.Machine)))
	c.Routing, c.VirtualChannels = k.routing, k.virtual
	c.PacketFlits = rapid.SampledFrom([]int{2, 8}).Draw(r, "packet")
	c.BufferFlits = rapid.SampledFrom([]int{1, 2, 8}).Draw(r, "buffer")
	c.FlitCycles = rapid.IntRange(1, 2).Draw(r, "flit")
	c.RoutingSeed = rapid.Uint64().Draw(r, "routing seed")
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).
		Draw(r, "arbiter")
	selects := []router.VCSelect{router.SelectMostCredits, router.SelectRoundRobin}
	c.VCSelect = rapid.SampledFrom(selects).Draw(r, "vc select")
	n := must.Have(netsim.New(c))
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
		network := func() *netsim.Network {
			n := must.Have(netsim.New(c))
			return n
		}
		full := drive(t, executor.New(network(), mixed, clock), jobs)
		e := New(network(), mixed, clock, Config{Tolerance: 0.1, DrawsRoute: draws}, executor.Software{})
		half := map[scheduler.JobID]float64{}
		e.Unsure = func(id scheduler.JobID, cycles, carry float64) { half[id] = cycles + carry }
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
	if beside < 15 { // 61 of 100 draws on average, with a deviation of 13
		t.Errorf("%d jobs without an error in runs with jumps", beside)
	}
}
