package center_test

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/allocation/center"
	"contend/internal/call"
	"contend/router/topology"
)

// space is the behaviour of the center-based allocators written for plainness. Every
// candidate is built in full, shells grow as the papers say, and distances are added
// pair by pair.
type space struct {
	dims  []int // always three
	wrap  []bool
	count int // number of the machine's own dimensions
	free  []bool
	known map[[4]int][]int // shells by center and shape; they do not depend on free
}

// spaceOf returns the space of a mesh or torus.
func spaceOf(m *topology.Cube, free []bool) space {
	s := space{[]int{1, 1, 1}, []bool{false, false, false}, len(m.Dims()), free, map[[4]int][]int{}}
	copy(s.dims, m.Dims())
	copy(s.wrap, m.Wrap())
	return s
}

func (s space) coordinates(n int) [3]int {
	return [3]int{n % s.dims[0], n / s.dims[0] % s.dims[1], n / s.dims[0] / s.dims[1]}
}

func (s space) gap(d, a, b int) int {
	gap := a - b
	if gap < 0 {
		gap = -gap
	}
	if s.wrap[d] && s.dims[d]-gap < gap {
		gap = s.dims[d] - gap
	}
	return gap
}

func (s space) distance(a, b int) int {
	sum := 0
	for d := range 3 {
		sum += s.gap(d, s.coordinates(a)[d], s.coordinates(b)[d])
	}
	return sum
}

func (s space) pairwise(nodes []int) int {
	sum := 0
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			sum += s.distance(a, b)
		}
	}
	return sum
}

func (s space) freeNodes() []int {
	var nodes []int
	for n, yes := range s.free {
		if yes {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// settings are the parameters of a call.
type settings struct {
	Name, LastShell, Corners            string
	ScanRadius, Available, Wall, Border int
}

func settingsOf(text string) settings {
	table := center.Allocators()
	i := slices.IndexFunc(table, func(e allocation.Entry) bool { return e.Name == call.Name(text) })
	v, _ := call.Parse(text, table[i].Parameters)
	c := settings{Name: v.Owner(), LastShell: v.Word("last_shell"), Corners: v.TextOf("corners")}
	if v.Has("wall") {
		c.ScanRadius, c.Available, c.Wall, c.Border = v.Int("scan_radius"), v.Int("available"),
			v.Int("wall"), v.Int("border")
	}
	return c
}

// allocate returns the nodes of the best candidate and the number of different best
// ones.
func (s space) allocate(c settings, req allocation.Request) (nodes []topology.Node, ties int,
	ok bool) {
	if req.Size > len(s.freeNodes()) || c.Name == "mc" && len(req.Shape) > s.count {
		return nil, 0, false
	}
	best, sets := plan{}, map[string]bool{}
	for i, p := range s.plans(c, req) {
		slices.Sort(p.nodes)
		if i > 0 && p.score < best.score {
			clear(sets)
		}
		if i == 0 || p.score < best.score || p.score == best.score && c.Name == "mc1x1-tie" &&
			p.tie < best.tie {
			best = p
		}
		if p.score == best.score {
			sets[fmt.Sprint(p.nodes)] = true
		}
	}
	if c.Name == "mm-inc" {
		best.nodes = s.improved(best.nodes)
	}
	for _, n := range best.nodes {
		nodes = append(nodes, topology.Node(n))
	}
	return nodes, len(sets), true
}

// improved makes the best exchange as long as one helps.
func (s space) improved(nodes []int) []int {
	for {
		least, better := s.pairwise(nodes), []int(nil)
		for i := range nodes {
			for _, n := range s.freeNodes() {
				if slices.Contains(nodes, n) {
					continue
				}
				changed := slices.Clone(nodes)
				changed[i] = n
				if sum := s.pairwise(changed); sum < least {
					least, better = sum, changed
				}
			}
		}
		if better == nil {
			return nodes
		}
		nodes = better
		slices.Sort(nodes)
	}
}
