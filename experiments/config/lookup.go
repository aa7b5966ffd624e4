package config

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/input"
)

// A spec holds what a study names as the canonical text of a call, such as corner:from=2. The
// registry of the spec has its entry.

// registered returns the registry, or that of the unchanged program for nil.
func (r *Registry) registered() *Registry {
	if r == nil {
		return builtin()
	}
	return r
}

// builtin is the registry of the unchanged program.
var builtin = sync.OnceValue(Builtin)

// named returns the entry that a call names in one table, nil if there is none.
func named[T any](r *Registry, table, text string) *T {
	e, _ := r.find(table, text)
	found, _ := e.of.(*T)
	return found
}

// allocator returns the entry of an allocator that a call names, or nil.
func (r *Registry) allocator(text string) *Allocator {
	return named[Allocator](r, "allocators", text)
}

// pattern returns the entry of a pattern that a call names, or nil.
func (r *Registry) pattern(text string) *Pattern { return named[Pattern](r, "patterns", text) }

// topology returns the entry of a topology that a call names, or nil.
func (r *Registry) topology(text string) *Topology { return named[Topology](r, "topologies", text) }

// policy returns the entry of a policy that a call names, or nil.
func (r *Registry) policy(text string) *Policy { return named[Policy](r, "schedulers", text) }

// makeIndex indexes entries and names once, for conditions of keys look them up at every point.
func (r *Registry) makeIndex() {
	r.indexed.Do(func() {
		r.index, r.names = map[[2]string]entry{}, map[string][]string{}
		for _, e := range r.entries() {
			r.index[[2]string{e.table, e.name}] = e
		}
		for table, list := range r.Tables() {
			for _, n := range list {
				r.names[table] = append(r.names[table], n.Name)
			}
		}
	})
}

// find returns the entry that a call of one table names.
func (r *Registry) find(table, text string) (entry, bool) {
	r = r.registered()
	r.makeIndex()
	e, ok := r.index[[2]string{table, call.Name(text)}]
	return e, ok
}

// TableOf returns a table that has an entry of the name, "" if none has. Topologies come first.
func (r *Registry) TableOf(name string) string {
	r = r.registered()
	r.makeIndex()
	tables := slices.Sorted(maps.Keys(r.names))
	for _, table := range append([]string{"topologies"}, tables...) {
		if slices.Contains(r.names[table], name) {
			return table
		}
	}
	return ""
}

// canonical returns the canonical text of a call, or the text itself if it names no entry.
func (r *Registry) canonical(table, text string) (string, *input.Error) {
	e, ok := r.find(table, text)
	if !ok {
		return text, nil
	}
	v, err := e.parse(text)
	if err == nil && e.digest != nil {
		v, err = addDigest(v, e.digest)
	}
	return v.String(), err
}

// values returns the parameters of a call, which was checked when it was read.
func (r *Registry) values(table, text string) call.Values {
	e, _ := r.find(table, text)
	v, err := e.parse(text)
	if err != nil {
		panic("spec: " + err.Error())
	}
	return v
}

// canonicalPart returns a pattern with its parameters in canonical form.
func (r *Registry) canonicalPart(w Weighted) (Weighted, *input.Error) {
	e, ok := r.find("patterns", w.Name)
	if w.Parameters == "" && (!ok || e.digest == nil && !call.IsText(e.parameters)) {
		return w, nil
	}
	text, err := r.canonical("patterns", w.Label())
	return w.withCall(text), err
}

// CanonicalAllocator returns the text of a call of an allocator in canonical form.
func (r *Registry) CanonicalAllocator(text string) (string, *input.Error) {
	s := Defaults()
	s.Spec.Registry = r
	err := s.Assign("allocator", text)
	return s.Spec.Allocator, err
}

// MachineKeys returns the keys that a value of machine.topology stands for: a topology and its
// size, such as mesh:16x16, torus:8x8x4, hypercube:6 or, arity by levels, tree:4x4, and tree:4x4:2
// with two ports up; fat-tree:4x4x4:2:b2r2, dragonfly:a4h2p2g9, hyperx:4x4:p4w2 and graph:FILE. A
// topology alone has the size that its keys have by default. The value of an entry with
// parameters is its call, such as ring-of-rings:rings=4,size=8.
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

// assignMachine sets the keys that a value of machine.topology stands for.
func (s *Settings) assignMachine(short string) *input.Error {
	keys, err := s.Spec.Registry.MachineKeys(short)
	if err != nil {
		return err
	}
	s.Spec.Machine.Topology = keys[string(FieldTopology)].(string)
	delete(keys, string(FieldTopology))
	for _, path := range input.SortedKeys(keys) {
		if err := s.Assign(path, keys[path]); err != nil {
			err.Key = string(FieldTopology)
			return err
		}
	}
	return nil
}
