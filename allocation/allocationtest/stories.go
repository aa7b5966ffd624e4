package allocationtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Stories plays the decisions of testdata/*.txt with the allocators of a table.
//
//	machine mesh:8x8             a short form, of a mesh with "of 2" for two nodes a router, of a
//	                             tree with "of 61" for 61 nodes in all, or
//	                             switches: the nodes of each leaf switch, after a slash the
//	                             numbers of switches below each of the next level
//	free 0-3 9                   the free nodes (all), or
//	busy 0-3 9                   the others, or
//	leaves 3 2                   how many of the nodes at each leaf switch are free, or
//	..*.                         rows of a mesh, the highest first; dots are free, stars busy
//	gabl 3x2                     an allocator and the size or shape of a request
//
// The output has, for each request, the nodes in the order of their ranks; after leaves their
// number at each switch; after rows a drawing of the ranks.
func Stories(t *testing.T, table []allocation.Entry) {
	story.Run(t, "testdata/*.txt", func(t *testing.T, given []string) string {
		s, out := scene{t: t, table: table}, ""
		for _, line := range given {
			out += s.play(line)
		}
		return out
	})
}

// scene is the state of a story: machine and free nodes so far.
type scene struct {
	t       *testing.T
	table   []allocation.Entry
	machine topology.Topology
	free    []bool
	// width is the width of the rows, 0 without rows; perLeaf says that leaves were given.
	width   int
	perLeaf bool
}

// play handles a line of a story. For a request it returns the output.
func (s *scene) play(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "machine":
		s.machine = machineOf(s.t, rest)
		s.free = slices.Repeat([]bool{true}, s.machine.Nodes())
	case "free", "busy":
		for n := range s.free {
			s.free[n] = word == "busy"
		}
		for _, n := range nodesOf(rest) {
			s.free[n] = word == "free"
		}
	case "leaves":
		s.perLeaf = true
		s.freeLeaves(strings.Fields(rest))
	default:
		if strings.Trim(line, ".*") != "" {
			return line + ":" + s.ask(word, requestOf(rest)) + "\n"
		}
		s.addRow(line)
	}
	return ""
}

// addRow adds a row below the earlier rows.
func (s *scene) addRow(row string) {
	if s.width == 0 {
		s.free, s.width = nil, len(row)
	}
	var free []bool
	for _, c := range row {
		free = append(free, c == '.')
	}
	s.free = append(free, s.free...)
}

// freeLeaves frees the first nodes of each leaf switch.
func (s *scene) freeLeaves(counts []string) {
	var left []int
	for _, text := range counts {
		left = append(left, must.Have(strconv.Atoi(text)))
	}
	for n := range s.free {
		r, _ := s.machine.Attach(topology.Node(n))
		left[r]--
		s.free[n] = left[r] >= 0
	}
}

// ask returns the decision of an allocator.
func (s *scene) ask(text string, req allocation.Request) string {
	if s.machine == nil {
		s.machine = topologytest.Mesh(s.t, s.width, len(s.free)/s.width)
	}
	a, err := allocation.Named(s.table, text, site(s.machine))
	if err == nil {
		err = a.Check(req)
	}
	if err != nil {
		return " " + err.Error()
	}
	nodes, ok := Decide(s.t, text, a, s.free, FreeSet(s.free), req)
	switch {
	case !ok:
		return " waits"
	case s.perLeaf:
		return s.perSwitch(nodes)
	case s.width > 0:
		return s.drawing(nodes)
	}
	return listed(nodes)
}

// perSwitch counts the nodes at each leaf switch.
func (s *scene) perSwitch(nodes []topology.Node) string {
	last, _ := s.machine.Attach(topology.Node(len(s.free) - 1))
	counts := make([]int, last+1)
	for _, n := range nodes {
		r, _ := s.machine.Attach(n)
		counts[r]++
	}
	return " " + strings.Trim(fmt.Sprint(counts), "[]")
}

// drawing draws the ranks, with letters from rank 10 on.
func (s *scene) drawing(nodes []topology.Node) (out string) {
	for y := len(s.free)/s.width - 1; y >= 0; y-- {
		out += "\n"
		for x := range s.width {
			n := x + y*s.width
			switch rank := slices.Index(nodes, topology.Node(n)); {
			case rank >= 0:
				out += strconv.FormatInt(int64(rank), 36)
			case s.free[n]:
				out += "."
			default:
				out += "*"
			}
		}
	}
	return out
}

// listed writes nodes in their order, each run of consecutive ones as its ends.
func listed(nodes []topology.Node) (out string) {
	for i := 0; i < len(nodes); {
		end := i + 1
		for end < len(nodes) && nodes[end] == nodes[end-1]+1 {
			end++
		}
		out += fmt.Sprintf(" %d", nodes[i])
		if end > i+1 {
			out += fmt.Sprintf("-%d", nodes[end-1])
		}
		i = end
	}
	return out
}

// nodesOf reads nodes as listed writes them.
func nodesOf(text string) (nodes []int) {
	for word := range strings.FieldsSeq(text) {
		first, last, isRun := strings.Cut(word, "-")
		if !isRun {
			last = first
		}
		for n := must.Have(strconv.Atoi(first)); n <= must.Have(strconv.Atoi(last)); n++ {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// requestOf reads a size, a shape, or both as in "5 3x2".
func requestOf(text string) (req allocation.Request) {
	size, shape, both := strings.Cut(text, " ")
	if !both && strings.Contains(size, "x") {
		size, shape = "", size
	}
	req.Size = 1
	for side := range strings.SplitSeq(shape, "x") {
		if side != "" {
			req.Shape = append(req.Shape, must.Have(strconv.Atoi(side)))
			req.Size *= req.Shape[len(req.Shape)-1]
		}
	}
	if size != "" {
		req.Size = must.Have(strconv.Atoi(size))
	}
	return req
}

// machineOf makes the machine of a story.
func machineOf(t *testing.T, text string) topology.Topology {
	if levels, is := strings.CutPrefix(text, "switches "); is {
		return Switches(levels)
	}
	short, more, is := strings.Cut(text, " of ")
	if !is {
		return topologytest.Machine(t, short)
	}
	kind, shape, _ := strings.Cut(short, ":")
	dims, _ := topology.ParseDims(shape)
	nodes := must.Have(strconv.Atoi(more))
	if kind == "tree" {
		return topologytest.Tree(t, dims[0], dims[1], nodes)
	}
	return topologytest.Cube(t, topology.CubeConfig{Dims: dims, Concentration: nodes})
}

// Switches makes a tree of switches, such as "4 4 4 4 / 2 2 / 2": the nodes of each leaf switch,
// then for each level the numbers of switches below each of its switches.
func Switches(text string) topology.Topology {
	var c topology.GraphConfig
	below := 0 // the first router without a switch above it
	for level, counts := range strings.Split(text, "/") {
		for word := range strings.FieldsSeq(counts) {
			for range must.Have(strconv.Atoi(word)) {
				if level == 0 {
					c.Nodes = append(c.Nodes, topology.Router(c.Routers))
					continue
				}
				c.Links = append(c.Links, topology.GraphLink{From: topology.Router(below),
					To: topology.Router(c.Routers)})
				below++
			}
			c.Routers++
			c.Levels = append(c.Levels, level)
		}
	}
	return must.Have(topology.NewGraph(c))
}
