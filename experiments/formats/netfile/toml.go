package netfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// tomlRight is what a TOML file looks like.
const tomlRight = "give [[routers]] with name, nodes, group and rail, and [[links]] with from, " +
	"to, count, cycles, back, flit_cycles and back_flit_cycles"

// field is a whole number of a table: its name, its least value and the one it has if nothing is
// said.
type field struct {
	name            string
	least, standard int
}

// The fields of a router beside its name, and of a link beside its ends.
var (
	routerFields = []field{{"nodes", 0, 1}, {"group", 0, -1}, {"rail", 0, 0}}
	linkFields   = []field{{"count", 1, 1}, {"cycles", 0, 0}, {"back", 0, 0}, {"flit_cycles", 1, 0},
		{"back_flit_cycles", 1, 0}}
)

// named reads networks whose routers have names and numbers of nodes. A router is
// numbered when it is first named. Nodes are numbered in the order of the routers, on each rail.
type named struct {
	*Network
	numbers   map[string]int
	nodes     []int           // of each router
	described map[int]bool    // routers that have a table
	written   map[[2]int]bool // links that have been given, in the direction in which they were
}

// fromTOML reads a network from the tables of a TOML file.
func fromTOML(file string, raw map[string]any) (*Network, error) {
	n := &named{newNetwork(file), map[string]int{}, nil, map[int]bool{}, map[[2]int]bool{}}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if key != "routers" && key != "links" {
			return nil, n.bad(tomlRight, "there is a key %q", key)
		}
	}
	if err := n.tables(raw, "routers", []string{"name"}, routerFields, n.addRouter); err != nil {
		return nil, err
	}
	if err := n.tables(raw, "links", []string{"from", "to"}, linkFields, n.addLink); err != nil {
		return nil, err
	}
	next := map[int]int{} // node of each rail
	for r, nodes := range n.nodes {
		rail := n.routers[r].rail
		for range nodes {
			if err := n.node(next[rail], r); err != nil {
				return nil, err
			}
			next[rail]++
		}
	}
	return n.Network, n.whole()
}

// tables calls f with the routers that each table of an array names and with its numbers.
func (n *named) tables(raw map[string]any, what string, names []string, fields []field,
	f func(routers, numbers []int) error) error {
	list, ok := raw[what].([]map[string]any)
	if !ok && raw[what] != nil {
		return n.bad(tomlRight, "%s is no array of tables", what)
	}
	file := n.file
	for i, table := range list {
		n.file = fmt.Sprintf("%s: %s[%d]", file, what, i)
		routers, numbers, err := n.table(table, names, fields)
		if err == nil {
			err = f(routers, numbers)
		}
		if err != nil {
			return err
		}
	}
	n.file = file
	return nil
}

// table reads one table, and refuses fields that it does not have.
func (n *named) table(table map[string]any, names []string, fields []field) (
	routers, numbers []int, err error) {
	known := slices.Clone(names)
	for _, name := range names {
		text, _ := table[name].(string)
		r, err := n.numberOf(text)
		if err != nil {
			return nil, nil, err
		}
		routers = append(routers, r)
	}
	for _, k := range fields {
		value, given := table[k.name]
		number, whole := value.(int64)
		switch {
		case !given:
			number = int64(k.standard)
		case !whole || number < int64(k.least) || number > maxNodes:
			return nil, nil, n.bad(fmt.Sprintf("give a number from %d to %d", k.least, maxNodes),
				"%s is %v", k.name, value)
		}
		known, numbers = append(known, k.name), append(numbers, int(number))
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(known, name) {
			return nil, nil, n.bad("it is none of "+strings.Join(known, ", "), "there is a field %q", name)
		}
	}
	return routers, numbers, nil
}

// numberOf returns the number of a router.
func (n *named) numberOf(name string) (int, error) {
	if r, known := n.numbers[name]; known {
		return r, nil
	}
	if !validName(name) {
		return 0, n.bad("give a word of at most 100 bytes without #", "%q is not the name of a router",
			name)
	}
	r := len(n.numbers)
	if err := n.router(r); err != nil {
		return 0, err
	}
	n.numbers[name], n.nodes = r, append(n.nodes, 1)
	return r, n.name(r, name)
}

// validName reports whether a router may have a name.
func validName(name string) bool {
	return name != "" && len(name) <= 100 && !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '#'
	})
}

// addRouter takes the routerFields of a router.
func (n *named) addRouter(routers, numbers []int) error {
	r := routers[0]
	if n.described[r] {
		return n.bad("give it once", "router %s is described twice", n.routers[r].name)
	}
	n.described[r], n.nodes[r], n.routers[r].group = true, numbers[0], numbers[1]
	return n.joinRail(r, numbers[2])
}

// addLink joins two routers by the linkFields of a link, once in each direction.
func (n *named) addLink(ends, numbers []int) error {
	from, to := ends[0], ends[1]
	if n.written[[2]int{from, to}] {
		return n.bad("give it once, with count for parallel links",
			"the link from %s to %s is given twice", n.routers[from].name, n.routers[to].name)
	}
	n.written[[2]int{from, to}] = true
	for i, way := range [][2]int{{from, to}, {to, from}} {
		times := Times{numbers[1+i], numbers[3+i]}
		if err := n.join(way[0], way[1], times, numbers[0]); err != nil {
			return err
		}
	}
	return nil
}
