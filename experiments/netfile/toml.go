package netfile

import (
	"fmt"
	"maps"
	"slices"
)

// tomlRight is what a TOML file looks like.
const tomlRight = `give [[routers]] with name, nodes and group, and [[links]] with from, to, ` +
	`count, cycles and back`

// fromTOML reads a network from the tables of a TOML file.
func fromTOML(file string, raw map[string]any) (*Network, error) {
	n := newNamed(file)
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if key != "routers" && key != "links" {
			return nil, n.bad(tomlRight, "there is a key %q", key)
		}
	}
	err := n.tables("routers", raw["routers"], []string{"name"}, func(p properties) error {
		name := p["name"]
		delete(p, "name")
		return n.addRouter(name, p)
	})
	if err == nil {
		err = n.tables("links", raw["links"], []string{"from", "to", "class"}, func(p properties) error {
			from, to := p["from"], p["to"]
			delete(p, "from")
			delete(p, "to")
			return n.addLink(from, to, p)
		})
	}
	if err != nil {
		return nil, err
	}
	return n.finish()
}

// tables calls f with each table of an array of tables.
func (n *named) tables(what string, raw any, texts []string, f func(p properties) error) error {
	if raw == nil {
		return nil
	}
	list, ok := raw.([]map[string]any)
	if !ok {
		return n.bad(tomlRight, "%s is no array of tables", what)
	}
	for i, table := range list {
		p := properties{}
		for _, field := range slices.Sorted(maps.Keys(table)) {
			value := table[field]
			if _, whole := value.(int64); !whole && !slices.Contains(texts, field) {
				return n.bad("give a whole number", "%s[%d].%s is %v", what, i, field, value)
			}
			p[field] = fmt.Sprint(value)
		}
		old := n.file
		n.file = fmt.Sprintf("%s: %s[%d]", old, what, i)
		if err := f(p); err != nil {
			return err
		}
		n.file = old
	}
	return nil
}
