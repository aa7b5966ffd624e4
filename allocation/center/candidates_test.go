package center_test

import (
	"slices"

	"contend/allocation"
	"contend/allocation/center"
)

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
