package spec

import (
	"reflect"
	"strings"

	"contend/allocation/byname"
	"contend/experiments/spec/input"
)

// Name documents one entry of a name table: an allocator, a pattern, ...
type Name struct {
	// Name is what a study writes, Doc says in a line what it means, and Source is
	// the paper that defines it, or "".
	Name, Doc, Source string

	registry *Registry // nil if all names are built in
}

// Names are the name tables by kind: allocators, orders, patterns, topologies,
// routings, schedulers. The caller passes them in, so reading a spec does not depend on
// the packages that implement the names.
type Names map[string][]Name

// List returns the names of one table. A missing table is a caller's bug.
func (n Names) List(table string) []string {
	entries, ok := n[table]
	if !ok {
		panic("experiments: there is no table of " + table)
	}
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name
	}
	return list
}

// ParseAllocator reads the short form of an allocator, which byname.Parse
// describes.
func ParseAllocator(text string, names Names) (AllocatorSpec, *input.Error) {
	s := Defaults()
	if a := names.Registry().allocator(text); a != nil && !areKeys(a.Parameters) {
		call, err := names.Registry().canonical("allocators", text)
		if err != nil {
			err.Key = "allocator"
		}
		s.Spec.Allocator.Name = call
		return s.Spec.Allocator, err
	}
	name, _, _ := strings.Cut(text, ":")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if err := s.Assign("allocator.name", name, names); err != nil {
		return s.Spec.Allocator, input.Bad("allocator", err.Right, "allocator is %q", text)
	}
	c, err := byname.Parse(text)
	if err != nil {
		return s.Spec.Allocator, &input.Error{Key: "allocator", Problem: err.Error()}
	}
	s.Spec.Allocator.Set(c)
	return s.Spec.Allocator, nil
}

// each calls f for the parameters that the allocator of c has: here, by default and in c. Fields
// have the same names.
func (a *AllocatorSpec) each(c *byname.Config, f func(here, standard, there reflect.Value)) {
	standard := DefaultSpec().Allocator
	for _, name := range byname.Parameters(c.Name) {
		k, _ := FindKey("allocator." + name)
		field := reflect.TypeFor[Spec]().FieldByIndex(k.field[1:]).Name
		of := func(section any) reflect.Value {
			return reflect.ValueOf(section).Elem().FieldByName(field)
		}
		f(of(a), of(&standard), of(c))
	}
}

// Set copies the parameters that the allocator of c has. The other parameters stay, as
// do words that c leaves empty, which stands for the default.
func (a *AllocatorSpec) Set(c byname.Config) {
	a.Name = c.Name
	a.each(&c, func(here, _, there reflect.Value) {
		if there.Kind() != reflect.String || there.String() != "" {
			here.Set(there)
		}
	})
}

// Config returns the allocator as package allocation has it. Words that are the default
// are left empty.
func (a AllocatorSpec) Config() byname.Config {
	c := byname.Config{Name: a.Name}
	a.each(&c, func(here, standard, there reflect.Value) {
		if here.Kind() != reflect.String || !here.Equal(standard) {
			there.Set(here)
		}
	})
	return c
}

// Check refuses values out of bounds.
func (a AllocatorSpec) Check() *input.Error {
	if err := a.Config().Check(); err != nil {
		return &input.Error{Key: "allocator", Problem: err.Error()}
	}
	return nil
}

// String returns the short form.
func (a AllocatorSpec) String() string { return a.Config().String() }

// decisionName is the value of scheduler.decision as the spec keeps it: the
// short form the allocator itself would print, so that an allocator has one
// name and its runs one hash.
func decisionName(text string, names Names) (string, *input.Error) {
	if text == "" {
		return "", nil
	}
	a, err := ParseAllocator(text, names)
	if err == nil {
		s := Spec{Allocator: a, Registry: names.Registry()}
		err = s.CheckAllocator()
	}
	if err != nil {
		err.Key = "scheduler.decision"
		return "", err
	}
	return a.String(), nil
}
