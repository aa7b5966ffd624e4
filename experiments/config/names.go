package config

import "contend/internal/call"

// Name documents one entry of a name table: an allocator, a pattern, ...
type Name struct {
	// Name is what a study writes, Doc says in a line what it means, and Source is
	// the paper that defines it, or "".
	Name, Doc, Source string
}

// Tables documents everything that a study can name, by table: the lists of the registry but
// the metrics, the orders of nodes and the traffic patterns.
func (r *Registry) Tables() map[string][]Name {
	tables := map[string][]Name{"orders": nodeOrders(), trafficTable: traffics()}
	for _, e := range r.registered().entries() {
		doc := e.doc
		if about := call.Describe(e.name, e.parameters); about != "" {
			doc += "; " + about
		}
		tables[e.table] = append(tables[e.table], Name{Name: e.name, Doc: doc, Source: e.source})
	}
	return tables
}

// NamesIn lists the names of one table. A missing table is a caller's bug.
func (r *Registry) NamesIn(table string) []string {
	r = r.registered()
	r.makeIndex()
	names, ok := r.names[table]
	if !ok {
		panic("experiments: there is no table of " + table)
	}
	return names
}
