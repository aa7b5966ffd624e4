package service

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"contend/allocation"
	"contend/allocation/order"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/router/topology"
)

// DecisionConfig configures Decisions.
type DecisionConfig struct {
	// Spec has the machine, the seed of random allocators and, if Allocators is
	// empty, the allocator.
	Spec config.Spec
	// Allocators lists short forms of allocators that answer side by side.
	Allocators []string
	// Order names the order along which spans are measured. "" means the first
	// order other than row-major that an allocator has, else row-major.
	Order string
}

// Decisions answers requests for nodes of one machine, each a line of JSON. Only one goroutine may
// use it.
//
// A request with "free" or "busy" describes the state of the machine and changes
// nothing. A request with "allocate" and the name of a job takes the nodes that
// the job gets, and one with "release" returns them. Every allocator keeps its
// own record of jobs.
type Decisions struct {
	named    bool // an answer has a field for each allocator
	deciders []*decider
	meter    metrics.PlacementMeter

	nodes int
	life  *lifetime.Run
	none  *allocation.FreeSet // all nodes busy
	free  *allocation.FreeSet // free nodes of the request
	line  int                 // number of the last line, from 1
}

// decider is an allocator with its record of jobs.
type decider struct {
	name  string
	alloc allocation.Allocator
	free  *allocation.FreeSet // nodes that its jobs leave free
	held  map[string]holding  // by the name of the job, as JSON
}

// holding has the nodes of a job. The job uses the first size nodes; the others
// are reserved.
type holding struct {
	nodes []topology.Node
	size  int
}

// NewDecisions builds the machine and the allocators, which hold what they need until the life of the
// run ends.
func NewDecisions(
	s *sim.Simulator, c DecisionConfig, names config.Names, life *lifetime.Run,
) (*Decisions, error) {
	specs, err := c.specs(names)
	if err != nil {
		return nil, err
	}
	c.Spec.Registry = names.Registry()
	base, err := c.Spec.Plan()
	if err != nil {
		return nil, err
	}
	n := base.Machine.Nodes()
	d := &Decisions{named: len(c.Allocators) > 1, nodes: n, life: life,
		none: allocation.NewFreeSet(n), free: allocation.NewFreeSet(n)}
	d.none.Take(d.none.AppendTo(nil))
	for i, a := range specs {
		plan := config.AllocatorPlan{Call: a, Field: config.FieldAllocator}
		alloc, err := s.NewAllocator(base, &plan, 0, life)
		if err != nil {
			return nil, err
		}
		x := &decider{alloc: alloc, free: allocation.NewFreeSet(n), held: map[string]holding{}}
		if d.named {
			x.name = c.Allocators[i]
		}
		d.deciders = append(d.deciders, x)
	}
	order, err := s.Order(base, c.spanOrder(specs))
	if err != nil {
		return nil, &input.Error{Where: "--order " + c.Order, Problem: err.Error()}
	}
	d.meter = metrics.NewPlacementMeter(base.Machine, order)
	return d, nil
}

// specs returns the allocators. It refuses an allocator that is given twice,
// because answers go by the names of allocators.
func (c *DecisionConfig) specs(names config.Names) ([]string, error) {
	if err := c.Spec.CheckMachine(); err != nil {
		return nil, err
	}
	if len(c.Allocators) == 0 {
		return []string{c.Spec.Allocator}, nil
	}
	var specs []string
	for _, short := range c.Allocators {
		a, err := config.CanonicalAllocator(short, names)
		if err != nil {
			return nil, study.InFlag(err, "--allocator "+short)
		}
		if i := slices.Index(specs, a); i >= 0 {
			return nil, &input.Error{
				Where:   "--allocator " + short,
				Problem: "the same as --allocator " + c.Allocators[i],
				Right:   "give each allocator once",
			}
		}
		specs = append(specs, a)
	}
	return specs, nil
}

// spanOrder returns the order along which spans are measured.
func (c *DecisionConfig) spanOrder(specs []string) string {
	for _, a := range specs {
		own := c.Spec.Registry.OrderOf(a)
		if c.Order == "" && own != "" && own != order.RowMajor {
			return own
		}
	}
	return cmp.Or(c.Order, order.RowMajor)
}

// Answer appends the answer to a line, without an end of line. It reports whether
// the line was good; the answer to a bad line states the error.
func (d *Decisions) Answer(dst, line []byte) (text []byte, good bool) {
	d.line++
	var r allocateRequest
	var a answer
	err := r.read(line, d.nodes)
	if err == nil {
		err = d.prepare(&r)
	}
	switch {
	case err != nil:
		a = d.fault(err)
	case d.named:
		for _, x := range d.deciders {
			a.Allocators = append(a.Allocators, named{x.name, d.answer(x, &r)})
		}
	default:
		a = d.answer(d.deciders[0], &r)
	}
	wrong := func(n named) bool { return n.Error != "" }
	good = a.Error == "" && !slices.ContainsFunc(a.Allocators, wrong)
	return input.WithID(dst, r.id, input.EncodeJSON(a)), good
}

// prepare sets the free nodes that the request describes, or checks its job.
func (d *Decisions) prepare(r *allocateRequest) error {
	switch r.kind {
	case askFree, askBusy:
		return d.load(r)
	case askRelease:
		holds := func(x *decider) bool { _, ok := x.held[r.job]; return ok }
		if !slices.ContainsFunc(d.deciders, holds) {
			return fmt.Errorf("the job %s has no nodes: release what was allocated, once", r.job)
		}
	case askAllocate:
		lacks := func(x *decider) bool { _, ok := x.held[r.job]; return !ok }
		if !slices.ContainsFunc(d.deciders, lacks) {
			return fmt.Errorf(
				"the job %s has its nodes already: release them, or give another name", r.job)
		}
	}
	return nil
}

// load sets the free nodes of the request.
func (d *Decisions) load(r *allocateRequest) error {
	if r.kind == askFree {
		d.free.Copy(d.none)
	} else {
		d.free.Fill()
	}
	for i, n := range r.nodes {
		switch free := d.free.Free(n); {
		case free == (r.kind == askFree):
			return fmt.Errorf("%s has node %d twice: give each node once", r.kind, n)
		case free:
			d.free.Take(r.nodes[i : i+1])
		default:
			d.free.Release(r.nodes[i : i+1])
		}
	}
	return nil
}

// mostLine returns the largest length of a line in bytes: room for a list of all
// nodes and for long names.
func (d *Decisions) mostLine() int { return 1<<20 + 16*d.nodes }

// Serve answers line after line until the input ends; see input.ServeLines.
func (d *Decisions) Serve(in io.Reader, out io.Writer) error {
	return input.ServeLines(in, out, d.mostLine(),
		func(dst, line []byte, number int, long error) ([]byte, bool, error) {
			if d.line = number; long != nil {
				return append(dst, input.EncodeJSON(d.fault(long))...), false, nil
			}
			d.line--
			text, good := d.Answer(dst, line)
			return text, good, d.life.Err()
		})
}
