package fastforward

import (
	"math/rand/v2"
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

// started is a job that starts at a cycle on nodes of its own, so that nothing but the network
// couples jobs.
type started struct {
	at    scheduler.Cycle
	job   scheduler.Job
	nodes []topology.Node
}

// drive has an executor run jobs, and returns the cycle in which each ended.
func drive(t *testing.T, x scheduler.Executor, jobs []started) map[scheduler.JobID]scheduler.Cycle {
	t.Helper()
	ends := map[scheduler.JobID]scheduler.Cycle{}
	var done []scheduler.JobID
	var now scheduler.Cycle
	var err error
	for i := 0; i < len(jobs) || len(ends) < len(jobs); {
		until := scheduler.MaxCycle
		if i < len(jobs) {
			until = jobs[i].at
		}
		if now, done, err = x.Advance(until, done[:0]); err != nil {
			t.Fatal(err)
		}
		for _, id := range done {
			ends[id] = now
		}
		for i < len(jobs) && jobs[i].at <= now {
			x.Start(&jobs[i].job, jobs[i].nodes)
			i++
		}
	}
	return ends
}

// scattered draws jobs on nodes drawn from a whole machine.
func scattered(r *rand.Rand, nodes int, mix []patterns.Config, iterations float64) []started {
	var list []started
	perm := r.Perm(nodes)
	at := scheduler.Cycle(0)
	for id := scheduler.JobID(1); len(perm) > 8; id++ {
		n := min(len(perm), 1<<r.IntN(5))
		if r.IntN(3) == 0 {
			n = min(len(perm), 2+r.IntN(9))
		}
		p := r.IntN(len(mix))
		j := scheduler.Job{ID: id, Size: n, Pattern: p, Seed: r.Uint64(),
			Compute: scheduler.Cycle(r.IntN(400))}
		if per, err := patterns.MessagesPerIteration(mix[p], n, nil); err != nil || per == 0 {
			continue
		} else {
			j.Quota = int64(iterations*(0.3+r.ExpFloat64())+1) * per
		}
		j.Lead = j.Compute
		var on []topology.Node
		for _, i := range perm[:n] {
			on = append(on, topology.Node(i))
		}
		perm = perm[n:]
		list = append(list, started{at, j, on})
		at += scheduler.Cycle(r.ExpFloat64() * iterations * 100)
	}
	return list
}

// mixed are patterns in phases and codes, with random draws among them.
var mixed = []patterns.Config{{Name: "all-to-all", Flits: 16}, {Name: "fft", Flits: 16},
	{Name: "near-neighbour", Flits: 16}, {Name: "n-body", Flits: 16}, {Name: "ring", Flits: 16},
	{Name: "one-to-all", Flits: 16}, {Name: "all-reduce-ring", Bytes: 4096, PadFlits: 2}}

// clock is the clock of all tests.
var clock = scheduler.Clock{CyclesPerSecond: 1}

// newNetwork returns a network.
func newNetwork(t *testing.T, c netsim.Config) *netsim.Network {
	t.Helper()
	return must.Have(netsim.New(c))
}

// grid returns a network of a square mesh.
func grid(t *testing.T, side int) *netsim.Network {
	t.Helper()
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{side, side}}))
	c := netsim.Default(machine)
	c.PacketFlits = 16
	n := must.Have(netsim.New(c))
	return n
}

// fullAndJumped drives both executors with the same jobs.
func fullAndJumped(t *testing.T, side int, jobs []started, tolerance float64,
	software executor.Software) (
	full, jumped map[scheduler.JobID]scheduler.Cycle, e *Executor, all netsim.Totals) {
	t.Helper()
	x := executor.New(grid(t, side), mixed, clock)
	x.Software = software
	full = drive(t, x, jobs)
	e = New(grid(t, side), mixed, clock, Config{Tolerance: tolerance}, software)
	return full, drive(t, e, jobs), e, x.Net.Totals()
}

// Jobs that meet nobody end in the cycle in which they end in the full simulation, and all
// messages are counted.
func TestEpochsOfJobsAlone(t *testing.T) {
	for _, software := range []executor.Software{{}, {Send: 3, Receive: 5}} {
		var jobs []started
		for row := range 6 {
			j := scheduler.Job{ID: scheduler.JobID(row + 1), Size: 8, Pattern: row % 5, Seed: 1,
				Compute: scheduler.Cycle(10 * row), Lead: scheduler.Cycle(10 * row)}
			per := must.Have(patterns.MessagesPerIteration(mixed[j.Pattern], 8, nil))
			j.Quota = 1000 * per
			s := started{at: scheduler.Cycle(1000 * row), job: j}
			for i := range 8 {
				s.nodes = append(s.nodes, topology.Node(8*row+i))
			}
			jobs = append(jobs, s)
		}
		full, jumped, e, all := fullAndJumped(t, 8, jobs, 0.05, software)
		for id, end := range full {
			if jumped[id] != end {
				t.Errorf("software %v: job %d ends at %d, in full at %d", software, id, jumped[id], end)
			}
		}
		got := e.sums.messages
		if got.Messages != all.Messages || got.Flits != all.Flits || got.Hops != all.Hops {
			t.Errorf("software %v: %+v, in full %+v", software, got, all)
		}
		if e.sums.exactCycles != e.sums.jumpedCycles || e.sums.jumpedCycles < 0.9*e.sums.serviceCycles {
			t.Errorf("software %v: jumped %v of %v, exactly %v", software, e.sums.jumpedCycles,
				e.sums.serviceCycles, e.sums.exactCycles)
		}
	}
}

// A job that lives through many epochs, all of which repeat themselves, ends in the cycle in which
// it ends in the full simulation.
func TestEpochsKeepIterations(t *testing.T) {
	per := must.Have(patterns.MessagesPerIteration(mixed[4], 4, nil))
	jobs := []started{{job: scheduler.Job{ID: 1, Size: 4, Pattern: 4, Seed: 1, Quota: 4000 * per},
		nodes: []topology.Node{0, 2, 4, 6}}}
	for id := scheduler.JobID(2); id < 80; id++ { // on the same row
		s := started{at: 1000 * scheduler.Cycle(id), nodes: []topology.Node{1, 5},
			job: scheduler.Job{ID: id, Size: 2, Pattern: 0, Seed: 1, Quota: 8}}
		if id%2 == 1 {
			s.nodes = []topology.Node{3, 7}
		}
		jobs = append(jobs, s)
	}
	full, jumped, e, _ := fullAndJumped(t, 8, jobs, 0.05, executor.Software{})
	if jumped[1] != full[1] {
		t.Errorf("the long job ends at %d, in full at %d", jumped[1], full[1])
	}
	if e.sums.simulated+e.sums.recalled < 70 {
		t.Errorf("%d forecasts", e.sums.simulated+e.sums.recalled)
	}
}

// Turns of arbiters stay where the packets of a job left them, also after exact jumps. After an
// estimated jump a job that comes to the same nodes is not sure to take as long as in full, unless
// nothing takes turns.
func TestTurnsOutliveJobs(t *testing.T) {
	all := []topology.Node{9, 4, 12, 1, 10, 2}
	jobs := []started{
		{0, scheduler.Job{ID: 1, Size: 6, Pattern: 0, Quota: 30 * 600, Compute: 20, Lead: 20}, all},
		{1_000_000, scheduler.Job{ID: 2, Size: 6, Pattern: 0, Quota: 30, Compute: 20, Lead: 20}, all},
	}
	mix := []patterns.Config{{Name: "all-to-all", Flits: 8}}
	for _, test := range []struct {
		arbiter  router.Arbiter
		channels int
		sure     bool
	}{{router.FirstCome, 1, true}, {router.RoundRobin, 1, true}, {router.RoundRobin, 2, true},
		{router.Matching, 2, false}} {
		s := config.Defaults()
		if bad := s.Assign("machine.topology", "mesh:4x4"); bad != nil {
			t.Fatal(bad)
		}
		c := netsim.Default(must.Have(config.NewMachine(&s.Spec.Machine)))
		c.Arbiter, c.VirtualChannels = test.arbiter, test.channels
		full := drive(t, executor.New(must.Have(netsim.New(c)), mix, clock), jobs)
		e := New(must.Have(netsim.New(c)), mix, clock, Config{Tolerance: 0.1}, executor.Software{})
		half := map[scheduler.JobID]float64{}
		e.Unsure = func(id scheduler.JobID, cycles, carry float64) { half[id] = cycles + carry }
		jumped := drive(t, e, jobs)
		if e.sums.jumpedCycles == 0 || full[1] > jobs[1].at || (half[2] == 0) != test.sure ||
			test.sure && jumped[2] != full[2] {
			t.Errorf("%+v: full %v, jumped %v, half widths %v, %v cycles jumped", test, full, jumped, half,
				e.sums.jumpedCycles)
		}
	}
}
