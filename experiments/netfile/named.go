package netfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// named reads networks whose routers have names and numbers of nodes. A router is
// numbered when it is first named. Nodes are numbered in the order of the routers.
type named struct {
	*Network
	numbers map[string]int
	nodes   []int // of each router; -1 where nothing is said, which means 1
}

func newNamed(file string) *named {
	return &named{Network: newNetwork(file), numbers: map[string]int{}}
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
	n.numbers[name], n.nodes = r, append(n.nodes, -1)
	return r, n.name(r, name)
}

// validName reports whether a router may have a name.
func validName(name string) bool {
	return name != "" && len(name) <= 100 && !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '#'
	})
}

// properties are the fields of a router or a link, by name.
type properties map[string]string

// take returns a field as a number, or a default, and removes it.
func (n *named) take(p properties, field string, least, standard int) (int, error) {
	text, given := p[field]
	delete(p, field)
	if !given || text == "" {
		return standard, nil
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < least || i > mostNodes {
		return 0, n.bad("give a number from "+strconv.Itoa(least)+" to "+strconv.Itoa(mostNodes),
			"%s is %q", field, text)
	}
	return i, nil
}

// left refuses fields that are not known.
func (n *named) left(p properties, known ...string) error {
	var names []string
	for field := range p {
		names = append(names, field)
	}
	if slices.Sort(names); len(names) > 0 {
		return n.bad("it is none of "+strings.Join(known, ", "), "there is a field %q", names[0])
	}
	return nil
}

// addRouter takes the nodes and the group of a router.
func (n *named) addRouter(name string, p properties) error {
	r, err := n.numberOf(name)
	if err != nil {
		return err
	}
	nodes, err := n.take(p, "nodes", 0, -1)
	if err != nil {
		return err
	}
	group, err := n.take(p, "group", 0, -1)
	if err != nil {
		return err
	}
	if nodes >= 0 {
		n.nodes[r] = nodes
	}
	if group >= 0 {
		n.routers[r].group = group
	}
	return n.left(p, "nodes", "group")
}

// addLink joins two routers.
func (n *named) addLink(from, to string, p properties) error {
	a, err := n.numberOf(from)
	if err != nil {
		return err
	}
	b, err := n.numberOf(to)
	if err != nil {
		return err
	}
	var values [3]int
	for i, field := range []string{"cycles", "back", "count"} {
		if values[i], err = n.take(p, field, i/2, i/2); err != nil {
			return err
		}
	}
	if err := n.join(a, b, values[0], values[2]); err != nil {
		return err
	}
	if err := n.join(b, a, values[1], values[2]); err != nil {
		return err
	}
	if err := n.addRemarks(a, b, p); err != nil {
		return err
	}
	return n.left(p, "cycles", "back", "count")
}

// addRemarks takes what is said of a link that no graph has.
func (n *named) addRemarks(from, to int, p properties) error {
	r := remarks{class: p["class"]}
	delete(p, "class")
	for _, k := range []struct {
		field string
		to    *int
	}{{"flit_cycles", &r.flitUp}, {"back_flit_cycles", &r.flitDown}} {
		var err error
		if *k.to, err = n.take(p, k.field, 1, 0); err != nil {
			return err
		}
	}
	if from > to {
		r.flitUp, r.flitDown = r.flitDown, r.flitUp
	}
	if r != (remarks{}) {
		n.links[[2]int{min(from, to), max(from, to)}].remarks = r
	}
	return nil
}

// finish hangs the nodes on their routers.
func (n *named) finish() (*Network, error) {
	n.line = 0
	for r, nodes := range n.nodes {
		if nodes < 0 {
			nodes = 1
		}
		for range nodes {
			if err := n.node(len(n.Network.nodes), r); err != nil {
				return nil, err
			}
		}
	}
	return n.Network, n.whole()
}
