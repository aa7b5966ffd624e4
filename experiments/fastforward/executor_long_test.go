//go:build long

package fastforward

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/experiments/sim/executor"
	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
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
var routedMachines = []routedMachine{
	{"mesh:6x6", "auto", 1}, {"mesh:6x6", "o1turn", 2}, {"mesh:6x4", "valiant", 2},
	{"mesh:6x4", "romm", 2}, {"mesh:6x6", "romm", 2}, {"torus:6x6", "balanced-dateline", 2},
	{"torus:4x4", "dateline", 2}, {"tree:4x2", "random", 1}, {"tree:2x4", "random", 1},
	{"tree:2x4", "random", 2}, {"tree:4x2", "ecmp", 1}, {"tree:2x4", "adaptive", 1},
	{"dragonfly:a2h1p2", "valiant", 0}, {"dragonfly:a2h1p2", "ugal-l", 0}, {"hyperx:4x4", "dal", 0},
	{"hyperx:4x4", "valiant", 0},
}

// A job that is printed with an error of 0 ends in the cycle in which it ends in the full
// simulation, under routings that draw too: what other jobs do not send, since they jump, changes
// no draw of its packets.
func TestLongJobsWithoutErrorEndAsInFull(t *testing.T) {
	draw, beside := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		c, draws := drawnRoutes(r, routedMachines)
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

func TestLongJumpsWhereCablesFail(t *testing.T) { jumpsWhereCablesFail(t, 120) }

// Under routings and patterns that draw, the intervals of jobs hold for 95% of them where cables
// fail and are repaired, and all messages are counted.
func TestLongIntervalsHoldWhereCablesFail(t *testing.T) {
	var jumped, service, escaped, fullEscaped float64
	inside, jobs, estimated := 0, 0, 0
	laws.AtMost(t, 60)
	rapid.Check(t, func(r *rapid.T) {
		c, draws := drawnRoutes(r, slices.Concat(routedMachines, failingMachines))
		c.LinksFail, c.ResendCycles = true, 1000
		list := drawnJobs(r, c.Topology.Nodes(), mixed)
		n, other := must.Have(netsim.New(c)), must.Have(netsim.New(c))
		changes := drawChanges(r, n, rapid.SampledFrom([]int{30_000, 300_000}).Draw(r, "span"))
		full := driveFailing(r, executor.New(n, mixed, clock), n, list, changes)
		e := New(other, mixed, clock, Config{Tolerance: 0.05, DrawsRoute: draws}, executor.Software{})
		e.Audit(1, rand.New(rand.NewPCG(1, 1)))
		unsure, carry := map[scheduler.JobID]float64{}, map[scheduler.JobID]float64{}
		e.Unsure = func(id scheduler.JobID, cycles, half float64) { unsure[id], carry[id] = cycles, half }
		ends := driveFailing(r, e, other, list, changes)
		for id, end := range full {
			off := math.Abs(float64(ends[id] - end))
			jobs++
			if unsure[id] > 0 {
				estimated++
			}
			if off <= unsure[id]*e.audits.quantile()+carry[id] {
				inside++
			}
		}
		if got, want := e.sums.messages, n.Totals(); got.Messages != want.Messages {
			r.Errorf("%d messages, in full %d", got.Messages, want.Messages)
		}
		escaped += float64(e.sums.messages.OnEscapePaths)
		fullEscaped += float64(n.Totals().OnEscapePaths)
		jumped, service = jumped+e.sums.jumpedCycles, service+e.sums.serviceCycles
	})
	t.Logf("%d of %d jobs in their intervals, %d of them with estimates; %.2f of the time jumped; "+
		"%.0f packets on escape paths, in full %.0f", inside, jobs, estimated, jumped/service, escaped,
		fullEscaped)
	if inside < jobs*95/100 || estimated < jobs/4 || jumped < service/5 ||
		math.Abs(escaped/fullEscaped-1) > 0.1 {
		t.Error("too few, or too far off")
	}
}
