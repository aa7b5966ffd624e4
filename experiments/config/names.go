package config

import "contend/internal/call"

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

// Names returns the tables of names, for everything that reads studies.
func (r *Registry) Names() Names {
	n := Names{"orders": nodeOrders(), trafficTable: traffics()}
	for _, list := range n {
		for i := range list {
			list[i].registry = r
		}
	}
	for _, e := range r.entries() {
		doc := e.doc
		if about := call.Describe(e.name, e.parameters); about != "" {
			doc += "; " + about
		}
		n[e.table] = append(n[e.table], Name{Name: e.name, Doc: doc, Source: e.source, registry: r})
	}
	return n
}

// Registry returns the registry of the names, nil for tables without one.
func (n Names) Registry() *Registry {
	for _, table := range n { // whichever comes first: all are of one registry
		if len(table) > 0 {
			return table[0].registry
		}
	}
	return nil
}
