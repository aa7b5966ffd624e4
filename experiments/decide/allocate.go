package decide

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"contend/allocation"
	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/netsim/topology"
)

// DecisionConfig says whose decisions are asked for.
type DecisionConfig struct {
	// Spec has the machine, the seed of random and, where Allocators is empty,
	// the allocator.
	Spec spec.Spec
	// Allocators are short forms of allocators that answer side by side.
	Allocators []string
	// Order is what spans are measured along, one of the orders; empty for the
	// first one other than row-major that an allocator has, or row-major.
	Order string
	// Strict lets Serve stop at the first bad line.
	Strict bool
}

// Decisions answers requests for nodes of one machine, a line of JSON each. It
// keeps its working memory: one goroutine may use it.
//
// A request with "free" or "busy" says what the machine is like and changes
// nothing. One with "allocate", the name of a job, takes the nodes it gets, and
// one with "release" gives them back; every allocator has books of its own.
type Decisions struct {
	strict   bool
	named    bool // answers stand under the names of their allocators
	deciders []*decider
	meter    cosim.PlacementMeter

	nodes   int
	none    *allocation.FreeSet // all nodes busy
	free    *allocation.FreeSet // of the request
	request decisionRequest
	line    int
}

// decider is an allocator with its books.
type decider struct {
	name  string // as JSON
	alloc allocation.Allocator
	free  *allocation.FreeSet // what its jobs left
	held  map[string]holding
	taken []topology.Node // working memory of a decision
}

// holding is what a job has: the first size nodes for use, others reserved.
type holding struct {
	nodes []topology.Node
	size  int
}

// New makes the machine and the allocators.
func New(s *cosim.Simulator, c DecisionConfig, names spec.Names) (*Decisions, error) {
	specs, err := c.specs(names)
	if err != nil {
		return nil, err
	}
	machine, err := spec.NewMachine(&c.Spec.Machine)
	if err != nil {
		return nil, err
	}
	n := machine.Nodes()
	d := &Decisions{strict: c.Strict, named: len(c.Allocators) > 1, nodes: n,
		none: allocation.NewFreeSet(n), free: allocation.NewFreeSet(n)}
	d.none.Take(d.none.AppendTo(nil))
	for i, a := range specs {
		plan := c.Spec
		plan.Allocator = a
		alloc, err := s.NewAllocator(&plan, machine, 0)
		if err != nil {
			return nil, err
		}
		x := &decider{alloc: alloc, free: allocation.NewFreeSet(n), held: map[string]holding{}}
		if d.named {
			x.name = string(appendJSON(nil, c.Allocators[i]))
		}
		d.deciders = append(d.deciders, x)
	}
	order, err := s.Order(&c.Spec, c.spanOrder(specs), machine)
	if err != nil {
		return nil, &spec.InputError{Where: "--order " + c.Order, Problem: err.Error()}
	}
	d.meter = cosim.NewPlacementMeter(machine, order)
	return d, nil
}

// specs are the allocators, none of them twice: answers go by their names.
func (c *DecisionConfig) specs(names spec.Names) ([]spec.AllocatorSpec, error) {
	if err := c.Spec.Machine.Check(); err != nil {
		return nil, err
	}
	if len(c.Allocators) == 0 {
		if err := c.Spec.Allocator.Check(); err != nil {
			return nil, err
		}
		return []spec.AllocatorSpec{c.Spec.Allocator}, nil
	}
	var specs []spec.AllocatorSpec
	for _, short := range c.Allocators {
		a, err := spec.ParseAllocator(short, names)
		if err != nil {
			return nil, experiments.InFlag(err, "--allocator "+short)
		}
		if i := slices.Index(specs, a); i >= 0 {
			return nil, &spec.InputError{Where: "--allocator " + short,
				Problem: "the same as --allocator " +
					c.Allocators[i], Right: "give each allocator once"}
		}
		specs = append(specs, a)
	}
	return specs, nil
}

// spanOrder is the order spans are measured along.
func (c *DecisionConfig) spanOrder(specs []spec.AllocatorSpec) string {
	for _, a := range specs {
		if order := a.Config().Order; c.Order == "" && order != "" {
			return order
		}
	}
	return cmp.Or(c.Order, allocation.RowMajor)
}

// Answer appends the answer to a line, without an end of line, and reports
// whether the line was good. It never fails otherwise.
func (d *Decisions) Answer(dst, line []byte) (answer []byte, good bool) {
	d.line++
	r := &d.request
	err := r.read(line, d.nodes)
	if err == nil {
		err = d.prepare(r)
	}
	dst = append(dst, '{')
	if r.id != nil {
		dst = append(append(append(dst, `"id":`...), r.id...), ',')
	}
	if err != nil {
		return append(d.appendError(dst, err), '}'), false
	}
	if !d.named {
		dst, good = d.appendAnswer(dst, d.deciders[0])
		return append(dst, '}'), good
	}
	dst, good = append(dst, `"allocators":{`...), true
	for i, x := range d.deciders {
		if i > 0 {
			dst = append(dst, ',')
		}
		ok := false
		dst, ok = d.appendAnswer(append(append(dst, x.name...), `:{`...), x)
		dst, good = append(dst, '}'), good && ok
	}
	return append(dst, "}}"...), good
}

// prepare makes the machine as the request describes it, or looks up its job.
func (d *Decisions) prepare(r *decisionRequest) error {
	switch r.kind {
	case askFree, askBusy:
		return d.load(r)
	case askRelease:
		if !slices.ContainsFunc(d.deciders, func(x *decider) bool {
			_, ok := x.held[r.job]
			return ok
		}) {
			return fmt.Errorf("the job %s has no nodes: release what was allocated, once", r.job)
		}
	case askAllocate:
		if !slices.ContainsFunc(d.deciders, func(x *decider) bool {
			_, ok := x.held[r.job]
			return !ok
		}) {
			return fmt.Errorf(
				"the job %s has its nodes already: release them, or give another name", r.job)
		}
	}
	return nil
}

// load fills the set of free nodes.
func (d *Decisions) load(r *decisionRequest) error {
	if r.kind == askFree {
		d.free.Copy(d.none)
	} else {
		d.free.Fill()
	}
	for i, n := range r.nodes {
		switch free := d.free.Free(n); {
		case free == (r.kind == askFree):
			return fmt.Errorf("node %d stands twice in %s: give each once", n, r.kind)
		case free:
			d.free.Take(r.nodes[i : i+1])
		default:
			d.free.Release(r.nodes[i : i+1])
		}
	}
	return nil
}

// mostLine is the most bytes a line may have: a list of all nodes, generously
// spaced, and as much again for names as anybody needs.
func (d *Decisions) mostLine() int { return 1<<20 + 16*d.nodes }

// Serve answers line after line until the input ends, each answer with one
// write, so that a program may wait for it. Empty lines are passed over. Bad
// lines are answered too; that there were any is an InputError at the end, or
// at once where the configuration is strict.
func (d *Decisions) Serve(in io.Reader, out io.Writer) error {
	lines := spec.NewLineReader(in, d.mostLine())
	var answer []byte
	bad := 0
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, spec.ErrLongLine) {
			return err
		}
		good := false
		switch {
		case err != nil:
			d.line++
			answer = append(d.appendError(append(answer[:0], '{'),
				fmt.Errorf("the line has more than %d bytes", d.mostLine())), '}')
		case len(bytes.TrimSpace(line)) == 0:
			d.line++
			continue
		default:
			answer, good = d.Answer(answer[:0], line)
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
		if good {
			continue
		}
		if bad++; d.strict {
			return &spec.InputError{Where: fmt.Sprintf("line %d", d.line),
				Problem: "not to be answered", Right: "the answer says why; without --strict, " +
					"later lines are answered too"}
		}
	}
	if bad > 0 {
		return &spec.InputError{Problem: fmt.Sprintf("%d of %d lines could not be answered", bad,
			d.line), Right: `their answers say why, under "error"`}
	}
	return nil
}
