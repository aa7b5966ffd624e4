package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"contend/allocation"
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

	mu   sync.Mutex
	once map[string]*future
}

// future is a value that is computed once, by the first to ask.
type future struct {
	sync.Once
	value any
	err   error
}

// shared returns the value for a key, computed once.
func shared[T any](s *Simulator, key string, compute func() (T, error)) (T, error) {
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
	machine *topology.Cube
	work    *work
	alloc   allocation.Allocator
	policy  scheduler.Policy
	net     *netsim.Network // nil where jobs only take time
}

func (s *Simulator) prepare(spec *Spec, replication int) (u setup, err error) {
	if u.machine, err = newMachine(&spec.Machine); err != nil {
		return u, err
	}
	if spec.Job.Run == "messages" {
		if u.net, err = s.newNetwork(spec, u.machine); err != nil {
			return u, err
		}
	}
	if u.alloc, err = newAllocator(spec, u.machine, replication); err != nil {
		return u, err
	}
	if u.policy, err = newPolicy(&spec.Scheduler); err != nil {
		return u, err
	}
	u.work, err = s.newWork(spec, u.machine, replication)
	return u, err
}

// Check returns what is wrong with a spec, before anything is run: with the
// machine, the network, the allocator, the log, or a job that can never be
// placed or communicate.
func (s *Simulator) Check(spec Spec) error {
	u, err := s.prepare(&spec, 0)
	if err != nil {
		return err
	}
	for {
		j, err := u.work.source.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = u.alloc.Check(j.Request())
		}
		if err == nil && u.net != nil {
			_, err = patterns.MessagesPerIteration(u.work.patterns[j.Pattern], j.Size, j.Shape)
		}
		if err != nil {
			return &InputError{Problem: j.Wrap(spec.Workload.Trace, err).Error()}
		}
	}
}

// Run simulates one replication of a spec.
func (s *Simulator) Run(ctx context.Context, spec Spec, replication int, extra *Extra) (Result, error) {
	u, err := s.prepare(&spec, replication)
	if err != nil {
		return Result{}, err
	}
	meter := newCollector(&spec, u.machine, u.work.clock, extra)
	sim := scheduler.Sim{
		Source: u.work.source, Policy: u.policy, Allocator: u.alloc, Free: allocation.NewFreeSet(u.machine.Nodes()),
		Clock: u.work.clock, Log: spec.Workload.Trace, Record: meter.record,
		Stop: func() bool { return ctx.Err() != nil },
	}
	if u.net == nil {
		sim.Executor = &scheduler.Fixed{Clock: u.work.clock}
	} else {
		x := newNetExecutor(u.net, u.work.patterns, u.work.clock)
		if extra != nil && extra.Jobs {
			x.ended = meter.ended
		}
		sim.Executor = x
	}
	totals, err := sim.Run()
	switch {
	case errors.Is(err, scheduler.ErrStopped):
		return Result{}, ctx.Err()
	case err != nil:
		var stuck *router.StuckError
		if errors.As(err, &stuck) {
			return Result{}, err
		}
		return Result{}, &InputError{Problem: err.Error()}
	}
	return meter.result(&totals, u.net), nil
}

// newMachine builds the grid a spec describes.
func newMachine(m *MachineSpec) (*topology.Cube, error) {
	c := topology.CubeConfig{Dims: m.Dims, Concentration: m.Concentration, ServiceRows: m.ServiceRows}
	switch m.Topology {
	case "hypercube":
		c.Dims = make([]int, m.Dims[0])
		for i := range c.Dims {
			c.Dims[i] = 2
		}
	case "torus":
		for range m.Dims {
			c.Wrap = append(c.Wrap, true)
		}
	}
	if len(m.Wrap) > 0 {
		c.Wrap = m.Wrap
	}
	t, err := topology.NewCube(c)
	if err != nil {
		return nil, &InputError{Problem: err.Error()}
	}
	return t, nil
}

// newAllocator makes the allocator of a spec.
func newAllocator(spec *Spec, machine topology.Topology, replication int) (allocation.Allocator, error) {
	a, b := spec.PointSeed(replication, "allocator")
	x, err := allocation.New(spec.Allocator.config(), machine, rand.New(rand.NewPCG(a, b)))
	if err != nil {
		return nil, &InputError{Key: "allocator", Problem: err.Error()}
	}
	return x, nil
}

// newPolicy turns the name of a policy into one.
func newPolicy(s *SchedulerSpec) (scheduler.Policy, error) {
	switch s.Policy {
	case "fcfs":
		return scheduler.FCFS{}, nil
	}
	return nil, badInput("scheduler.policy", "fcfs", "unknown policy %q", s.Policy)
}

// networkConfig translates the section [network], for messages of one length.
func networkConfig(n *NetworkSpec, t topology.Topology, messageFlits int) netsim.Config {
	c := netsim.Config{
		Topology: t, PacketFlits: n.PacketFlits, BufferFlits: n.BufferFlits, VirtualChannels: n.VirtualChannels,
		RoutingCycles: n.RoutingCycles, LinkCycles: n.LinkCycles, FlitCycles: n.FlitCycles, CreditCycles: n.CreditCycles,
		InjectionPorts: n.InjectionPorts, Routing: n.Routing, Engine: n.Engine, MessageFlits: messageFlits,
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
	return c
}

// newNetwork builds the network of a spec, after its routing was found to be
// free of deadlock.
func (s *Simulator) newNetwork(spec *Spec, machine *topology.Cube) (*netsim.Network, error) {
	c := networkConfig(&spec.Network, machine, spec.Job.Flits)
	key := fmt.Sprintf("deadlock %v %v %v %v %d", spec.Machine, machine.Dims(), machine.Wrap(), c.Routing, c.VirtualChannels)
	if _, err := shared(s, key, func() (bool, error) { return true, c.CheckDeadlock() }); err != nil {
		bad := &InputError{Key: "network.routing", Problem: err.Error()}
		if slices.Contains(machine.Wrap(), true) {
			bad.Right = "where a dimension wraps, take network.routing = auto and network.virtual_channels = 2 or more"
		}
		return nil, bad
	}
	n, err := netsim.New(c)
	if err != nil {
		return nil, &InputError{Problem: err.Error()}
	}
	return n, nil
}

// log returns a log, read once.
func (s *Simulator) log(name string) (*scheduler.SWF, error) {
	path, err := FindTrace(name, s.TraceDirs)
	if err != nil {
		return nil, err
	}
	l, err := shared(s, "log "+path, func() (*scheduler.SWF, error) { return scheduler.OpenSWF(path) })
	var bad *scheduler.SWFError
	switch {
	case errors.As(err, &bad):
		where, problem, _ := strings.Cut(bad.Error(), ": ")
		return nil, &InputError{Where: where, Problem: problem}
	case err != nil:
		return nil, &InputError{Problem: err.Error()}
	}
	return l.Copy(), nil
}
