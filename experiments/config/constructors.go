package config

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"

	"contend/allocation"
	"contend/allocation/order"
	"contend/internal/call"
	"contend/internal/input"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
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

// make builds the machine of a spec.
func (t *Topology) make(m *MachineSpec, r *Registry) (topology.Topology, error) {
	if t.newFromKeys != nil {
		return t.newFromKeys(m)
	}
	return t.New(r.values("topologies", m.Topology))
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

// MachineKeys returns the keys that a value of machine.topology sets: a topology and its size, such
// as mesh:16x16, torus:8x8x4, hypercube:6 or, arity by levels, tree:4x4, and tree:4x4:2 with two
// ports up; fat-tree:4x4x4:2:b2r2, dragonfly:a4h2p2g9, hyperx:4x4:p4w2 and graph:FILE. A topology
// without a size has the default size of its keys. The value of an entry with parameters is its
// call, such as ring-of-rings:rings=4,size=8.
func (r *Registry) MachineKeys(short string) (map[string]any, *input.Error) {
	name, size, sized := strings.Cut(short, ":")
	keys := map[string]any{"machine.topology": name}
	if e, ok := r.find("topologies", name); ok && e.section == "" {
		text, err := r.canonical("topologies", short)
		if err != nil {
			err.Key = string(FieldTopology)
			return nil, err
		}
		keys["machine.topology"] = text
		return keys, nil
	} else if !ok {
		var names []string
		for _, x := range r.registered().Topologies {
			names = append(names, x.Name)
		}
		return nil, FieldTopology.Bad(input.OneOf(name, names), "machine.topology is %q", name)
	}
	if !sized {
		return keys, nil
	}
	set := MachineKeys(name, size)
	if set == nil {
		return nil, FieldTopology.Bad("give "+MachineExample(name), "%q is not the size of a %s", size,
			name)
	}
	maps.Copy(keys, set)
	return keys, nil
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

// NewPolicy makes the policy of a spec for a run.
func (s *Spec) NewPolicy(r PolicyRun) (scheduler.Policy, error) {
	p := s.Registry.policy(s.Scheduler.Policy)
	if p.newFromKeys != nil {
		return p.newFromKeys(&s.Scheduler), nil
	}
	made, err := p.New(s.Registry.values("schedulers", s.Scheduler.Policy), r)
	if err == nil && made == nil {
		err = errNothing
	}
	if bad := (*input.Error)(nil); err == nil || errors.As(err, &bad) {
		return made, err
	}
	return nil, input.Bad("scheduler.policy", "",
		"scheduler.policy is %s: %v", s.Scheduler.Policy, err)
}

// identityOf returns the identity of a section of a spec. It quotes texts: lines of graphs have
// blanks in them.
func identityOf(section any) Identity { return Identity(fmt.Sprintf("%#v", section)) }
