package netfile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
)

// Slurm is the content of a topology.conf or topology.yaml of Slurm: switches above nodes
// (topology/tree), or blocks of nodes (topology/block).
type Slurm struct {
	file    string
	units   []slurmUnit    // in the order of the file
	blocks  bool           // units are blocks and not switches
	sizes   []int          // BlockSizes
	nodes   []string       // names, in the order of their numbers
	numbers map[string]int // of nodes, by name

	defined map[string]bool // names of units
}

// slurmUnit is a switch or a block. Nodes and switches below it are hostlists.
type slurmUnit struct {
	name, nodes, switches string
	line                  int
}

// BlockLevel is the level of the router above all blocks where no size of BlockSizes covers them
// all. Slurm's aggregated blocks are of 2^0 to 2^15 base blocks, and on levels 0 to 15.
const BlockLevel = 16

// ReadSlurm reads a topology.yaml if its name ends in .yaml or .yml, else a topology.conf.
func ReadSlurm(path string) (*Slurm, error) {
	s := &Slurm{file: path, defined: map[string]bool{}}
	read, limits, right := s.readConf, Limits, slurmRight
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".yaml" || ext == ".yml" {
		read, limits, right = s.readYAML, yamlLimits, yamlRight
	}
	text, err := readText(path, limits)
	if err != nil {
		return nil, err
	}
	if err := read(text); err != nil {
		return nil, err
	}
	if len(s.units) == 0 {
		return nil, s.bad(0, right, "there is no switch and no block")
	}
	return s, s.numberNodes()
}

// Blocks reports whether the file describes blocks and not switches.
func (s *Slurm) Blocks() bool { return s.blocks }

// BlockSize returns the planning size of base blocks, the first of BlockSizes, or 0 if it is not
// given.
func (s *Slurm) BlockSize() int {
	if len(s.sizes) == 0 {
		return 0
	}
	return s.sizes[0]
}

// Nodes returns the names of the nodes in the order of their numbers, which is that of Slurm: by
// name, with digits compared as numbers.
func (s *Slurm) Nodes() []string { return s.nodes }

// bad returns an error at a line, or about the whole file if the line is 0.
func (s *Slurm) bad(line int, right, problem string, args ...any) error {
	return &input.Error{File: s.file, Line: line, Problem: fmt.Sprintf(problem, args...),
		Right: right}
}

// slurmRight shows what a line of a topology.conf looks like, for errors.
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

// readConfLine reads the settings of a line.
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
			return s.readBlockSizes(line, strings.Split(value, ","))
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
	return s.addUnit(u, block)
}

// addUnit adds a switch or a block.
func (s *Slurm) addUnit(u slurmUnit, block bool) error {
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
	if s.defined[u.name] {
		return s.bad(u.line, "give it once", "%s %s is defined twice", what, u.name)
	}
	if block && u.nodes == "" {
		return s.bad(u.line, "give Nodes", "block %s has no nodes", u.name)
	}
	if !block && (u.nodes == "") == (u.switches == "") {
		return s.bad(u.line, "give Nodes of a leaf switch, and Switches of any other",
			"switch %s has both or none of nodes and switches below it", u.name)
	}
	s.units, s.defined[u.name] = append(s.units, u), true
	return nil
}

// readBlockSizes reads the planning size of base blocks and those of higher blocks.
func (s *Slurm) readBlockSizes(line int, sizes []string) error {
	for _, text := range sizes {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > maxNodes {
			return s.bad(line, "give numbers of nodes, such as 16,32", "block size %q is no number", text)
		}
		s.sizes = append(s.sizes, n)
		times := n / s.sizes[0]
		if n%s.sizes[0] != 0 || times&(times-1) != 0 || times > 1<<15 {
			return s.bad(line, "give a power of two times the first size", "block size %d is %g times %d", n,
				float64(n)/float64(s.sizes[0]), s.sizes[0])
		}
	}
	return nil
}

// numberNodes numbers the nodes of all units in the order of Slurm.
func (s *Slurm) numberNodes() error {
	s.numbers = map[string]int{}
	for _, u := range s.units {
		names, err := expandHostlist(u.nodes, maxNodes)
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

// digit reports whether a byte is a decimal digit.
func digit(c byte) bool { return c >= '0' && c <= '9' }

// digits returns the digits that a text begins with.
func digits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

// expandHostlist returns the names of a Slurm hostlist, such as srv[01-03,7],login: names behind
// commas, with ranges of numbers in brackets. Numbers keep their leading zeros. A name may have
// several brackets; the last one counts fastest. More names than the limit are an error.
func expandHostlist(list string, limit int) (names []string, err error) {
	for list != "" {
		entry, rest, err := cutEntry(list)
		if err != nil {
			return nil, err
		}
		list = rest
		if names, err = expandEntry(names, "", entry, limit); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// cutEntry cuts a list at its first comma outside of brackets.
func cutEntry(list string) (entry, rest string, err error) {
	inside := false
	for i, c := range list {
		switch {
		case c == '[' && inside || c == ']' && !inside:
			return "", "", fmt.Errorf("%q has a %c out of place", list, c)
		case c == '[' || c == ']':
			inside = !inside
		case c == ',' && !inside:
			return list[:i], list[i+1:], nil
		}
	}
	if inside {
		return "", "", fmt.Errorf("%q has no ] behind its [", list)
	}
	return list, "", nil
}

// expandEntry appends the names of an entry of a list, each behind a prefix.
func expandEntry(names []string, prefix, entry string, limit int) ([]string, error) {
	head, rest, ranges := strings.Cut(entry, "[")
	prefix += head
	if !ranges {
		if !validName(prefix) {
			return nil, fmt.Errorf("%q is no name", prefix)
		}
		if len(names) == limit {
			return nil, fmt.Errorf("there are more than %d names", limit)
		}
		return append(names, prefix), nil
	}
	inside, rest, _ := strings.Cut(rest, "]")
	for part := range strings.SplitSeq(inside, ",") {
		first, last, is := strings.Cut(part, "-")
		if !is {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 31)
		to, err2 := strconv.ParseUint(last, 10, 31)
		if err != nil || err2 != nil || to < from {
			return nil, fmt.Errorf("%q is no number or range of numbers", part)
		}
		for n := from; n <= to; n++ {
			name := fmt.Sprintf("%s%0*d", prefix, len(first), n)
			if names, err = expandEntry(names, name, rest, limit); err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}

// Hostlist writes names as a Slurm hostlist: runs of names that differ in a last number become a
// range.
func Hostlist(names []string) string {
	var out strings.Builder
	for i := 0; i < len(names); {
		stem, digits := splitNumber(names[i])
		number, _ := strconv.ParseUint(digits, 10, 63)
		end := i + 1
		for ; digits != "" && end < len(names); end++ {
			if names[end] != fmt.Sprintf("%s%0*d", stem, len(digits), number+uint64(end-i)) {
				break
			}
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if end == i+1 {
			out.WriteString(names[i])
		} else {
			_, last := splitNumber(names[end-1])
			fmt.Fprintf(&out, "%s[%s-%s]", stem, digits, last)
		}
		i = end
	}
	return out.String()
}

// splitNumber splits a name before the digits that it ends with.
func splitNumber(name string) (stem, digits string) {
	stem = strings.TrimRight(name, "0123456789")
	return stem, name[len(stem):]
}
