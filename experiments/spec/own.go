package spec

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/allocation/order"
	"contend/patterns"
)

// What a study names and the program does not have built in is kept in specs by
// the canonical text of its call, such as corner:from=2, and looked up in the
// registry that the spec carries.

// find returns the entry that a call of one table names, if it is not built in.
func (r *Registry) find(table, call string) (entry, bool) {
	if r == nil {
		return entry{}, false
	}
	name, _, _ := strings.Cut(call, ":")
	switch table { // without a list of all: it is asked for every key of every point
	case "allocators":
		for i := range r.Allocators {
			if x := &r.Allocators[i]; x.Name == name && !x.builtin {
				return entry{table: table, name: name, parameters: x.Parameters}, true
			}
		}
	case "patterns":
		for i := range r.Patterns {
			if x := &r.Patterns[i]; x.Name == name && !x.builtin {
				return entry{table: table, name: name, parameters: x.Parameters}, true
			}
		}
	case "topologies":
		for i := range r.Topologies {
			if x := &r.Topologies[i]; x.Name == name && !x.builtin {
				return entry{table: table, name: name, parameters: x.Parameters}, true
			}
		}
	case "routings":
		for i := range r.Routings {
			if x := &r.Routings[i]; x.Name == name && !x.builtin {
				return entry{table: table, name: name, parameters: x.Parameters}, true
			}
		}
	case "schedulers":
		for i := range r.Policies {
			if x := &r.Policies[i]; x.Name == name && !x.builtin {
				return entry{table: table, name: name, parameters: x.Parameters}, true
			}
		}
	}
	return entry{}, false
}

// values returns the parameters of a call, which was checked when it was read.
func (e *entry) values(call string) Values {
	_, rest, _ := strings.Cut(call, ":")
	v, err := parseValues(e.name, e.parameters, rest)
	if err != nil {
		panic("spec: " + err.Error())
	}
	return v
}

// canonical returns the canonical text of a call, and true if the call names something
// that is not built in.
func (r *Registry) canonical(table, call string) (string, bool, *InputError) {
	e, own := r.find(table, call)
	if !own {
		return call, false, nil
	}
	_, rest, colon := strings.Cut(call, ":")
	if colon && rest == "" {
		return call, true, BadInput("", "leave out the colon, or give parameters",
			"%s has nothing after its colon", e.name)
	}
	v, err := parseValues(e.name, e.parameters, rest)
	return v.String(), true, err
}

// canonicalMix does so for each part of a mix of patterns.
func (r *Registry) canonicalMix(text string) (string, *InputError) {
	if r == nil {
		return text, nil
	}
	mix, err := ParseMix(text)
	if err != nil {
		return text, nil // the check of names says why
	}
	var parts []string
	owned := false
	for _, w := range mix {
		call, own, err := r.canonical("patterns", w.Label())
		if err != nil {
			return text, err
		}
		owned = owned || own
		if w.Weight != 1 {
			call += ":" + valueText(w.Weight)
		}
		parts = append(parts, call)
	}
	if !owned {
		return text, nil
	}
	return strings.Join(parts, "+"), nil
}

// allocator returns the allocator that a name of a spec calls.
func (r *Registry) allocator(call string) (*Allocator, Values, bool) {
	e, own := r.find("allocators", call)
	if !own {
		return nil, Values{}, false
	}
	i := slices.IndexFunc(r.Allocators, func(a Allocator) bool { return a.Name == e.name })
	return &r.Allocators[i], e.values(call), true
}

// NewAllocator makes the allocator of a configuration, built in or not.
func (r *Registry) NewAllocator(
	c byname.Config, s allocation.Site,
) (allocation.Allocator, error) {
	a, v, own := r.allocator(c.Name)
	if !own {
		return byname.NewAt(c, s)
	}
	if !a.Draws {
		s.Stream = nil
	}
	if s.Order == nil {
		s.Order = order.New
	}
	made, err := a.New(v, s)
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
	if a, _, own := s.Registry.allocator(s.Allocator.Name); own {
		return a.CountDecides
	}
	return s.Allocator.countDecides()
}

// CheckAllocator refuses parameters of the allocator that are out of bounds.
func (s *Spec) CheckAllocator() *InputError {
	if _, _, own := s.Registry.allocator(s.Allocator.Name); own {
		return nil // Assign looked at them
	}
	return s.Allocator.Check()
}

// drawsPlaces reports whether an allocator draws.
func (s *Spec) drawsPlaces(name string) bool {
	if a, _, own := s.Registry.allocator(name); own {
		return a.Draws
	}
	return byname.Draws(name)
}

// DecisionAllocator is the allocator of scheduler.decision.
func (s *Spec) DecisionAllocator() (byname.Config, error) {
	if _, _, own := s.Registry.allocator(s.Scheduler.Decision); own {
		return byname.Config{Name: s.Scheduler.Decision}, nil
	}
	return byname.Parse(s.Scheduler.Decision)
}

// policy returns the policy that a name of a spec calls.
func (r *Registry) policy(call string) (*Policy, Values, bool) {
	e, own := r.find("schedulers", call)
	if !own {
		return nil, Values{}, false
	}
	i := slices.IndexFunc(r.Policies, func(p Policy) bool { return p.Name == e.name })
	return &r.Policies[i], e.values(call), true
}

// pattern returns the pattern that a part of a mix calls.
func (r *Registry) pattern(w Weighted) (*Pattern, Values, bool) {
	e, own := r.find("patterns", w.Name)
	if !own {
		return nil, Values{}, false
	}
	i := slices.IndexFunc(r.Patterns, func(p Pattern) bool { return p.Name == e.name })
	return &r.Patterns[i], e.values(w.Label()), true
}

// checkPart refuses parameters of a pattern that is built in: it has keys.
func (r *Registry) checkPart(path string, w Weighted) *InputError {
	if _, own := r.find("patterns", w.Name); own || w.Parameters == "" {
		return nil
	}
	return BadInput(path, "the keys of [job] are the parameters of built-in patterns",
		"%s is %q, where %s has no parameters of its own", path, w.Label(), w.Name)
}

// SetPattern makes a configuration use a pattern that is not built in, if the part of
// the mix names one.
func (r *Registry) SetPattern(c *patterns.Config, w Weighted) {
	p, v, own := r.pattern(w)
	if !own {
		return
	}
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
	_, _, own := r.pattern(w)
	if !own {
		return patterns.Uses(w.Name, field)
	}
	return field == "flits" || field == "cut" || field == "compute_cycles"
}

// oneLength reports whether all messages of a pattern have the length job.flits.
func (r *Registry) oneLength(w Weighted) bool {
	if p, _, own := r.pattern(w); own {
		return !p.OwnLengths
	}
	return patterns.OneLength(w.Name)
}

// drawsPartners reports whether a pattern draws.
func (r *Registry) drawsPartners(w Weighted) bool {
	if p, _, own := r.pattern(w); own {
		return p.Draws
	}
	return patterns.Draws(w.Name)
}
