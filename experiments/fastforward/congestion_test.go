package fastforward

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/patterns/training"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// trainingStep is the graph of a training step of two stages of a pipeline.
func trainingStep(n int, _ []int, _ *rand.Rand) (patterns.Work, error) {
	s := training.Step{Tensor: 1, Pipeline: 2, Expert: 1, Layers: 2, Hidden: 16, Sequence: 32,
		Microbatches: 3, Microbatch: 1, Bucket: 1 << 10, FlopRate: 2000}
	g, err := s.Graph(n)
	return tasks.Work{Graph: g}, err
}

// congested are the patterns of jobs under congestion control.
var congested = []patterns.Config{{Name: "training", Work: trainingStep, Tasks: true},
	{Name: "incast", Flits: 48}, {Name: "ring", Flits: 256},
	{Name: "all-reduce-ring", Bytes: 8192, PadFlits: 2}, {Name: "all-to-all", Flits: 64},
	{Name: "incast", Flits: 192}}

// smallControls are controls whose times are some iterations of these jobs.
var smallControls = []netsim.CongestionControl{
	&netsim.DCQCN{MarkFrom: 16, MarkTo: 48, MarkShare: 0.3, CNPCycles: 500, AlphaCycles: 550,
		TimerCycles: 550, CounterFlits: 4000, Gain: 1. / 16, Recovery: 5, Additive: 0.01, Hyper: 0.05,
		Least: 0.001},
	&netsim.IBCCA{MarkFrom: 32, MarkingRate: 10, Increase: 1, Limit: 127, TimerCycles: 1500,
		DelayStep: 1},
	&netsim.Throttle{Outstanding: 64, Senders: 3, Smallest: 1},
}

// congestedNetwork returns a network under a control.
func congestedNetwork(machine, routing string, cutThrough bool, flitCycles int,
	control netsim.CongestionControl) *netsim.Network {
	s := config.Defaults()
	if bad := s.Assign("machine.topology", machine); bad != nil {
		panic(bad)
	}
	c := netsim.Default(must.Have(config.NewMachine(&s.Spec.Machine)))
	c.VirtualChannels, c.BufferFlits, c.PacketFlits, c.Routing = 2, 64, 16, routing
	c.LinkCycles, c.CreditCycles, c.RoutingCycles, c.Snapshots = 10, 10, 1, true
	c.FlitCycles, c.RoutingSeed = flitCycles, uint64(flitCycles)
	if routing == "d-mod-k" {
		c.VirtualChannels = flitCycles // with one nothing takes turns
	}
	if cutThrough {
		c.Switching, c.PacketsHoldLinks = router.VirtualCutThrough, true
	}
	c.SourceQueues, c.Congestion = netsim.QueuePerDestination, control
	return must.Have(netsim.New(c))
}

// congestedJobs draws jobs on nodes drawn from a whole machine, or on blocks of nodes.
func congestedJobs(rng *rand.Rand, nodes int, steps float64, apart bool) (list []started) {
	perm := rng.Perm(nodes)
	if apart {
		for i := range perm {
			perm[i] = i
		}
	}
	at := scheduler.Cycle(0)
	for id := scheduler.JobID(1); len(perm) >= 8; id++ {
		p := rng.IntN(5)
		j := scheduler.Job{ID: id, Size: 8, Pattern: p, Seed: rng.Uint64(),
			Compute: scheduler.Cycle(200 + rng.IntN(2000))}
		j.Lead = j.Compute
		per := must.Have(patterns.MessagesPerIteration(congested[p], 8, nil))
		j.Quota = per * int64(steps*(0.5+rng.Float64()))
		s := started{at: at, job: j}
		for _, i := range perm[:8] {
			s.nodes = append(s.nodes, topology.Node(i))
		}
		perm = perm[8:]
		list = append(list, s)
		at += scheduler.Cycle(rng.IntN(20_000))
	}
	return list
}

// congestedRuns has sums over runs of jobs with and without jumps.
type congestedRuns struct {
	jobs, within     int        // within their half widths or the tolerance
	sure, jumps      int        // without an error, and of these that jump
	rests            int        // runs in which packets wait for their rates
	hops, all        int64      // flit hops that are simulated with jumps, and all
	squares          float64    // of relative errors of service times
	marked, notified [2]float64 // in full, and with jumps
}

// add runs jobs with and without jumps.
func (r *congestedRuns) add(t *testing.T, network func() *netsim.Network, jobs []started,
	text string) {
	t.Helper()
	const tolerance = 0.05
	x := executor.New(network(), congested, clock)
	full := drive(t, x, jobs)
	n := network()
	e := New(n, congested, clock, Config{Tolerance: tolerance, DrawsRoute: n.DrawsPaths()},
		executor.Software{})
	e.Audit(20, rand.New(rand.NewPCG(1, 2)))
	unsure, left := map[scheduler.JobID][2]float64{}, map[scheduler.JobID]*jobState{}
	e.Unsure = func(id scheduler.JobID, cycles, carry float64) {
		unsure[id] = [2]float64{cycles, carry}
		left[id] = e.slots[slices.IndexFunc(e.slots, func(k *jobState) bool {
			return k != nil && k.job.ID == id
		})]
	}
	jumped, jumps := drive(t, e, jobs), map[scheduler.JobID]bool{}
	for id, k := range left {
		jumps[id] = k.skipped
	}
	for _, j := range jobs {
		id := j.job.ID
		service, got := float64(full[id]-j.at), float64(jumped[id]-j.at)
		half := unsure[id][1] + unsure[id][0]*e.audits.quantile()
		r.jobs++
		r.squares += (got/service - 1) * (got/service - 1)
		if math.Abs(got-service) <= half || math.Abs(got/service-1) <= tolerance {
			r.within++
		} else {
			t.Logf("%s: job %d, %s, takes %v cycles, in full %v (%+.2f%%), half width %.0f", text, id,
				congested[j.job.Pattern].Name, got, service, 100*(got/service-1), half)
		}
		if unsure[id][0] == 0 {
			if r.sure++; jumps[id] {
				r.jumps++
			}
			if got != service {
				t.Errorf("%s: job %d, %s, is exact and takes %v cycles, in full %v", text, id,
					congested[j.job.Pattern].Name, got, service)
			}
		}
	}
	if c, _ := x.Net.Congestion(); c.Rests > 0 {
		r.rests++
	}
	for l := range router.Link(n.Wiring().Links()) {
		r.hops, r.all = r.hops+n.Usage(l).Flits, r.all+x.Net.Usage(l).Flits
	}
	c, _ := x.Net.Congestion()
	k, _ := n.Congestion()
	sim := n.Totals()
	jump := e.sums.messages.Minus(&sim)
	r.marked[0], r.marked[1] = r.marked[0]+float64(c.Marked), r.marked[1]+float64(k.Marked+jump.Marked)
	r.notified[0] += float64(c.Notifications)
	r.notified[1] += float64(k.Notifications + jump.Notifications)
}

// Jobs jump under congestion control too. Those without an error end in the cycle of the full
// simulation, 95% of all are within the half widths of their times or the tolerance, and marks and
// notifications of jumps are counted.
func TestJobsJumpUnderCongestionControl(t *testing.T) { jumpControlled(t, 1, 120) }

// jumpControlled compares runs with jumps with runs without, of some seeds and steps of each job.
func jumpControlled(t *testing.T, seeds uint64, steps float64) {
	var all congestedRuns
	jumps, runs := 0, 0
	for _, control := range smallControls {
		var r congestedRuns
		for seed := range seeds {
			for i, machine := range []string{"fat-tree:8x4:2", "dragonfly:a4h2p2"} {
				network := func() *netsim.Network {
					return congestedNetwork(machine, []string{"d-mod-k", "minimal"}[i], seed%2 == uint64(i),
						1+int(seed+1)/2%2, control)
				}
				rng := rand.New(rand.NewPCG(seed, uint64(i)))
				jobs := congestedJobs(rng, 32, steps, (seed+uint64(i))%3 > 0)
				r.add(t, network, jobs, fmt.Sprintf("%T, %s, seed %d", control, machine, seed))
				runs++
			}
		}
		t.Logf("%T: %d jobs, %d within, %d sure, %d of them jump, rms %.2f%%, %.3f of the flit hops, "+
			"marked %.0f, notifications %.0f", control, r.jobs, r.within, r.sure, r.jumps,
			100*math.Sqrt(r.squares/float64(r.jobs)), float64(r.hops)/float64(r.all), r.marked,
			r.notified)
		for _, k := range [][2]float64{r.marked, r.notified} {
			if math.Abs(k[1]-k[0]) > 0.05*k[0] {
				t.Errorf("%T: %.0f marks and %.0f notifications in full and with jumps", control, r.marked,
					r.notified)
			}
		}
		jumps += r.jumps
		all.jobs, all.within, all.rests = all.jobs+r.jobs, all.within+r.within, all.rests+r.rests
		all.hops, all.all = all.hops+r.hops, all.all+r.all
	}
	if float64(all.within) < 0.95*float64(all.jobs) || jumps == 0 || all.rests < runs*4/5 {
		t.Errorf("%d of %d jobs are within their intervals, %d jump exactly; packets wait for their "+
			"rates in %d of %d runs", all.within, all.jobs, jumps, all.rests, runs)
	}
	if float64(all.hops) > 0.9*float64(all.all) {
		t.Errorf("%d of %d flit hops are simulated", all.hops, all.all)
	}
}

// Iterations of a lone job are not sure to be equal under congestion control, though each begins on
// an idle network: rates fall in the first ones.
func TestLoneIncastUnderCongestionControl(t *testing.T) {
	for _, control := range smallControls {
		network := func() *netsim.Network {
			return congestedNetwork("fat-tree:8x4:2", "d-mod-k", false, 1, control)
		}
		s := started{job: scheduler.Job{ID: 1, Size: 8, Pattern: 5, Quota: 7 * 3000, Compute: 900,
			Lead: 900}}
		for i := range topology.Node(8) {
			s.nodes = append(s.nodes, i)
		}
		var r congestedRuns
		if r.add(t, network, []started{s}, fmt.Sprintf("%T", control)); r.within < 1 || r.rests < 1 {
			t.Errorf("%T: %+v", control, r)
		}
		if math.Sqrt(r.squares) > 0.02 || float64(r.hops) > 0.9*float64(r.all) {
			t.Errorf("%T: an error of %.2f%%, %d of %d flit hops", control, 100*math.Sqrt(r.squares),
				r.hops, r.all)
		}
	}
}

// Draws of marks depend on the number of messages that a process has sent, which exact jumps leave
// out: the times of a job that has jumped, and whose packets are then marked by chance beside
// another job, are not sure.
func TestMarksAfterExactJumps(t *testing.T) {
	unsure := 0
	for gap := range scheduler.Cycle(4) {
		network := func() *netsim.Network {
			return congestedNetwork("fat-tree:8x4:4", "d-mod-k", false, 1, smallControls[0])
		}
		jobs := []started{{job: scheduler.Job{ID: 1, Size: 4, Pattern: 2, Quota: 4 * 3000, Compute: 200,
			Lead: 200}}, {at: 300_000 + 77*gap, job: scheduler.Job{ID: 2, Size: 12, Pattern: 2,
			Quota: 12 * 25, Compute: 100, Lead: 100}}}
		for i := range topology.Node(4) {
			jobs[0].nodes = append(jobs[0].nodes, 8*i)
			jobs[1].nodes = append(jobs[1].nodes, 8*i+2, 8*(3-i)+4, 8*i+6)
		}
		var r congestedRuns
		r.add(t, network, jobs, fmt.Sprintf("%d cycles later", gap*77))
		unsure += r.jobs - r.sure
	}
	if unsure == 0 {
		t.Error("all times are sure")
	}
}
