package config

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"contend/allocation"
	"contend/allocation/order"
	"contend/internal/call"
	"contend/internal/input"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
)

// errNothing is the error for a New that returns neither a value nor an error.
var errNothing = errors.New("its New returned nothing")

// refused returns the error of a New, or errNothing, behind the name of the entry unless the error
// names a key.
func refused(what, name string, nothing bool, err error) error {
	if err == nil && nothing {
		err = errNothing
	}
	if bad := (*input.Error)(nil); err == nil || errors.As(err, &bad) ||
		strings.HasPrefix(err.Error(), what) {
		return err
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}

// NewAllocator makes the allocator of a call.
func (r *Registry) NewAllocator(text string, s allocation.Site) (allocation.Allocator, error) {
	a, v := r.allocator(text), r.values("allocators", text)
	if !a.Draws {
		s.Stream = nil
	}
	if s.Order == nil {
		s.Order = order.New
	}
	made, err := a.New(v, s)
	if err = refused("allocator", a.Name, made == nil, err); err != nil {
		return nil, err
	}
	switch decides := a.DecidesByCount(v); {
	case decides && !allocation.CountDecides(made):
		return counting{made}, nil
	case !decides && allocation.CountDecides(made):
		return nil, fmt.Errorf("allocator %s: its method CountDecides says true:"+
			" set CountDecides in the registry too", a.Name)
	}
	return made, nil
}

// counting is an allocator whose registry entry says that counts decide.
type counting struct{ allocation.Allocator }

// CountDecides implements allocation.Counting.
func (counting) CountDecides() bool { return true }

// countDecides reports whether the allocator refuses jobs by the number of free nodes alone.
func (s *Spec) countDecides() bool {
	a := s.Registry.allocator(s.Allocator)
	return a.DecidesByCount(s.Registry.values("allocators", s.Allocator))
}

// OrderOf returns the parameter order of an allocator, "" if it has none.
func (r *Registry) OrderOf(text string) string {
	return r.values("allocators", text).TextOf("order")
}

// Suiting returns the names of the allocators that support a machine. It does not make those that
// support every machine: some of them measure it for long.
func (r *Registry) Suiting(machine topology.Topology) (names []string) {
	for _, a := range r.registered().Allocators {
		if a.ByHops {
			names = append(names, a.Name)
			continue
		}
		v, bad := call.Parse(a.Name, a.Parameters)
		site := allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(0, 0))}
		if bad != nil {
			continue
		}
		if _, err := a.New(v, site); err == nil {
			names = append(names, a.Name)
		}
	}
	return names
}

// drawsPlaces reports whether an allocator draws nodes at random.
func (s *Spec) drawsPlaces(text string) bool {
	a := s.Registry.allocator(text)
	return a != nil && a.Draws
}

// setPattern makes a configuration use the New, the Tasks or the program of a pattern, if the part
// of the mix has one.
func (s *Spec) setPattern(c *patterns.Config, w Weighted) {
	r := s.Registry
	p := r.pattern(w.Name)
	switch {
	case p == nil:
		return
	case p.Tasks != nil:
		s.setTasks(c, w)
		return
	case p.program != nil:
		s.setProgram(c, w)
		return
	case p.New == nil:
		return
	}
	v := r.values("patterns", w.Label())
	c.Name, c.OwnDraws = w.Label(), p.Draws
	c.Own = func(n int, shape []int, flits int32, stream *rand.Rand) (patterns.Pattern, error) {
		if !p.Draws {
			stream = nil
		}
		made, err := p.New(v, PatternJob{Processes: n, Shape: shape, Flits: flits, Stream: stream})
		if err = refused("pattern", p.Name, made == nil, err); err != nil {
			return nil, err
		}
		if p.OwnLengths {
			flits = 0
		}
		return patterns.Guarded(made, p.Name, n, flits), nil
	}
}

// uses reports whether a pattern uses a field of patterns.Config.
func (r *Registry) uses(w Weighted, field string) bool {
	switch p := r.pattern(w.Name); {
	case p != nil && p.Tasks != nil:
		return slices.Contains([]string{"scale", "flit_bytes", "pad_flits", "rendezvous_bytes"}, field)
	case p != nil && p.program != nil: // compute_cycles acts on phases, rendezvous_bytes on tasks
		return slices.Contains([]string{"scale", "flit_bytes", "pad_flits", "rendezvous_bytes",
			"compute_cycles"}, field)
	case p != nil && p.New != nil:
		return field == "flits" || field == "cut" || field == "compute_cycles"
	}
	return patterns.Uses(w.Name, field)
}

// oneLength reports whether all messages of a pattern have the length job.flits.
func (r *Registry) oneLength(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && !p.OwnLengths && p.Tasks == nil && p.program == nil
}

// ownSizes reports whether all messages of a pattern have sizes in bytes.
func (r *Registry) ownSizes(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && (p.Tasks != nil || p.program != nil) || patterns.OwnSizes(w.Name)
}

// drawsPartners reports whether a pattern draws destinations at random.
func (r *Registry) drawsPartners(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && p.Draws
}

// drawsSlow reports whether a pattern draws which ranks are slow.
func (r *Registry) drawsSlow(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && p.DrawsWith != nil &&
		p.DrawsWith(r.values("patterns", w.Label()))
}

// lastIdentity is the machine whose identity was computed last.
type lastIdentity struct {
	machine MachineSpec
	id      Identity
}

// identity returns identityOf for a machine. It remembers the last one: points in a row mostly have
// the same machine, and comparing takes a tenth of the time of writing.
func (r *Registry) identity(m *MachineSpec) Identity {
	if last := r.latest.Load(); last != nil && reflect.DeepEqual(&last.machine, m) {
		return last.id
	}
	id := identityOf(*m)
	r.latest.Store(&lastIdentity{*m, id})
	return id
}

// NewMachine builds the machine that a spec describes, once for all specs.
func (r *Registry) NewMachine(m *MachineSpec) (Machine, error) {
	r = r.registered()
	id := r.identity(m)
	if made, ok := r.machines.Load(id); ok {
		return made.(Machine), nil
	}
	t := r.topology(m.Topology)
	if t == nil {
		return NewMachine(m)
	}
	made, err := t.make(m, r)
	if err = refused("topology", m.Topology, made == nil, err); err == nil && !t.Sound {
		err = refused("topology", m.Topology, false, topology.Check(made))
	}
	built, counts := made.(Machine)
	if err == nil && !(t.Sound && counts) {
		built, err = topology.WithDistances(made)
		err = refused("topology", m.Topology, false, err)
	}
	if bad := (*input.Error)(nil); err != nil && !errors.As(err, &bad) {
		err = FieldTopology.Refuse(err)
	}
	if err != nil {
		return nil, err
	}
	first, _ := r.machines.LoadOrStore(id, built)
	return first.(Machine), nil
}

// make builds the machine of a spec.
func (t *Topology) make(m *MachineSpec, r *Registry) (topology.Topology, error) {
	if t.newFromKeys != nil {
		return t.newFromKeys(m)
	}
	return t.New(r.values("topologies", m.Topology))
}

// CheckMachine refuses keys of [machine] that contradict each other.
func (s *Spec) CheckMachine() *input.Error {
	_, err := s.Registry.NewMachine(&s.Machine)
	bad, _ := err.(*input.Error)
	return bad
}

// machineName returns Topology and Size of a plan.
func (s *Spec) machineName(built Machine) (name, size string) {
	t := s.Registry.topology(s.Machine.Topology)
	if t.sizeFromKeys != nil {
		return t.Name, t.sizeFromKeys(&s.Machine)
	}
	v := s.Registry.values("topologies", s.Machine.Topology)
	if t.Size != nil {
		return t.Name, t.Size(v)
	}
	var parts []string
	for _, p := range t.Parameters {
		parts = append(parts, p.Name+"="+v.TextOf(p.Name))
	}
	if parts == nil {
		parts = []string{fmt.Sprintf("%d nodes", built.Nodes())}
	}
	return t.Name, strings.Join(parts, ",")
}

// routing returns the routing of the spec: auto is the first routing of its topology.
func (s *Spec) routing() string {
	t := s.Registry.topology(s.Machine.Topology)
	if s.Network.Routing != "auto" || t == nil {
		return s.Network.Routing
	}
	text, _ := s.Registry.canonical("routings", t.Routings[0])
	return text
}

// makers lists the makers of all routings. The maker of the routing that text calls is named text.
func (r *Registry) makers(text string) (list []router.Maker) {
	for i := range r.registered().Routings {
		x := &r.registered().Routings[i]
		list = append(list, x.Makers...)
		switch {
		case x.New == nil:
		case call.Name(text) == x.Name:
			list = append(list, r.maker(x, text))
		default:
			list = append(list, r.maker(x, x.Name))
		}
	}
	return list
}

// maker returns the maker of a call of a routing that is not built in.
func (r *Registry) maker(x *Routing, text string) router.Maker {
	v := r.values("routings", text)
	made := func(w *router.Wiring, seed uint64) (router.Routing, error) {
		if !x.Draws {
			seed = 0
		}
		made, err := x.New(v, w, w.Topology, seed)
		return made, refused("routing", text, made == nil, err)
	}
	return router.Maker{Name: text, Doc: x.Doc, Suits: x.Suits, Draws: x.Draws, Flows: x.Flows,
		VirtualChannels: x.VirtualChannels, New: made}
}
