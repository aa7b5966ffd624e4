package spec

import (
	"strings"

	"contend/allocation/byname"
	"contend/experiments/spec/input"
)

// Name documents one entry of a name table: an allocator, a pattern, ...
type Name struct {
	// Name is what a study writes, Doc says in a line what it means, and Source is
	// the paper that defines it, or "".
	Name, Doc, Source string

	registry *Registry // that has it
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

// AllocatorSpec is the section [allocator]. ParseAllocator reads its short form, a
// string, and String writes it.
type AllocatorSpec = byname.Config

// ParseAllocator reads the short form of an allocator: its call, or, where keys are its
// parameters, what byname.Parse describes.
func ParseAllocator(text string, names Names) (AllocatorSpec, *input.Error) {
	s, r := Defaults(), names.Registry()
	if e, ok := r.find("allocators", text); ok && len(e.keys) == 0 {
		call, err := r.canonical("allocators", text)
		if err != nil {
			err.Key = "allocator"
		}
		s.Spec.Allocator.Name = call
		return s.Spec.Allocator, err
	}
	name := nameOf(text)
	name = name[strings.LastIndexByte(name, '/')+1:]
	if err := s.Assign("allocator.name", name, names); err != nil {
		return s.Spec.Allocator, input.Bad("allocator", err.Right, "allocator is %q", text)
	}
	c, err := s.Spec.Allocator.Parsed(text)
	if err != nil {
		return s.Spec.Allocator, &input.Error{Key: "allocator", Problem: err.Error()}
	}
	return c, nil
}

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
