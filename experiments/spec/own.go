package spec

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/allocation/order"
	"contend/experiments/spec/input"
	"contend/patterns"
)

// What a study names and the program does not have built in is kept in specs by
// the canonical text of its call, such as corner:from=2, and looked up in the
// registry that the spec carries.

// registered returns the registry, or that of the unchanged program for nil.
func (r *Registry) registered() *Registry {
	if r == nil {
		return builtin()
	}
	return r
}

// builtin is the registry of the unchanged program.
var builtin = sync.OnceValue(Builtin)

// named returns the thing that a call names, nil if there is none.
func named[T any](list []T, call string, name func(*T) string) *T {
	called := nameOf(call) // without a list of all: it is asked for every key of every point
	for i := range list {
		if name(&list[i]) == called {
			return &list[i]
		}
	}
	return nil
}

func (r *Registry) allocator(call string) *Allocator {
	return named(r.registered().Allocators, call, func(a *Allocator) string { return a.Name })
}

func (r *Registry) pattern(call string) *Pattern {
	return named(r.registered().Patterns, call, func(p *Pattern) string { return p.Name })
}

func (r *Registry) topology(call string) *Topology {
	return named(r.registered().Topologies, call, func(t *Topology) string { return t.Name })
}

func (r *Registry) routing(call string) *Routing {
	return named(r.registered().Routings, call, func(x *Routing) string { return x.Name })
}

func (r *Registry) policy(call string) *Policy {
	return named(r.registered().Policies, call, func(p *Policy) string { return p.Name })
}

// parametersOf returns the name and the parameters of what a call of one table names.
func (r *Registry) parametersOf(table, call string) (name string, list []Parameter, ok bool) {
	switch table {
	case "allocators":
		if a := r.allocator(call); a != nil {
			return a.Name, a.Parameters, true
		}
	case "patterns":
		if p := r.pattern(call); p != nil {
			return p.Name, p.Parameters, true
		}
	case "topologies":
		if t := r.topology(call); t != nil {
			return t.Name, t.Parameters, true
		}
	case "routings":
		if x := r.routing(call); x != nil {
			return x.Name, x.Parameters, true
		}
	case "schedulers":
		if p := r.policy(call); p != nil {
			return p.Name, p.Parameters, true
		}
	}
	return "", nil, false
}

// canonical returns the canonical text of a call, and the text itself if it names nothing or
// something whose parameters are keys.
func (r *Registry) canonical(table, call string) (string, *input.Error) {
	name, parameters, ok := r.parametersOf(table, call)
	if !ok || areKeys(parameters) {
		return call, nil
	}
	_, rest, colon := strings.Cut(call, ":")
	if colon && rest == "" {
		return call, input.Bad("", "leave out the colon, or give parameters",
			"%s has nothing after its colon", name)
	}
	v, err := parseValues(name, parameters, rest)
	return v.String(), err
}

// values returns the parameters of a call, those that are keys as the spec has them.
func (s *Spec) values(call string, parameters []Parameter) Values {
	name, rest, _ := strings.Cut(call, ":")
	if areKeys(parameters) {
		rest = ""
	}
	v, err := parseValues(name, parameters, rest)
	if err != nil {
		panic("spec: " + err.Error()) // it was checked when it was read
	}
	for i, p := range parameters {
		if p.key != nil {
			v.list[i] = plainValue(p.key.value(s))
		}
	}
	return v
}

// plainValue returns a field of a spec with the type that values have.
func plainValue(field reflect.Value) any {
	switch {
	case field.CanInt():
		return field.Int()
	case field.CanFloat():
		return field.Float()
	}
	return field.Interface()
}

// canonicalMix does so for each part of a mix of patterns.
func (r *Registry) canonicalMix(text string) (string, *input.Error) {
	if r == nil {
		return text, nil
	}
	mix, err := ParseMix(text)
	if err != nil {
		return text, nil // the check of names says why
	}
	var parts []string
	written := false // with parameters of a part
	for _, w := range mix {
		call, err := r.canonical("patterns", w.Label())
		if err != nil {
			return text, err
		}
		p := r.pattern(w.Name)
		written = written || p != nil && !areKeys(p.Parameters)
		if w.Weight != 1 {
			call += ":" + valueText(w.Weight)
		}
		parts = append(parts, call)
	}
	if !written {
		return text, nil
	}
	return strings.Join(parts, "+"), nil
}

// NewAllocator makes the allocator of a configuration.
func (r *Registry) NewAllocator(
	c byname.Config, s allocation.Site,
) (allocation.Allocator, error) {
	a := r.allocator(c.Name)
	if a == nil || areKeys(a.Parameters) {
		return byname.NewAt(c, s)
	}
	if !a.Draws {
		s.Stream = nil
	}
	if s.Order == nil {
		s.Order = order.New
	}
	made, err := a.New(new(Spec).values(c.Name, a.Parameters), s)
	if err == nil && made == nil {
		err = errNothing
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("allocator %s: %w", a.Name, err)
	case a.CountDecides && !allocation.CountDecides(made):
		return counting{made}, nil
	case !a.CountDecides && allocation.CountDecides(made):
		return nil, fmt.Errorf("allocator %s: its method CountDecides says true:"+
			" set CountDecides in the registry too", a.Name)
	}
	return made, nil
}

// errNothing is the error of a New that returns neither a value nor an error.
var errNothing = errors.New("its New returned nothing")

// counting is an allocator of which the registry says that counts decide.
type counting struct{ allocation.Allocator }

// CountDecides implements allocation.Counting.
func (counting) CountDecides() bool { return true }

// countDecides reports whether the number of free nodes alone decides what the
// allocator of the spec can place.
func (s *Spec) countDecides() bool {
	if a := s.Registry.allocator(s.Allocator.Name); !areKeys(a.Parameters) {
		return a.CountDecides
	}
	return s.Allocator.Config().CountDecides()
}

// CheckAllocator refuses parameters of the allocator that are out of bounds.
func (s *Spec) CheckAllocator() *input.Error {
	if a := s.Registry.allocator(s.Allocator.Name); !areKeys(a.Parameters) {
		return nil // Assign looked at them
	}
	return s.Allocator.Check()
}

// drawsPlaces reports whether an allocator draws.
func (s *Spec) drawsPlaces(call string) bool {
	a := s.Registry.allocator(call)
	return a != nil && a.Draws
}

// DecisionAllocator is the allocator of scheduler.decision.
func (s *Spec) DecisionAllocator() (byname.Config, error) {
	a := s.Registry.allocator(s.Scheduler.Decision)
	if a != nil && !areKeys(a.Parameters) {
		return byname.Config{Name: s.Scheduler.Decision}, nil
	}
	return byname.Parse(s.Scheduler.Decision)
}

// checkPart refuses parameters behind the name of a pattern that has keys.
func (r *Registry) checkPart(path string, w Weighted) *input.Error {
	p := r.pattern(w.Name)
	if w.Parameters == "" || p != nil && !areKeys(p.Parameters) {
		return nil
	}
	return input.Bad(path, "the keys of [job] are the parameters of built-in patterns",
		"%s is %q, where %s has no parameters of its own", path, w.Label(), w.Name)
}

// SetPattern makes a configuration use a pattern whose parameters are no keys, if the part of
// the mix names one.
func (r *Registry) SetPattern(c *patterns.Config, w Weighted) {
	p := r.pattern(w.Name)
	if p == nil || areKeys(p.Parameters) {
		return
	}
	v := new(Spec).values(w.Label(), p.Parameters)
	c.Name, c.OwnDraws = w.Label(), p.Draws
	c.Own = func(n int, shape []int, flits int32, stream *rand.Rand) (patterns.Pattern, error) {
		if !p.Draws {
			stream = nil
		}
		made, err := p.New(v, PatternJob{Processes: n, Shape: shape, Flits: flits, Stream: stream})
		if err == nil && made == nil {
			err = errNothing
		}
		if err != nil {
			return nil, fmt.Errorf("pattern %s: %w", p.Name, err)
		}
		if p.OwnLengths {
			flits = 0
		}
		return patterns.Guarded(made, p.Name, n, flits), nil
	}
}

// uses reports whether a pattern uses a field of patterns.Config.
func (r *Registry) uses(w Weighted, field string) bool {
	if p := r.pattern(w.Name); p != nil && !areKeys(p.Parameters) {
		return field == "flits" || field == "cut" || field == "compute_cycles"
	}
	return patterns.Uses(w.Name, field)
}

// oneLength reports whether all messages of a pattern have the length job.flits.
func (r *Registry) oneLength(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && !p.OwnLengths
}

// drawsPartners reports whether a pattern draws.
func (r *Registry) drawsPartners(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && p.Draws
}
