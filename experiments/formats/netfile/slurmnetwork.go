package netfile

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Network returns the machine as a network of routers with levels: switches are routers, in the
// order of the file. Base blocks are routers of level 0, and the blocks that Slurm makes of 2^l
// neighbouring ones routers of level l, for the levels of BlockSizes. If none covers all of them, a
// router of BlockLevel does.
//
// Slurm's files say nothing of bandwidth. So each router has as many links up as down, divided by the
// taper of its level, and shared among the routers above it: without tapers no level has fewer links
// up than down. A router has at least one link to each above it.
func (s *Slurm) Network(tapers Tapers) (*Network, error) {
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
	if err := s.setLinkCounts(n, &tapers); err != nil {
		return nil, err
	}
	return n, n.finish()
}

// addRouter adds the router of a switch or block, with its nodes.
func (s *Slurm) addRouter(n *Network, r int, u slurmUnit, level int) error {
	n.line = u.line
	if err := n.defineRouter(r); err != nil {
		return err
	}
	n.routers[r].name, n.routers[r].level = u.name, level
	names, _ := expandHostlist(u.nodes, maxNodes)
	for _, name := range names {
		if err := n.attachNode(s.numbers[name], r); err != nil {
			return err
		}
	}
	return nil
}

// switchRouters makes routers of switches. A switch is one level above the highest below it.
func (s *Slurm) switchRouters(n *Network) error {
	at := map[string]int{}
	for i, u := range s.units {
		if err := s.addRouter(n, i, u, 0); err != nil {
			return err
		}
		at[u.name] = i
	}
	below := make([][]int, len(s.units))
	for i, u := range s.units {
		names, err := expandHostlist(u.switches, MaxRouters)
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
			if err := n.joinRouters(child, i, Times{}, 1); err != nil {
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
		if err := s.addRouter(n, i, u, 0); err != nil {
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
				if err := s.addRouter(n, len(n.routers), u, level); err != nil {
					return err
				}
			}
			if err := n.joinRouters(p.router, made[len(made)-1].router, Times{}, 1); err != nil {
				return err
			}
		}
		below = made
	}
	return nil
}

// setLinkCounts sets the number of parallel links of each pair of routers: see Network.
func (s *Slurm) setLinkCounts(n *Network, tapers *Tapers) error {
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
	var levels []int // those with links up
	for _, r := range order {
		if l := n.routers[r].level; len(up[r]) > 0 && !slices.Contains(levels, l) {
			levels = append(levels, l)
		}
	}
	if given := len(tapers.Levels); given > max(1, len(levels)) {
		return s.bad(0, "give the taper of the lowest level first, and none of the top", "there are "+
			"tapers of %d levels, and %d with links up", given, len(levels))
	}
	if err := s.checkTapered(n, up, tapers); err != nil {
		return err
	}
	down := make([]float64, len(n.routers)) // links down, before rounding to whole links
	for _, k := range n.attached {
		down[k.router]++
	}
	n.tapers = make([][2]float64, len(levels))
	for i := range n.tapers {
		n.tapers[i] = [2]float64{math.Inf(1), 0}
	}
	for _, r := range order {
		level := slices.Index(levels, n.routers[r].level)
		for _, above := range up[r] {
			share := down[r] / float64(len(up[r]))
			links := share / tapers.of(n.routers[r].name, level)
			down[above] += links
			k := n.links[[2]int{min(r, above), max(r, above)}]
			k.count = min(max(1, int(math.Ceil(links-1e-9))), maxCount)
			n.linkCount += k.count - 1
			of := &n.tapers[level]
			*of = [2]float64{min(of[0], share/float64(k.count)), max(of[1], share/float64(k.count))}
		}
	}
	return nil
}

// checkTapered refuses tapers of switches that the file does not have, or that have no links up.
func (s *Slurm) checkTapered(n *Network, up [][]int, tapers *Tapers) error {
	for _, name := range slices.Sorted(maps.Keys(tapers.Of)) {
		r := slices.IndexFunc(n.routers, func(r router) bool { return r.name == name })
		switch {
		case r < 0:
			return s.bad(0, "name switches of the file", "there is a taper of %s, and no such switch", name)
		case len(up[r]) == 0:
			return s.bad(0, "name switches below others", "there is a taper of %s, which has no links up",
				name)
		}
	}
	return nil
}

// Tapers returns the minimum and the maximum, over the routers of each level with links up from the
// lowest on, of links down for each link up. They differ from the given tapers by rounding to whole
// links.
func (n *Network) Tapers() [][2]float64 { return n.tapers }
