package spec

import (
	"fmt"
	"strings"
	"sync"

	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes"
)

// fromKeys reports whether keys of [machine] describe the machine, and not the name of its
// topology with the parameters behind.
func (s *Spec) fromKeys() bool {
	t := s.Registry.topology(s.Machine.Topology)
	return t == nil || areKeys(t.Parameters)
}

// NewMachine builds the machine that a spec describes. One that no keys describe is made
// once.
func (r *Registry) NewMachine(m *machine.Spec) (machine.Machine, error) {
	t := r.topology(m.Topology)
	if t == nil || areKeys(t.Parameters) {
		return machine.New(m)
	}
	if made, ok := r.machines.Load(m.Topology); ok {
		return made.(machine.Machine), nil
	}
	made, err := t.New(new(Spec).values(m.Topology, t.Parameters))
	if err == nil && made == nil {
		err = errNothing
	}
	if err == nil {
		err = topology.Check(made)
	}
	var built machine.Machine
	if err == nil {
		built, err = machine.WithDistances(made)
	}
	if err != nil {
		return nil, FieldTopology.Refuse(fmt.Errorf("topology %s: %w", m.Topology, err))
	}
	first, _ := r.machines.LoadOrStore(m.Topology, built)
	return first.(machine.Machine), nil
}

// CheckMachine refuses keys of [machine] that contradict each other.
func (s *Spec) CheckMachine() *input.Error {
	if s.fromKeys() {
		return s.Machine.Check()
	}
	_, err := s.Registry.NewMachine(&s.Machine)
	if bad, is := err.(*input.Error); is {
		return bad
	}
	return nil
}

// machineName returns the topology and the size of a machine, as Plan has them. The size of
// one that no keys describe are the values of its parameters, as a study writes them.
func (r *Registry) machineName(m *machine.Spec, machine machine.Machine) (name, size string) {
	t := r.topology(m.Topology)
	if areKeys(t.Parameters) {
		return m.Topology, m.Size()
	}
	v := new(Spec).values(m.Topology, t.Parameters)
	var parts []string
	for i, p := range t.Parameters {
		parts = append(parts, p.Name+"="+valueText(v.list[i]))
	}
	if parts == nil {
		parts = []string{fmt.Sprintf("%d nodes", machine.Nodes())}
	}
	return t.Name, strings.Join(parts, ",")
}

// routing returns what network.routing stands for on a topology that is not built
// in: there auto is the first of its routings.
func (s *Spec) routing() string {
	t := s.Registry.topology(s.Machine.Topology)
	if s.Network.Routing != "auto" || t == nil || areKeys(t.Parameters) {
		return s.Network.Routing
	}
	call, _ := s.Registry.canonical("routings", t.Routings[0])
	return call
}

// makers returns what makes routings by name, with that of a call under the text of
// the call; nil where all of them are built in.
func (r *Registry) makers(call string) []router.Maker {
	if r == nil {
		return nil
	}
	list := routes.Builtin()
	for i := range r.Routings {
		if x := &r.Routings[i]; x.New != nil {
			name := x.Name
			if nameOf(call) == name {
				name = call
			}
			list = append(list, r.maker(x, name))
		}
	}
	return list
}

func (r *Registry) maker(x *Routing, call string) router.Maker {
	v := new(Spec).values(call, x.Parameters)
	made := func(w *router.Wiring, seed uint64) (router.Routing, error) {
		if !x.Draws {
			seed = 0
		}
		made, err := x.New(v, w, w.Topology, seed)
		switch {
		case err != nil:
			return nil, fmt.Errorf("routing %s: %w", call, err)
		case made == nil:
			return nil, fmt.Errorf("routing %s: %w", call, errNothing)
		}
		return made, nil
	}
	return router.Maker{Name: call, Doc: x.Doc, Suits: x.Suits,
		VirtualChannels: x.VirtualChannels, New: made}
}

// route is a machine and a routing.
type route struct {
	machine Identity
	routing string
}

// builtinNeeds holds the virtual channels that built-in routings need on built-in machines, by
// route: lash has to lay all paths to know its number.
var builtinNeeds sync.Map

// neededChannels returns how many virtual channels the routing needs, and false
// on grids and trees with routings that are built in. Whether keys act hangs on it, so that it
// is asked often.
func (s *Spec) neededChannels() (int, bool) {
	call := s.routing()
	if x := s.Registry.routing(call); (x == nil || x.New == nil) && (s.Machine.IsGrid() ||
		s.Machine.Topology == "tree") {
		return 0, false
	}
	known, key := &builtinNeeds, route{identityOf(s.Machine), call}
	if s.Registry != nil {
		known = &s.Registry.needs
	}
	if n, ok := known.Load(key); ok {
		return n.(int), true
	}
	built, err := s.Registry.NewMachine(&s.Machine)
	if err != nil {
		return 1, true // CheckMachine says so
	}
	c := netsim.Config{Topology: machine.Unwrap(built), Routing: call, Routes: s.Registry.makers(call)}
	c, _ = c.Resolved() // what is wrong with the rest of it does not matter
	known.Store(key, c.VirtualChannels)
	return c.VirtualChannels, true
}

// ownChannels returns how many virtual channels a link has, and false on grids and trees with
// routings that are built in.
func (s *Spec) ownChannels() (int, bool) {
	needed, own := s.neededChannels()
	if n := s.Network.VirtualChannels; own && n > 0 {
		return n, true
	}
	return needed, own
}

// checkChannels refuses fewer virtual channels than a routing needs, where neededChannels
// says it.
func (s *Spec) checkChannels() *input.Error {
	needed, known := s.neededChannels()
	if !known {
		needed, _, known = s.classedRouting()
	}
	n := s.Network.VirtualChannels
	if !known || !messages.Holds(s) || n == 0 || n >= needed {
		return nil
	}
	return FieldVirtualChannels.Bad(
		fmt.Sprintf("give at least %d, or 0 for as many as the routing needs", needed),
		"%s is %d, and the routing %s needs %d", FieldVirtualChannels, n, s.routing(), needed)
}

// drawsRoutes reports whether the routing draws.
func (s *Spec) drawsRoutes() bool {
	call := s.routing()
	if x := s.Registry.routing(call); x != nil && x.New != nil {
		return x.Draws
	}
	if !s.fromKeys() {
		return call == "balanced-dateline" || draws(call)
	}
	return draws(call) || s.drawsWaysRound()
}
