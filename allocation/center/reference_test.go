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

// plan is a candidate: its nodes, the shell of every node of the machine, and
// its scores.
type plan struct {
	nodes      []int
	shells     []int
	score, tie int
}

// shells grows shells around a submesh. A node is in shell i+1 if it is in none up to i
// and each of its coordinates differs by at most 1 from that of a node in shell i
// [Johnson et al. 2010, sec. I].
func (s space) shells(middle int, shape [3]int) []int {
	shells := make([]int, len(s.free))
	at := s.coordinates(middle)
	for n := range shells {
		shells[n] = -1
		inside := true
		for d, x := range s.coordinates(n) {
			in := false
			for offset := -(shape[d] - 1) / 2; offset <= shape[d]/2; offset++ {
				y := at[d] + offset
				if s.wrap[d] {
					y = (y + 10*s.dims[d]) % s.dims[d]
				}
				in = in || x == y
			}
			inside = inside && in
		}
		if inside {
			shells[n] = 0
		}
	}
	for shell := 0; slices.Contains(shells, -1); shell++ {
		for n := range shells {
			if shells[n] >= 0 {
				continue
			}
			for m := range shells {
				if shells[m] != shell {
					continue
				}
				near := true
				for d := range 3 {
					near = near && s.gap(d, s.coordinates(n)[d], s.coordinates(m)[d]) <= 1
				}
				if near {
					shells[n] = shell + 1
					break
				}
			}
		}
	}
	return shells
}

// around returns the candidate of a center. On entry the list of free nodes is in the
// order left by earlier candidates, on return in that of this candidate.
func (s space) around(list []int, middle int, shape [3]int, c settings, size int) plan {
	key := [4]int{middle, shape[0], shape[1], shape[2]}
	if s.known[key] == nil {
		s.known[key] = s.shells(middle, shape)
	}
	p := plan{shells: s.known[key]}
	toShell0 := func(n int) int {
		least := 1 << 30
		for m, shell := range p.shells {
			if shell == 0 {
				least = min(least, s.distance(n, m))
			}
		}
		return least
	}
	order := s.freeNodes()
	switch c.LastShell {
	case "", center.LastShellPrevious:
		order = list
	case center.LastShellL1:
		slices.SortStableFunc(order, func(a, b int) int { return toShell0(a) - toShell0(b) })
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.shells[a] - p.shells[b] })
	last := p.shells[order[size-1]]
	p.nodes = slices.Clone(order[:size])
	if c.LastShell == center.LastShellGreedy {
		p.nodes = nil
		var shell []int
		for _, n := range s.freeNodes() {
			if p.shells[n] < last {
				p.nodes = append(p.nodes, n)
			} else if p.shells[n] == last {
				shell = append(shell, n)
			}
		}
		for len(p.nodes) < size {
			best, least := 0, 1<<30
			for i, n := range shell {
				sum := 0
				for _, m := range p.nodes {
					sum += s.distance(n, m)
				}
				if sum < least {
					best, least = i, sum
				}
			}
			p.nodes = append(p.nodes, shell[best])
			shell = slices.Delete(shell, best, best+1)
		}
	}
	for _, n := range p.nodes {
		p.score += p.shells[n]
	}
	p.tie = s.tieScore(p, last, c)
	return p
}

// tieScore is [Johnson et al. 2010, sec. II], term by term.
func (s space) tieScore(p plan, last int, c settings) int {
	maxShell := last + c.ScanRadius
	reverse := func(n int) int { return maxShell - p.shells[n] + 1 }
	available, wall, border := 0, 0, 0
	for n, shell := range p.shells {
		taken := slices.Contains(p.nodes, n)
		if s.free[n] && !taken && shell <= maxShell {
			available += reverse(n)
		}
		if taken {
			walls := 0
			for d, x := range s.coordinates(n) {
				for _, end := range []int{0, s.dims[d] - 1} {
					if d < s.count && !s.wrap[d] && x == end {
						walls++
					}
				}
			}
			if c.Corners != center.CornersTwice {
				walls = min(walls, 1)
			}
			wall -= walls * reverse(n)
		}
		if !s.free[n] && shell == last+1 {
			border -= reverse(n)
		}
	}
	return c.Available*available + c.Wall*wall + c.Border*border
}

// orientations returns the different ways to turn a shape, the requested one first.
func (s space) orientations(shape [3]int) [][3]int {
	var all [][3]int
	for i := range 3 {
		for j := range 3 {
			k := 3 - i - j
			if i == j || k < 0 || k > 2 {
				continue
			}
			turned := [3]int{shape[i], shape[j], shape[k]}
			flat := true
			for d := s.count; d < 3; d++ {
				flat = flat && turned[d] == 1
			}
			if flat && !slices.Contains(all, turned) {
				all = append(all, turned)
			}
		}
	}
	return all
}

// nearest returns the candidate of Gen-Alg and MM. The list of free nodes is that of
// around.
func (s space) nearest(list []int, middle int, c settings, size int) plan {
	order := list
	if c.LastShell == center.LastShellNodeOrder || c.LastShell == center.LastShellGreedy {
		order = s.freeNodes()
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return s.distance(a, middle) - s.distance(b, middle)
	})
	nodes := slices.Clone(order[:size])
	if c.LastShell == center.LastShellGreedy {
		nodes = s.nearestGreedily(order, middle, size)
	}
	return plan{nodes: nodes, score: s.pairwise(nodes)}
}

// nearestGreedily takes all nodes nearer than the last one needed, and then one by one
// the node nearest to all taken.
func (s space) nearestGreedily(order []int, middle, size int) []int {
	var nodes, shell []int
	for _, n := range order {
		switch last := s.distance(order[size-1], middle); {
		case s.distance(n, middle) < last:
			nodes = append(nodes, n)
		case s.distance(n, middle) == last:
			shell = append(shell, n)
		}
	}
	toTaken := func(n int) int {
		sum := 0
		for _, m := range nodes {
			sum += s.distance(n, m)
		}
		return sum
	}
	for len(nodes) < size {
		best := slices.MinFunc(shell, func(a, b int) int { return toTaken(a) - toTaken(b) })
		nodes = append(nodes, best)
		shell = slices.DeleteFunc(shell, func(n int) bool { return n == best })
	}
	return nodes
}

// crossings returns the nodes whose coordinates are each that of a free node.
func (s space) crossings() []int {
	var all []int
	for n := range s.free {
		shared := [3]bool{}
		for _, m := range s.freeNodes() {
			for d := range 3 {
				shared[d] = shared[d] || s.coordinates(n)[d] == s.coordinates(m)[d]
			}
		}
		if shared == [3]bool{true, true, true} {
			all = append(all, n)
		}
	}
	return all
}

// plans lists all candidates.
func (s space) plans(c settings, req allocation.Request) []plan {
	var plans []plan
	list := s.freeNodes()
	switch c.Name {
	case "gen-alg":
		for _, n := range s.freeNodes() {
			plans = append(plans, s.nearest(list, n, c, req.Size))
		}
		return plans
	case "mm", "mm-inc":
		for _, n := range s.crossings() {
			plans = append(plans, s.nearest(list, n, c, req.Size))
		}
		return plans
	}
	shape := [3]int{1, 1, 1}
	if c.Name == "mc" {
		if req.Shape == nil {
			return s.plans(c, allocation.Request{Size: req.Size, Shape: s.shapeFor(req.Size)})
		}
		copy(shape[:], req.Shape)
	}
	for _, n := range s.freeNodes() {
		for _, turned := range s.orientations(shape) {
			plans = append(plans, s.around(list, n, turned, c, req.Size))
		}
	}
	return plans
}

// shapeFor returns the most nearly square shape, and in three dimensions the most
// nearly cubic one.
func (s space) shapeFor(size int) []int {
	plane := func(size int) []int {
		w, h, _ := allocation.NearSquare(size, s.dims[0], s.dims[1])
		return []int{w, h}
	}
	switch s.count {
	case 1:
		return []int{size}
	case 2:
		return plane(size)
	}
	for depth := 1; ; depth++ {
		fits := s.dims[0]*s.dims[1]*depth >= size
		if fits && (depth*depth*depth >= size || depth == s.dims[2]) {
			return append(plane((size+depth-1)/depth), depth)
		}
	}
}
