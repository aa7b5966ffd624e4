package cosim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"

	"contend/allocation"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// Simulator turns specs into results. It keeps what runs have in common: logs
// that were read, networks known to be free of deadlock, and how long patterns
// take alone. Several runs may use it at the same time.
type Simulator struct {
	// TraceDirs are where logs are looked for, after the path as given.
	TraceDirs []string
	// AtOnce is how many runs are made at a time; 0 for one.
	AtOnce int

	mu     sync.Mutex
	spent  map[string]spent // on patterns alone, by pattern
	shared shared
}

// setup is what a run is made of.
type setup struct {
	machine spec.Machine
	Work    *work
	alloc   allocation.Allocator
	asked   *asked // nil where nobody is asked beside alloc
	policy  scheduler.Policy
	net     *netsim.Network // nil where jobs only take time
}

func (s *Simulator) Prepare(plan *spec.Plan, replication int) (u setup, err error) {
	u.machine = plan.Machine
	if plan.Job.Run == spec.RunMessages {
		if u.net, err = s.NewNetwork(plan, replication); err != nil {
			return u, err
		}
	}
	if plan.Workload.Source == spec.SourceTogether {
		u.policy = scheduler.FCFS{}
		u.Work, u.alloc, err = newTogether(plan, replication)
		return u, err
	}
	if u.alloc, err = s.NewAllocator(plan, &plan.Allocator, replication); err != nil {
		return u, err
	}
	if u.asked, err = s.newAsked(plan, replication); err != nil {
		return u, err
	}
	if u.policy, err = plan.NewPolicy(u.alloc); err != nil {
		return u, err
	}
	u.Work, err = s.NewWork(plan, replication)
	return u, err
}

// Check returns what is wrong with a plan, before anything is run: with the
// network, the allocator, the log, or a job that can never be placed or
// communicate. What does not depend on the scheduler is looked at once: studies
// have hundreds of points with the same jobs.
func (s *Simulator) Check(plan *spec.Plan) error {
	switch plan.Workload.Source {
	case spec.SourceTraffic:
		return s.checkTraffic(plan)
	case spec.SourceTogether:
	default:
		alloc, err := s.NewAllocator(plan, &plan.Allocator, 0)
		if err != nil {
			return err
		}
		if _, err := plan.NewPolicy(alloc); err != nil {
			return err
		}
	}
	_, err := s.shared.checked.Of(plan.CheckID(), func() (struct{}, error) {
		return struct{}{}, s.checkJobs(plan)
	})
	return err
}

func (s *Simulator) checkJobs(plan *spec.Plan) error {
	u, err := s.Prepare(plan, 0)
	if err != nil {
		return err
	}
	for {
		j, err := u.Work.Source.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = u.alloc.Check(j.Request())
		}
		if err == nil && u.net != nil && (j.Quota > 0 || j.Lead == 0) { // others only compute
			_, err = patterns.MessagesPerIteration(u.Work.patterns[j.Pattern], j.Size, j.Shape)
		}
		if err != nil {
			return &spec.InputError{Problem: j.Wrap(s.logFile(plan.Workload.Trace), err).Error()}
		}
	}
}

// Run simulates one replication of a plan.
func (s *Simulator) Run(
	ctx context.Context, plan *spec.Plan, replication int, extra *Extra,
) (Result, error) {
	if plan.Workload.Source == spec.SourceTraffic {
		return s.runTraffic(ctx, plan, replication, extra)
	}
	u, err := s.Prepare(plan, replication)
	if err != nil {
		return Result{}, err
	}
	order, _ := s.Order(plan, plan.SpanOrder) // none where the machine has no such order
	meter := newCollector(plan, newCompactness(plan, order), u.Work.clock, extra)
	meter.own = newOwnMeters(plan, u.Work.clock)
	if plan.CountTies {
		if meter.ties = countTies(u.alloc); meter.ties != nil {
			u.alloc = meter.ties
		}
	}
	sim := scheduler.Sim{
		Source: u.Work.Source, Policy: u.policy, Allocator: u.alloc, Free: allocation.NewFreeSet(u.machine.Nodes()),
		Clock: u.Work.clock, KillOverruns: plan.Scheduler.OnOverrun == spec.OverrunKill,
		Log: s.logFile(plan.Workload.Trace), Record: meter.record,
	}
	var gauge *Gauge
	if extra != nil {
		gauge = extra.Gauge
	}
	work := newEffort(&u)
	poll := gauge.poll(ctx, work.total, func() int64 { return int64(meter.response.N) })
	sim.Decided = meter.decided(&u)
	if u.net == nil {
		sim.Executor = &scheduler.Fixed{Clock: u.Work.clock, Speedup: plan.Job.Speedup}
	} else {
		x := newNetExecutor(u.net, u.Work.patterns, u.Work.clock)
		x.software = software(plan)
		if extra != nil && extra.Jobs {
			x.ended = meter.ended
		}
		x.work = work
		poll = gauge.poll(ctx, work.total, func() int64 { return x.work.done })
		x.stop = poll
		sim.Executor = x
	}
	if list, ok := u.Work.Source.(*scheduler.List); ok {
		meter.offeredLoad, _ = scheduler.Load(list.Jobs, u.machine.Nodes())
	}
	meter.undisturbed = s.undisturbed(plan, &u, gauge)
	sim.Stop = func() bool { return poll() || u.Work.until > 0 && meter.response.N >= u.Work.until }
	gauge.Begin()
	totals, err := sim.Run()
	switch {
	case errors.Is(err, scheduler.ErrStopped) && ctx.Err() == nil: // the job looked at is done
	case errors.Is(err, scheduler.ErrStopped):
		return Result{}, ctx.Err()
	case err != nil:
		var stuck *router.StuckError
		if errors.As(err, &stuck) {
			return Result{}, err
		}
		return Result{}, &spec.InputError{Problem: err.Error()}
	}
	gauge.Show(1, 1)
	return meter.result(&totals, u.net), nil
}

// NewAllocator makes an allocator of a plan.
func (s *Simulator) NewAllocator(
	plan *spec.Plan, a *spec.AllocatorPlan, replication int,
) (allocation.Allocator, error) {
	seed, more := plan.StreamSeed(replication, string(a.Field))
	order := func(name string, _ topology.Topology) ([]topology.Node, error) {
		return s.Order(plan, name)
	}
	x, err := plan.Registry.NewAllocator(a.Config, allocation.Site{Machine: plan.Machine,
		Stream: rand.New(rand.NewPCG(seed, more)), Order: order})
	if err != nil {
		return nil, a.Field.Refuse(err)
	}
	return x, nil
}

// Order puts the nodes of a plan's machine in order, once: the optimized order
// takes a search.
func (s *Simulator) Order(plan *spec.Plan, name string) ([]topology.Node, error) {
	return s.shared.orders.Of(orderKey{plan.MachineID(), name}, func() ([]topology.Node, error) {
		return allocation.NewOrder(name, plan.Machine)
	})
}

// NewNetwork builds the network of a plan, after its routing was found to be free
// of deadlock. A routing that draws does so anew in every replication.
func (s *Simulator) NewNetwork(plan *spec.Plan, replication int) (*netsim.Network, error) {
	c := plan.Network
	c.RoutingSeed, _ = plan.StreamSeed(replication, "routing")
	_, err := s.shared.sound.Of(soundKey{plan.MachineID(), c.Routing, c.VirtualChannels},
		func() (struct{}, error) { return struct{}{}, c.CheckDeadlock() })
	if err != nil {
		bad := spec.FieldRouting.Refuse(err)
		if topology.Wraps(plan.Machine) {
			bad.Right = fmt.Sprintf("where a dimension wraps, take %s = auto and %s = 2 or more",
				spec.FieldRouting, spec.FieldVirtualChannels)
		}
		return nil, bad
	}
	n, err := netsim.New(c)
	if err != nil {
		return nil, &spec.InputError{Problem: err.Error()}
	}
	return n, nil
}

// log returns a log, read once.
func (s *Simulator) log(name string) (*scheduler.SWF, error) {
	path, err := spec.FindTrace(name, s.TraceDirs)
	if err != nil {
		return nil, err
	}
	l, err := s.shared.logs.Of(path, func() (*scheduler.SWF, error) { return ReadLog(path) })
	if err != nil {
		return nil, err
	}
	return l.Copy(), nil
}

// ReadLog reads a log; what is wrong with it is the user's input.
func ReadLog(path string) (*scheduler.SWF, error) {
	if err := fitsLog(path); err != nil {
		return nil, err
	}
	l, err := scheduler.OpenSWF(path)
	var bad *scheduler.SWFError
	switch {
	case errors.As(err, &bad):
		where, problem, _ := strings.Cut(bad.Error(), ": ")
		return nil, &spec.InputError{Where: where, Problem: problem}
	case err != nil:
		return nil, &spec.InputError{Problem: err.Error()}
	}
	return l, nil
}
