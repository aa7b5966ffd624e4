package netfile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"contend/internal/input"
)

// ReadFile reads a network from a file: TOML if its name ends in .toml, Slurm's topology.conf or
// topology.yaml if it ends in .conf, .yaml or .yml, else BookSim anynet.
func ReadFile(path string) (*Network, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".conf", ".yaml", ".yml":
		s, err := ReadSlurm(path)
		if err != nil {
			return nil, err
		}
		return s.Network(Tapers{})
	case ".toml":
		text, err := readText(path, Limits)
		if err != nil {
			return nil, err
		}
		t, err := input.ReadTOML(path, text)
		if err != nil {
			return nil, err
		}
		return fromTOML(path, t.Values)
	}
	return ReadAnynet(path)
}

// ReadAnynet reads a network from a BookSim anynet file, whatever its name ends with.
func ReadAnynet(path string) (*Network, error) {
	text, err := readText(path, Limits)
	if err != nil {
		return nil, err
	}
	return Parse(path, strings.Split(text, "\n"))
}

// readText returns the text of a file without the mark of Unicode with which some editors begin it.
func readText(path string, limits input.Limits) (string, error) {
	text, err := input.ReadFile(path, limits)
	return strings.TrimPrefix(string(text), "\ufeff"), err
}

// tomlNetwork is the content of a TOML file.
type tomlNetwork struct {
	Routers []tomlRouter `key:"routers"`
	Links   []tomlLink   `key:"links"`
}

// tomlRouter is a router of a TOML file.
type tomlRouter struct {
	Name  string `key:"name"`
	Nodes *int   `key:"nodes"` // 1 if it is not given
	Group *int   `key:"group"`
	Rail  int    `key:"rail"`
}

// tomlLink is a link of a TOML file. Times of 0 are not given.
type tomlLink struct {
	From           string `key:"from"`
	To             string `key:"to"`
	Count          *int   `key:"count"` // 1 if it is not given
	Cycles         int    `key:"cycles"`
	Back           int    `key:"back"`
	FlitCycles     int    `key:"flit_cycles"`
	BackFlitCycles int    `key:"back_flit_cycles"`
}

// namedNetwork is a network whose routers have names and numbers of nodes. A router is
// numbered when it is first named. Nodes are numbered in the order of the routers, on each rail.
type namedNetwork struct {
	*Network
	numbers map[string]int
	nodes   []int           // by router
	defined map[int]bool    // routers that have a table
	joined  map[[2]int]bool // routers that a table joins, in its direction
}

// fromTOML reads a network from the tables of a TOML file.
func fromTOML(file string, raw map[string]any) (*Network, error) {
	var read tomlNetwork
	if err := input.DecodeTable(reflect.ValueOf(&read).Elem(), raw, ""); err != nil {
		err.File = file
		return nil, err
	}
	n := &namedNetwork{newNetwork(file), map[string]int{}, nil, map[int]bool{}, map[[2]int]bool{}}
	for i, r := range read.Routers {
		n.file = fmt.Sprintf("%s: routers[%d]", file, i)
		if err := n.addRouterTable(r); err != nil {
			return nil, err
		}
	}
	for i, k := range read.Links {
		n.file = fmt.Sprintf("%s: links[%d]", file, i)
		if err := n.addLinkTable(k); err != nil {
			return nil, err
		}
	}
	n.file = file
	next := map[int]int{} // node of each rail
	for r, nodes := range n.nodes {
		rail := n.routers[r].rail
		for range nodes {
			if err := n.attachNode(next[rail], r); err != nil {
				return nil, err
			}
			next[rail]++
		}
	}
	return n.Network, n.finish()
}

// addRouterTable adds a router.
func (n *namedNetwork) addRouterTable(t tomlRouter) error {
	r, err := n.numberOf(t.Name)
	if err != nil {
		return err
	}
	if n.defined[r] {
		return n.bad("give it once", "router %s is described twice", t.Name)
	}
	n.defined[r] = true
	if t.Nodes != nil {
		n.nodes[r] = *t.Nodes
	}
	if t.Group != nil {
		if n.routers[r].group, err = n.parseNumber("group", strconv.Itoa(*t.Group)); err != nil {
			return err
		}
	}
	return n.setRail(r, t.Rail)
}

// addLinkTable joins two routers, once in each direction.
func (n *namedNetwork) addLinkTable(t tomlLink) error {
	from, err := n.numberOf(t.From)
	if err != nil {
		return err
	}
	to, err := n.numberOf(t.To)
	if err != nil {
		return err
	}
	if n.joined[[2]int{from, to}] {
		return n.bad("give it once, with count for parallel links",
			"the link from %s to %s is given twice", t.From, t.To)
	}
	n.joined[[2]int{from, to}] = true
	count := 1
	if t.Count != nil {
		count = *t.Count
	}
	return cmp.Or(n.joinRouters(from, to, Times{t.Cycles, t.FlitCycles}, count),
		n.joinRouters(to, from, Times{t.Back, t.BackFlitCycles}, count))
}

// numberOf returns the number of a router, which it numbers and defines if it is new.
func (n *namedNetwork) numberOf(name string) (int, error) {
	if r, known := n.numbers[name]; known {
		return r, nil
	}
	if !validName(name) {
		return 0, n.bad("give a word of at most 100 bytes without #", "%q is not the name of a router",
			name)
	}
	r := len(n.numbers)
	if err := n.defineRouter(r); err != nil {
		return 0, err
	}
	n.numbers[name], n.nodes = r, append(n.nodes, 1)
	return r, n.nameRouter(r, name)
}

// validName reports whether a router may have a name.
func validName(name string) bool {
	return name != "" && len(name) <= 100 && !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '#'
	})
}
