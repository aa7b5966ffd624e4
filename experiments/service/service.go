// Package service is a machine for other schedulers (`contend network`): an allocator that chooses
// the nodes of their jobs, and a network on which these run. Another scheduler learns when the
// messages of a job have arrived, how much slower the job was than alone on the same nodes, and for
// which jobs it waited.
//
// A request is a line of JSON, and so is its answer. Requests lists the requests and Answers the
// keys of answers; docs/howto/json-lines.md shows how to use them. Package external speaks the same
// lines from the other side: its programs answer the requests machine and free.
//
// An example on a row of four nodes, with requests and their answers:
//
//	{"allocate":"a","size":2}                           {"nodes":[0,1],"measures":...}
//	{"start":"a","pattern":"ring","iterations":5}       {"now":0,"job":"a"}
//	{"start":"b","nodes":[3,2],"pattern":"ring"}        {"now":0,"job":"b"}
//	{"advance":"next"}                                  {"now":70,"ended":[{"job":"a",...}]}
//
// Times are cycles. The network simulates every flit of every message by the rules of package
// netsim, as in runs: the same jobs on the same nodes at the same times take the same times.
//
// A saved state is the list of the requests that made it, since the simulation is deterministic: to
// load it is to simulate again. There is no other state, so every state can be saved.
package service

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/internal/written"
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
	if len(plan.Failures) > 0 {
		return nil, config.FieldFailures.Bad("leave them out",
			"%s has failures, and contend network simulates none", config.FieldFailures)
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

// recordEvent adds a request that changes the state to the events, with the pinned pattern of a job
// that starts.
func (v *Service) recordEvent(r *request, pattern string) {
	if v.Files != nil {
		v.state.events = append(v.state.events,
			savedEvent{v.state.cycle(), bytes.Clone(r.line), pattern})
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
	pinned string // the pattern of the request with the digest of its file
}

// errorAnswer is the answer to a bad line.
type errorAnswer struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// Answer returns the answer to a line, without an end of line, and reports whether the line was
// good. The answer to a bad line states the error; the state has not changed.
func (v *Service) Answer(line []byte, number int) (text []byte, good bool) {
	r, err := readRequest(line)
	var a any
	if err == nil {
		a, err = v.carryOut(r)
	}
	if err != nil {
		a = errorAnswer{number, input.Printable(err.Error())}
	}
	text = written.JSON(a)
	if r.id == nil {
		return text, err == nil
	}
	front := append([]byte(`{"id":`), r.id...)
	if len(text) > len("{}") {
		front = append(front, ',')
	}
	return append(front, text[1:]...), err == nil
}

// Serve answers lines until the input ends. It writes each answer before it reads the next line,
// and skips empty lines. After bad lines, which it answers too, it returns an input.Error at the
// end.
func (v *Service) Serve(in io.Reader, out io.Writer) error {
	max := 1<<20 + 16*v.plan.Machine.Nodes() // room for a list of all nodes
	lines := input.NewLineReader(in, max)
	for number, bad := 1, 0; ; number++ {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return badLinesError(bad, number-1)
		}
		good := false
		var text []byte
		if errors.Is(err, input.ErrLongLine) {
			text = written.JSON(errorAnswer{number, fmt.Sprintf("the line has more than %d bytes", max)})
		} else if err != nil {
			return err
		} else if len(bytes.TrimSpace(line)) == 0 {
			continue
		} else if text, good = v.Answer(line, number); v.Life.Err() != nil {
			return v.Life.Err()
		}
		if _, err := out.Write(append(text, '\n')); err != nil {
			return err
		}
		if !good {
			bad++
		}
	}
}

// badLinesError returns the error for bad lines at the end of the input, nil if all were good.
func badLinesError(bad, lines int) error {
	if bad == 0 {
		return nil
	}
	return &input.Error{
		Problem: fmt.Sprintf("%d of %d lines could not be answered", bad, lines),
		Right:   `their answers say why, under "error"`,
	}
}
