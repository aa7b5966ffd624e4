package fastforward

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	{Name: "incast", Flits: 96}, {Name: "ring", Flits: 256},
	{Name: "all-reduce-ring", Bytes: 8192, PadFlits: 2}, {Name: "all-to-all", Flits: 64}}

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
func congestedNetwork(machine, routing string, cutThrough bool,
	control netsim.CongestionControl) *netsim.Network {
	s := config.Defaults()
	if bad := s.Assign("machine.topology", machine); bad != nil {
		panic(bad)
	}
	c := netsim.Default(must.Have(config.NewMachine(&s.Spec.Machine)))
	c.VirtualChannels, c.BufferFlits, c.PacketFlits, c.Routing = 2, 64, 16, routing
	c.LinkCycles, c.CreditCycles, c.RoutingCycles, c.Snapshots = 10, 10, 1, true
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
		p := rng.IntN(len(congested))
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
	jobs, within, sure, equal, rests int
	hops, all                        int64
	errors                           []float64
	marked, notified                 [2]float64 // in full, and with jumps
}

// add runs jobs with and without jumps.
func (r *congestedRuns) add(t *testing.T, network func() *netsim.Network, jobs []started,
	tolerance float64, text string) {
	x := executor.New(network(), congested, clock)
	full := drive(t, x, jobs)
	n := network()
	e := New(n, congested, clock, Config{Tolerance: tolerance, DrawsRoute: n.DrawsPaths()},
		executor.Software{})
	e.Audit(20, rand.New(rand.NewPCG(1, 2)))
	unsure := map[scheduler.JobID][2]float64{}
	e.Unsure = func(id scheduler.JobID, cycles, carry float64) {
		unsure[id] = [2]float64{cycles, carry}
	}
	jumped := drive(t, e, jobs)
	for _, j := range jobs {
		id := j.job.ID
		service, got := float64(full[id]-j.at), float64(jumped[id]-j.at)
		half := unsure[id][1] + unsure[id][0]*e.audits.quantile()
		r.jobs++
		r.errors = append(r.errors, got/service-1)
		if math.Abs(got-service) <= max(half, 0) || math.Abs(got/service-1) <= tolerance {
			r.within++
		} else {
			t.Logf("%s: job %d, %s, takes %v cycles, in full %v (%+.2f%%), half width %.0f", text, id,
				congested[j.job.Pattern].Name, got, service, 100*(got/service-1), half)
		}
		if unsure[id][0] == 0 {
			if r.sure++; got == service {
				r.equal++
			} else {
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

// Jobs jump under congestion control too.
func TestJobsUnderCongestionControlJump(t *testing.T) {
	for _, control := range smallControls {
		for _, apart := range []bool{false, true} {
			var r congestedRuns
			for seed := range uint64(2) {
				for i, machine := range []string{"fat-tree:8x4:2", "dragonfly:a4h2p2"} {
					routing := []string{"d-mod-k", "minimal"}[i]
					network := func() *netsim.Network {
						return congestedNetwork(machine, routing, seed == 1, control)
					}
					nodes := network().Config().Topology.Nodes()
					jobs := congestedJobs(rand.New(rand.NewPCG(seed, uint64(i))), min(32, nodes), 300, apart)
					r.add(t, network, jobs, 0.05, fmt.Sprintf("%T, %s", control, machine))
				}
			}
			sum := 0.0
			for _, x := range r.errors {
				sum += x * x
			}
			t.Logf("%T, apart %v: %d jobs, %d within, %d sure, rms %.2f%%, %.3f of the flit hops, %d rest, marked %v, notified %v",
				control, apart, r.jobs, r.within, r.sure, 100*math.Sqrt(sum/float64(r.jobs)), float64(r.hops)/float64(r.all), r.rests, r.marked, r.notified)
		}
	}
}
