package service

import (
	"bytes"
	"cmp"
	"fmt"
	"os"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// Config configures a Service.
type Config struct {
	// Base has the machine, the network, and the defaults of jobs.
	Base config.Spec
	// Allocator is the call of the allocator that answers requests for nodes, "" to refuse these.
	Allocator string
	Names     *config.Registry
	// Program names the program in saved states.
	Program string
	// Files is the folder of the files that requests may name, nil to refuse these.
	Files *os.Root
	// Life ends an allocator that is a program. It may be nil for others.
	Life *lifetime.Run
}

// Service answers requests about one machine. Only one goroutine may use it.
type Service struct {
	Config
	sim     *sim.Simulator
	plan    *config.Plan
	meter   metrics.PlacementMeter
	traffic map[string]traffic // by the keys of requests
	state   *state
}

// state is the machine with its jobs, which save and load store.
type state struct {
	allocator allocation.Allocator // nil for none
	free      *allocation.FreeSet  // nodes of no job
	granted   map[string]grant     // nodes of jobs that have not started, by name
	jobs      map[string]*job      // running jobs, by name
	slots     []*job               // jobs by slot of the executor
	jobNames  []string             // of all jobs that have started, by JobID
	events    []savedEvent         // requests that changed the state, if there is a folder
	net       *netsim.Network      // nil before the first request that needs it
	exec      *executor.Executor
	waits     *metrics.JobWaits
	// endedTotals are those of the jobs that ended when time last advanced, done the jobs.
	endedTotals map[scheduler.JobID]netsim.Totals
	endedIDs    []scheduler.JobID
}

// New returns the service of the machine and the network of a spec.
func New(s *sim.Simulator, c Config) (*Service, error) {
	standard := config.DefaultSpec() // jobs come from elsewhere
	c.Base.Workload, c.Base.Scheduler = standard.Workload, standard.Scheduler
	c.Base.Allocator = cmp.Or(c.Allocator, standard.Allocator)
	c.Base.Registry = c.Names
	plan, err := c.Base.Plan()
	if err != nil {
		return nil, err
	}
	if plan.Job.Run != config.RunMessages {
		return nil, input.Bad("job.run", "take messages",
			"job.run is %v, and the jobs on a network send messages", plan.Job.Run)
	}
	anyLength := *plan // the messages of jobs to come may have any length
	anyLength.Network.MessageFlits, anyLength.Network.MessageMultiple = 0, 0
	v := &Service{Config: c, sim: s, plan: &anyLength, traffic: map[string]traffic{}}
	if v.state, err = v.newState(); err != nil {
		return nil, err
	}
	if c.Allocator == "" {
		return v, v.openNetwork()
	}
	order, err := s.Order(plan, plan.SpanOrder)
	v.meter = metrics.NewPlacementMeter(plan.Machine, order)
	return v, err
}

// newState returns an empty machine at cycle 0.
func (v *Service) newState() (s *state, err error) {
	s = &state{free: allocation.NewFreeSet(v.plan.Machine.Nodes()), granted: map[string]grant{},
		jobs: map[string]*job{}, endedTotals: map[scheduler.JobID]netsim.Totals{}}
	if v.Allocator != "" {
		s.allocator, err = v.sim.NewAllocator(v.plan, &v.plan.Allocator, 0, v.Life)
	}
	return s, err
}

// openNetwork makes the network of the state if it has none yet. A service that only allocates
// never calls it.
func (v *Service) openNetwork() error {
	s := v.state
	if s.net != nil {
		return nil
	}
	net, err := v.sim.NewNetwork(v.plan, 0)
	if err != nil {
		return err
	}
	s.net, s.waits = net, metrics.NewJobWaits(net)
	net.RecordWaits(s.waits)
	s.exec = executor.New(net, nil, scheduler.Clock{})
	s.exec.Software = sim.Software(v.plan)
	s.exec.Began = func(slot int32, id scheduler.JobID) {
		s.waits.Began(slot, id)
		for int(slot) >= len(s.slots) {
			s.slots = append(s.slots, nil)
		}
		s.slots[slot] = s.jobs[s.jobNames[id]]
		s.slots[slot].slot = slot
	}
	s.exec.Delivered = func(slot int32) {
		s.slots[slot].received++
		s.slots[slot].lastArrival = net.Now()
	}
	s.exec.Ended = func(id scheduler.JobID, t netsim.Totals, _ bool) { s.endedTotals[id] = t }
	return nil
}

// cycle returns the current cycle.
func (s *state) cycle() int64 {
	if s.net == nil {
		return 0
	}
	return s.net.Now()
}

// carryOut carries out a request and returns its answer.
func (v *Service) carryOut(r *request) (any, error) {
	switch r.kind {
	case "machine":
		return v.compareMachine(r)
	case "free":
		return v.chooseFree(r)
	case "allocate":
		return v.allocate(r)
	case "end":
		return v.endJob(r)
	case "save":
		return v.save(r)
	case "load":
		return v.load(r)
	}
	if err := v.openNetwork(); err != nil {
		return nil, err
	}
	switch r.kind {
	case "start":
		return v.startJob(r)
	case "advance":
		return v.advance(r)
	}
	return v.status(r)
}

// recordEvent adds a request that changes the state to the events.
func (v *Service) recordEvent(r *request) {
	if v.Files != nil {
		v.state.events = append(v.state.events, savedEvent{v.state.cycle(), bytes.Clone(r.line)})
	}
}

// runningJob returns the running job of a name, or an error for the answer.
func (s *state) runningJob(name string) (*job, error) {
	j := s.jobs[name]
	if j == nil {
		return nil, fmt.Errorf("the job %s does not run: give one that has started and not ended", name)
	}
	return j, nil
}

// traffic is what jobs of equal requests send.
type traffic struct {
	config patterns.Config
	spec   *config.PatternPlan
}
