package service

import (
	"fmt"
	"io"
	"os"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// Network answers requests about one network. Only one goroutine may use it.
type Network struct {
	sim     *sim.Simulator
	base    config.Spec // what jobs do unless their requests say otherwise
	plan    *config.Plan
	names   config.Names
	program string // names the program, in saved states
	files   *os.Root
	traffic map[string]traffic
	state   *state
}

// traffic is what jobs of equal requests send.
type traffic struct {
	config patterns.Config
	spec   *config.PatternPlan
}

// state is the network with its jobs.
type state struct {
	net   *netsim.Network
	x     *executor.Executor
	waits *metrics.JobWaits
	free  *allocation.FreeSet
	jobs  map[string]*job // that run, by name
	slots []*job          // of the executor
	names []string        // of all jobs that were started, by JobID
	done  []scheduler.JobID
	// totals are those of the jobs that ended when time moved on last.
	totals map[scheduler.JobID]netsim.Totals
	log    []event // all that has changed the state, beside time
}

// NewNetwork returns the service of the machine and the network of a spec. The program names itself in
// states that are saved. Requests may name files of one folder, none if it is nil.
func NewNetwork(s *sim.Simulator, base config.Spec, names config.Names, program string, files *os.Root,
) (*Network, error) {
	standard := config.DefaultSpec() // jobs come from elsewhere
	base.Workload, base.Scheduler, base.Allocator = standard.Workload, standard.Scheduler,
		standard.Allocator
	base.Registry = names.Registry()
	plan, err := base.Plan()
	if err != nil {
		return nil, err
	}
	if plan.Job.Run != config.RunMessages {
		return nil, input.Bad("job.run", "take messages",
			"job.run is %v, and the jobs on a network send messages", plan.Job.Run)
	}
	own := *plan // the messages of jobs to come may have any length
	own.Network.MessageFlits, own.Network.MessageMultiple = 0, 0
	v := &Network{sim: s, base: base, plan: &own, names: names, program: program, files: files,
		traffic: map[string]traffic{}}
	v.state, err = v.newState()
	return v, err
}

// newState returns an empty network at cycle 0.
func (v *Network) newState() (*state, error) {
	net, err := v.sim.NewNetwork(v.plan, 0)
	if err != nil {
		return nil, err
	}
	s := &state{net: net, x: executor.New(net, nil, scheduler.Clock{}), waits: metrics.NewJobWaits(net),
		free: allocation.NewFreeSet(v.plan.Machine.Nodes()), jobs: map[string]*job{},
		totals: map[scheduler.JobID]netsim.Totals{}}
	net.RecordWaits(s.waits)
	s.x.Software = sim.Software(v.plan)
	s.x.Began = func(slot int32, id scheduler.JobID) {
		s.waits.Began(slot, id)
		for int(slot) >= len(s.slots) {
			s.slots = append(s.slots, nil)
		}
		s.slots[slot] = s.jobs[s.names[id]]
		s.slots[slot].slot = slot
	}
	s.x.Delivered = func(slot int32) {
		s.slots[slot].received++
		s.slots[slot].last = net.Now()
	}
	s.x.Ended = func(id scheduler.JobID, t netsim.Totals, _ bool) { s.totals[id] = t }
	return s, nil
}

// Answer appends the answer to a line, without an end of line. It reports whether the line was
// good; the answer to a bad line states the error, and nothing has changed.
func (v *Network) Answer(dst, line []byte, number int) (text []byte, good bool) {
	r, err := readRequest(line)
	var a any
	if err == nil {
		a, err = v.do(r)
	}
	if err != nil {
		a = fault{number, input.Printable(err.Error())}
	}
	return input.WithID(dst, r.id, input.EncodeJSON(a)), err == nil
}

// fault is the answer to a bad line.
type fault struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// do carries out a request.
func (v *Network) do(r *networkRequest) (any, error) {
	switch r.verb {
	case "start":
		return v.start(r)
	case "advance":
		return v.advance(r)
	case "end":
		return v.end(r)
	case "status":
		return v.status(r)
	case "save":
		return v.save(r)
	}
	return v.load(r)
}

// mostLine returns the largest length of a line in bytes: room for a list of all nodes.
func (v *Network) mostLine() int { return 1<<20 + 16*v.plan.Machine.Nodes() }

// Serve answers line after line until the input ends; see input.ServeLines.
func (v *Network) Serve(in io.Reader, out io.Writer) error {
	return input.ServeLines(in, out, v.mostLine(),
		func(dst, line []byte, number int, long error) ([]byte, bool, error) {
			if long != nil {
				return append(dst, input.EncodeJSON(fault{number, long.Error()})...), false, nil
			}
			text, good := v.Answer(dst, line, number)
			return text, good, nil
		})
}

// running returns the running job of a name.
func (s *state) running(name string) (*job, error) {
	j := s.jobs[name]
	if j == nil {
		return nil, fmt.Errorf("the job %s does not run: give one that has started and not ended", name)
	}
	return j, nil
}
