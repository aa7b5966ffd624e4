package netfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// named reads networks whose routers have names and numbers of nodes. A router is
// numbered when it is first named. Nodes are numbered in the order of the routers, on each rail.
type named struct {
	*Network
	numbers map[string]int
	nodes   []int           // of each router; -1 where nothing is said, which means 1
	written map[[2]int]bool // links that have been given, in the direction in which they were
}

func newNamed(file string) *named {
	return &named{Network: newNetwork(file), numbers: map[string]int{},
		written: map[[2]int]bool{}}
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
	if len(names) == 0 {
		return nil
	}
	right := "leave it out"
	if len(known) > 0 {
		right = "it is none of " + strings.Join(known, ", ")
	}
	return n.bad(right, "there is a field %q", slices.Min(names))
}

// addRouter takes the nodes, the group and the rail of a router.
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
	rail, err := n.take(p, "rail", 0, -1)
	if err != nil {
		return err
	}
	for _, k := range []struct {
		field      string
		to         *int
		none, says int
	}{{"nodes", &n.nodes[r], -1, nodes}, {"group", &n.routers[r].group, -1, group},
		{"rail", &n.routers[r].rail, 0, max(0, rail)}} {
		if k.says != k.none && *k.to != k.none && *k.to != k.says {
			return n.bad("give one of them", "router %s has %s %d, and %d", name, k.field, *k.to, k.says)
		}
		if k.says != k.none {
			*k.to = k.says
		}
	}
	if err := n.joinRail(r, n.routers[r].rail); err != nil {
		return err
	}
	return n.left(p, "nodes", "group", "rail")
}

// linkFields are the fields of a link beside its ends.
var linkFields = []string{"cycles", "back", "count", "class", "flit_cycles", "back_flit_cycles"}

// addLink joins two routers, once in each direction.
func (n *named) addLink(from, to string, p properties) error {
	a, err := n.numberOf(from)
	if err != nil {
		return err
	}
	b, err := n.numberOf(to)
	if err != nil {
		return err
	}
	if n.written[[2]int{a, b}] {
		return n.bad("give it once, with count for parallel links",
			"the link from %s to %s is given twice", from, to)
	}
	n.written[[2]int{a, b}] = true
	var cycles, back, count int
	for _, k := range []struct {
		field           string
		to              *int
		least, standard int
	}{{"cycles", &cycles, 0, 0}, {"back", &back, 0, 0}, {"count", &count, 1, 1}} {
		if *k.to, err = n.take(p, k.field, k.least, k.standard); err != nil {
			return err
		}
	}
	if err := n.join(a, b, cycles, count); err != nil {
		return err
	}
	if err := n.join(b, a, back, count); err != nil {
		return err
	}
	if err := n.addRemarks(a, b, p); err != nil {
		return err
	}
	return n.left(p, linkFields...)
}

// addRemarks takes the class of a link, which no graph has, and its cycles from flit to flit.
func (n *named) addRemarks(from, to int, p properties) error {
	if class := p["class"]; class != "" {
		n.links[[2]int{min(from, to), max(from, to)}].class = class
	}
	delete(p, "class")
	ahead, err := n.take(p, "flit_cycles", 1, 0)
	if err != nil {
		return err
	}
	back, err := n.take(p, "back_flit_cycles", 1, 0)
	if err != nil {
		return err
	}
	if err := n.pace(from, to, ahead); err != nil {
		return err
	}
	return n.pace(to, from, back)
}

// finish hangs the nodes on their routers.
func (n *named) finish() (*Network, error) {
	n.line = 0
	next := map[int]int{} // of each rail
	for r, nodes := range n.nodes {
		if nodes < 0 {
			nodes = 1
		}
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
