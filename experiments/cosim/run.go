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

	mu    sync.Mutex
	once  map[string]*future
	spent map[string]spent // on patterns alone, by pattern
}

// future is a value that is computed once, by the first to ask.
type future struct {
	sync.Once
	value any
	err   error
}

// Shared returns the value for a key, computed once.
func Shared[T any](s *Simulator, key string, compute func() (T, error)) (T, error) {
	s.mu.Lock()
	if s.once == nil {
		s.once = map[string]*future{}
	}
	f := s.once[key]
	if f == nil {
		f = &future{}
		s.once[key] = f
	}
	s.mu.Unlock()
	f.Do(func() { f.value, f.err = compute() })
	if f.err != nil {
		var zero T
		return zero, f.err
	}
	return f.value.(T), nil
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

func (s *Simulator) Prepare(plan *spec.Spec, replication int) (u setup, err error) {
	if u.machine, err = spec.NewMachine(&plan.Machine); err != nil {
		return u, err
	}
	if plan.Job.Run == "messages" {
		if u.net, err = s.NewNetwork(plan, u.machine, replication); err != nil {
			return u, err
		}
	}
	if plan.Workload.Source == "together" {
		u.policy = scheduler.FCFS{}
		u.Work, u.alloc, err = newTogether(plan, u.machine, replication)
		return u, err
	}
	if u.alloc, err = s.NewAllocator(plan, u.machine, replication); err != nil {
		return u, err
	}
	if u.asked, err = s.newAsked(plan, u.machine, replication); err != nil {
		return u, err
	}
	if u.policy, err = newPolicy(&plan.Scheduler, u.alloc); err != nil {
		return u, err
	}
	u.Work, err = s.NewWork(plan, u.machine, replication)
	return u, err
}

// Check returns what is wrong with a spec, before anything is run: with the
// machine, the network, the allocator, the log, or a job that can never be
// placed or communicate. What does not depend on the scheduler is looked at
// once: studies have hundreds of points with the same jobs.
func (s *Simulator) Check(plan spec.Spec) error {
	if err := s.fits(&plan); err != nil {
		return err
	}
	if spec.TrafficWorkload.Holds(&plan) {
		return s.checkTraffic(&plan)
	}
	if plan.Workload.Source != "together" {
		machine, err := spec.NewMachine(&plan.Machine)
		if err != nil {
			return err
		}
		alloc, err := s.NewAllocator(&plan, machine, 0)
		if err != nil {
			return err
		}
		if _, err := newPolicy(&plan.Scheduler, alloc); err != nil {
			return err
		}
	}
	key := "check " + plan.Workload.Trace + "\n" + plan.CanonicalOf(func(path string) bool {
		return path == "scheduler.decision" || path != "job.assumed_speedup" && !strings.HasPrefix(path, "scheduler.")
	})
	_, err := Shared(s, key, func() (bool, error) { return true, s.checkJobs(&plan) })
	return err
}

func (s *Simulator) checkJobs(plan *spec.Spec) error {
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

// Run simulates one replication of a spec.
func (s *Simulator) Run(ctx context.Context, plan spec.Spec, replication int, extra *Extra) (Result, error) {
	plan.Settle()
	if spec.TrafficWorkload.Holds(&plan) {
		return s.runTraffic(ctx, &plan, replication, extra)
	}
	u, err := s.Prepare(&plan, replication)
	if err != nil {
		return Result{}, err
	}
	place := newCompactness(&plan, u.machine, func(name string) ([]topology.Node, error) { return s.Order(&plan, name, u.machine) })
	meter := newCollector(&plan, place, u.Work.clock, extra)
	if plan.CountTies {
		if meter.ties = countTies(u.alloc); meter.ties != nil {
			u.alloc = meter.ties
		}
	}
	sim := scheduler.Sim{
		Source: u.Work.Source, Policy: u.policy, Allocator: u.alloc, Free: allocation.NewFreeSet(u.machine.Nodes()),
		Clock: u.Work.clock, KillOverruns: plan.Scheduler.OnOverrun == "kill", Log: s.logFile(plan.Workload.Trace), Record: meter.record,
	}
	var gauge *Gauge
	if extra != nil {
		gauge = extra.Gauge
	}
	work := newEffort(&u)
	poll := gauge.poll(ctx, work.total, func() int64 { return int64(meter.response.N) })
	sim.Decided = meter.decided(&u)
	if u.net == nil {
		sim.Executor = &scheduler.Fixed{Clock: u.Work.clock, Speedup: plan.Speedup()}
	} else {
		x := newNetExecutor(u.net, u.Work.patterns, u.Work.clock)
		x.software = software(&plan.Job)
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
	if meter.undisturbed, err = s.undisturbed(&plan, &u, gauge); err != nil {
		return Result{}, err
	}
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

// NewAllocator makes the allocator of a spec.
func (s *Simulator) NewAllocator(plan *spec.Spec, machine topology.Topology, replication int) (allocation.Allocator, error) {
	return s.namedAllocator(plan, "allocator", plan.Allocator.Config(), machine, replication)
}

// namedAllocator makes the allocator a key has. Each key has a random stream of
// its own.
func (s *Simulator) namedAllocator(plan *spec.Spec, key string, c allocation.Config, machine topology.Topology, replication int) (allocation.Allocator, error) {
	a, b := plan.StreamSeed(replication, key)
	order := func(name string, machine topology.Topology) ([]topology.Node, error) {
		return s.Order(plan, name, machine)
	}
	x, err := allocation.NewAt(c, allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(a, b)), Order: order})
	if err != nil {
		return nil, &spec.InputError{Key: key, Problem: err.Error()}
	}
	return x, nil
}

// Order puts the nodes of a spec's machine in order, once: the optimized order
// takes a search.
func (s *Simulator) Order(plan *spec.Spec, name string, machine topology.Topology) ([]topology.Node, error) {
	return Shared(s, fmt.Sprintf("order %v %s", plan.Machine, name), func() ([]topology.Node, error) { return allocation.NewOrder(name, machine) })
}

// newPolicy turns the name of a policy into one.
func newPolicy(s *spec.SchedulerSpec, a allocation.Allocator) (scheduler.Policy, error) {
	switch s.Policy {
	case "fcfs":
		return scheduler.FCFS{}, nil
	case "easy":
		return &scheduler.EASY{KillAtReservation: s.KillAtReservation, CountReservations: s.Reservation == "count", NoExtraNodes: s.Backfill == "ending"}, nil
	case "conservative":
		if !allocation.CountDecides(a) {
			return nil, spec.BadInput("scheduler.policy", "take easy, or an allocator such as mbs, random or paging:0",
				"scheduler.policy is conservative, which plans with numbers of nodes, and the allocator may refuse a job although enough nodes are free")
		}
		return &scheduler.Conservative{}, nil
	case "sjf":
		return &scheduler.SJF{}, nil
	case "cplant":
		return &scheduler.Cplant{PollSeconds: s.PollSeconds}, nil
	}
	return nil, spec.BadInput("scheduler.policy", "contend list schedulers shows all", "unknown policy %q", s.Policy)
}

// NetworkConfig translates the section [network], for messages of one length,
// or whose lengths have a common factor; 0 where nothing is known of them.
func NetworkConfig(n *spec.NetworkSpec, t topology.Topology, messageFlits, messageMultiple int) netsim.Config {
	c := netsim.Config{
		Topology: t, PacketFlits: n.PacketFlits, BufferFlits: n.BufferFlits, VirtualChannels: n.VirtualChannels,
		RoutingCycles: n.RoutingCycles, LinkCycles: n.LinkCycles, FlitCycles: n.FlitCycles, CreditCycles: n.CreditCycles,
		InjectionPorts: n.InjectionPorts, InjectionFlitCycles: n.InjectionFlitCycles, Routing: n.Routing, Engine: n.Engine, MessageFlits: messageFlits, MessageMultiple: messageMultiple,
	}
	switch n.Switching {
	case "virtual-cut-through":
		c.Switching = router.VirtualCutThrough
	case "store-and-forward":
		c.Switching = router.StoreAndForward
	}
	if n.Arbiter == "round-robin" {
		c.Arbiter = router.RoundRobin
	}
	c.VCSelect, c.InputSpeedup = spec.VCSelects[n.VCSelect], n.InputSpeedup
	c.NodeVirtualChannels, c.HeadersYield = n.NodeVirtualChannels, n.HeadersYield
	return c
}

// NewNetwork builds the network of a spec, after its routing was found to be
// free of deadlock. A routing that draws does so anew in every replication.
func (s *Simulator) NewNetwork(plan *spec.Spec, machine spec.Machine, replication int) (*netsim.Network, error) {
	c := NetworkConfig(&plan.Network, machine, plan.MessageFlits(), plan.MessageMultiple())
	c.RoutingSeed, _ = plan.StreamSeed(replication, "routing")
	key := fmt.Sprintf("deadlock %v %v %d", plan.Machine, c.Routing, c.VirtualChannels)
	if _, err := Shared(s, key, func() (bool, error) { return true, c.CheckDeadlock() }); err != nil {
		bad := &spec.InputError{Key: "network.routing", Problem: err.Error()}
		if topology.Wraps(machine) {
			bad.Right = "where a dimension wraps, take network.routing = auto and network.virtual_channels = 2 or more"
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
	l, err := Shared(s, "log "+path, func() (*scheduler.SWF, error) { return ReadLog(path) })
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
