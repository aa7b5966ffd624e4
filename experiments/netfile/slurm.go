package netfile

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/internal/bounded"
)

// Slurm is what a topology.conf or topology.yaml of Slurm says: switches above nodes
// (topology/tree), or blocks of nodes (topology/block).
type Slurm struct {
	file     string
	units    []slurmUnit // in the order of the file
	blocks   bool
	sizes    []int // BlockSizes
	nodes    []string
	numbers  map[string]int // of the nodes
	sizeLine int
}

// slurmUnit is a switch or a block, with the hostlists of what is below it.
type slurmUnit struct {
	name, nodes, switches string
	line                  int
}

// BlockLevel is the level of the router above all blocks where no size of BlockSizes covers them
// all. Slurm's aggregated blocks are of 2^0 to 2^15 base blocks, and on levels 0 to 15.
const BlockLevel = 16

// ReadSlurm reads a topology.conf or topology.yaml, by its extension.
func ReadSlurm(path string) (*Slurm, error) {
	text, err := bounded.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	return parseSlurm(path, string(text))
}

// Blocks reports whether the file describes blocks and not switches.
func (s *Slurm) Blocks() bool { return s.blocks }

// BlockSize returns the planning size of base blocks, the first of BlockSizes: 0 if it is not
// given.
func (s *Slurm) BlockSize() int {
	if len(s.sizes) == 0 {
		return 0
	}
	return s.sizes[0]
}

// Nodes returns the names of the nodes in the order of their numbers. It is the order in which
// Slurm has them: by name, with digits compared as numbers.
func (s *Slurm) Nodes() []string { return s.nodes }

func (s *Slurm) bad(line int, right, problem string, args ...any) error {
	return &bounded.Error{File: s.file, Line: line, Problem: fmt.Sprintf(problem, args...),
		Right: right}
}

func parseSlurm(path, text string) (*Slurm, error) {
	s := &Slurm{file: path}
	text = strings.TrimPrefix(text, "\ufeff")
	read := s.readConf
	if strings.ToLower(filepath.Ext(path)) != ".conf" {
		read = s.readYAML
	}
	if err := read(text); err != nil {
		return nil, err
	}
	if len(s.units) == 0 {
		return nil, s.bad(0, slurmRight, "there is no switch and no block")
	}
	return s, s.number()
}

const slurmRight = "give lines such as: SwitchName=s0 Nodes=tux[0-3], or BlockName=b0 " +
	"Nodes=tux[0-3]"

// readConf reads the lines of a topology.conf. Names of keys are the same in lower case.
func (s *Slurm) readConf(text string) error {
	pending, begun := "", 0
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if pending == "" {
			begun = i + 1
		}
		if more, ok := strings.CutSuffix(strings.TrimSpace(line), `\`); ok {
			pending += more
			continue
		}
		words := strings.Fields(pending + line)
		if pending = ""; len(words) == 0 {
			continue
		}
		if err := s.readConfLine(begun, words); err != nil {
			return err
		}
	}
	return nil
}

func (s *Slurm) readConfLine(line int, words []string) error {
	u, block := slurmUnit{line: line}, false
	for i, word := range words {
		key, value, ok := strings.Cut(word, "=")
		value = strings.Trim(value, `"`)
		if !ok || value == "" {
			return s.bad(line, slurmRight, "%q is no setting", word)
		}
		switch key = strings.ToLower(key); {
		case i == 0 && key == "blocksizes" && len(words) == 1:
			return s.blockSizes(line, strings.Split(value, ","))
		case i == 0 && (key == "switchname" || key == "blockname"):
			u.name, block = value, key == "blockname"
		case i > 0 && key == "nodes" && u.nodes == "":
			u.nodes = value
		case i > 0 && key == "switches" && u.switches == "" && !block:
			u.switches = value
		case i > 0 && key == "linkspeed" && !block: // of no unit; Slurm does not use it
		default:
			return s.bad(line, slurmRight, "%s has no meaning here", word)
		}
	}
	return s.add(u, block)
}

// add adds a switch or a block.
func (s *Slurm) add(u slurmUnit, block bool) error {
	what := "switch"
	if block {
		what = "block"
	}
	if len(s.units) > 0 && s.blocks != block {
		return s.bad(u.line, "describe one of them", "there are switches and blocks")
	}
	if s.blocks = block; !validName(u.name) {
		return s.bad(u.line, "give a word without #", "%q is no name of a %s", u.name, what)
	}
	if slices.ContainsFunc(s.units, func(k slurmUnit) bool { return k.name == u.name }) {
		return s.bad(u.line, "give it once", "%s %s is defined twice", what, u.name)
	}
	if block && u.nodes == "" {
		return s.bad(u.line, "give Nodes", "block %s has no nodes", u.name)
	}
	if !block && (u.nodes == "") == (u.switches == "") {
		return s.bad(u.line, "give Nodes of a leaf switch, and Switches of any other",
			"switch %s has both or none of nodes and switches below it", u.name)
	}
	s.units = append(s.units, u)
	return nil
}

// blockSizes reads the planning size of base blocks and those of higher blocks.
func (s *Slurm) blockSizes(line int, sizes []string) error {
	for _, text := range sizes {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > mostNodes {
			return s.bad(line, "give numbers of nodes, such as 16,32", "block size %q is no number", text)
		}
		s.sizes = append(s.sizes, n)
		times := n / s.sizes[0]
		if n%s.sizes[0] != 0 || times&(times-1) != 0 || times > 1<<15 {
			return s.bad(line, "give a power of two times the first size", "block size %d is %g times %d", n,
				float64(n)/float64(s.sizes[0]), s.sizes[0])
		}
	}
	s.sizeLine = line
	return nil
}

// number numbers the nodes.
func (s *Slurm) number() error {
	s.numbers = map[string]int{}
	for _, u := range s.units {
		names, err := hosts(u.nodes, mostNodes)
		if err != nil {
			return s.bad(u.line, "give a hostlist such as tux[0-3,7]", "%s", err)
		}
		for _, name := range names {
			if _, twice := s.numbers[name]; twice {
				return s.bad(u.line, "put each node on one leaf switch, or into one block",
					"node %s is below two of them", name)
			}
			s.numbers[name] = 0
			s.nodes = append(s.nodes, name)
		}
	}
	slices.SortFunc(s.nodes, compareNames)
	for i, name := range s.nodes {
		s.numbers[name] = i
	}
	return nil
}

// compareNames compares names as Slurm sorts nodes: digits as numbers, but digits that begin with a
// zero one by one, as those behind a decimal point.
func compareNames(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if !digit(a[i]) || !digit(b[i]) {
			if a[i] != b[i] {
				return cmp.Compare(a[i], b[i])
			}
			continue
		}
		x, y := digits(a[i:]), digits(b[i:])
		if a[i] != '0' && b[i] != '0' && len(x) != len(y) {
			return cmp.Compare(len(x), len(y))
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		i += len(x) - 1
	}
	return cmp.Compare(len(a), len(b))
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func digits(text string) string {
	n := 0
	for n < len(text) && digit(text[n]) {
		n++
	}
	return text[:n]
}

// Network returns the machine as a network of routers with levels: switches are routers, in the
// order of the file. Base blocks are routers of level 0, and the blocks that Slurm makes of 2^l
// neighbouring ones routers of level l, of the levels of BlockSizes; where none covers all of them
// a router of BlockLevel does.
//
// Slurm's files say nothing of bandwidth. So each router has as many links up as nodes below it,
// divided by taper, and shared among the routers above it: at taper 1 no level has fewer links up
// than down. A router has at least one link to each above it.
func (s *Slurm) Network(taper float64) (*Network, error) {
	n := newNetwork(s.file)
	var err error
	if s.blocks {
		err = s.blockRouters(n)
	} else {
		err = s.switchRouters(n)
	}
	if err != nil {
		return nil, err
	}
	s.widen(n, taper)
	return n, n.whole()
}

// router makes a router of a switch or block, with its nodes.
func (s *Slurm) router(n *Network, r int, u slurmUnit, level int) error {
	n.line = u.line
	if err := n.router(r); err != nil {
		return err
	}
	n.routers[r].name, n.routers[r].level = u.name, level
	names, _ := hosts(u.nodes, mostNodes)
	for _, name := range names {
		if err := n.node(s.numbers[name], r); err != nil {
			return err
		}
	}
	return nil
}

// switchRouters makes routers of switches. A switch is one level above the highest below it.
func (s *Slurm) switchRouters(n *Network) error {
	at := map[string]int{}
	for i, u := range s.units {
		if err := s.router(n, i, u, 0); err != nil {
			return err
		}
		at[u.name] = i
	}
	below := make([][]int, len(s.units))
	for i, u := range s.units {
		names, err := hosts(u.switches, mostRouters)
		if err != nil {
			return s.bad(u.line, "give a hostlist such as s[0-3,7]", "%s", err)
		}
		for _, name := range names {
			child, ok := at[name]
			if !ok || child == i {
				return s.bad(u.line, "name other switches of the file", "switch %s has the child %s", u.name,
					name)
			}
			n.line, below[i] = u.line, append(below[i], child)
			if err := n.join(child, i, Times{}, 1); err != nil {
				return err
			}
		}
	}
	for changed, depth := true, 0; changed; depth++ {
		if changed = false; depth > len(s.units) {
			return s.bad(0, "let no switch be above itself", "the switches are no tree")
		}
		for i := range s.units {
			for _, child := range below[i] {
				if n.routers[i].level <= n.routers[child].level {
					n.routers[i].level, changed = n.routers[child].level+1, true
				}
			}
		}
	}
	return nil
}

// blockLevels returns the levels of the blocks, ascending from 0.
func (s *Slurm) blockLevels() []int {
	if len(s.sizes) == 0 {
		return []int{0, 1, 2, 3, 4} // as Slurm has it
	}
	levels := []int{0}
	for _, size := range s.sizes {
		levels = append(levels, int(math.Log2(float64(size/s.sizes[0]))))
	}
	slices.Sort(levels)
	return slices.Compact(levels)
}

// blockRouters makes routers of base blocks and of the blocks of those.
func (s *Slurm) blockRouters(n *Network) error {
	for i, u := range s.units {
		if err := s.router(n, i, u, 0); err != nil {
			return err
		}
	}
	// below are the routers of the level before, with the base block that each begins with.
	type part struct{ router, first int }
	var below []part
	for i := range s.units {
		below = append(below, part{i, i})
	}
	levels := append(s.blockLevels()[1:], BlockLevel)
	for _, level := range levels {
		if len(below) == 1 {
			break
		}
		var made []part
		for _, p := range below {
			if len(made) == 0 || p.first>>level != made[len(made)-1].first>>level {
				made = append(made, part{len(n.routers), p.first})
				last := min((p.first>>level+1)<<level, len(s.units)) - 1
				u := slurmUnit{name: fmt.Sprintf("%s..%s", s.units[p.first].name, s.units[last].name)}
				if err := s.router(n, len(n.routers), u, level); err != nil {
					return err
				}
			}
			if err := n.join(p.router, made[len(made)-1].router, Times{}, 1); err != nil {
				return err
			}
		}
		below = made
	}
	return nil
}

// widen gives the links their numbers.
func (s *Slurm) widen(n *Network, taper float64) {
	order := make([]int, len(n.routers))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(n.routers[a].level, n.routers[b].level)
	})
	up := make([][]int, len(n.routers))
	for key := range n.links {
		lower, upper := key[0], key[1]
		if n.routers[lower].level > n.routers[upper].level {
			lower, upper = upper, lower
		}
		up[lower] = append(up[lower], upper)
	}
	carried := make([]float64, len(n.routers)) // links up that a full tree would have
	for _, k := range n.hung {
		carried[k.router]++
	}
	for _, r := range order {
		for _, above := range up[r] {
			share := carried[r] / float64(len(up[r]))
			carried[above] += share
			k := n.links[[2]int{min(r, above), max(r, above)}]
			k.count = min(max(1, int(math.Ceil(share/taper-1e-9))), mostCount)
			n.all += k.count - 1
		}
	}
}
