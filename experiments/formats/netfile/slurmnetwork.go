package netfile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Network returns the machine as a network of routers with levels: switches are routers, in the
// order of the file. Base blocks are routers of level 0, and the blocks that Slurm makes of 2^l
// neighbouring ones routers of level l, for the levels of BlockSizes. If none covers all of them, a
// router of BlockLevel does.
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
	s.setLinkCounts(n, taper)
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
func (s *Slurm) setLinkCounts(n *Network, taper float64) {
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
	for _, k := range n.attached {
		carried[k.router]++
	}
	n.tapers = [2]float64{math.Inf(1), 0}
	for _, r := range order {
		for _, above := range up[r] {
			share := carried[r] / float64(len(up[r]))
			carried[above] += share
			k := n.links[[2]int{min(r, above), max(r, above)}]
			k.count = min(max(1, int(math.Ceil(share/taper-1e-9))), maxCount)
			n.linkCount += k.count - 1
			n.tapers = [2]float64{min(n.tapers[0], share/float64(k.count)),
				max(n.tapers[1], share/float64(k.count))}
		}
	}
	if n.tapers[1] == 0 {
		n.tapers = [2]float64{taper, taper}
	}
}

// Tapers returns the minimum and the maximum, over routers, of nodes below a router for each of
// its links up, which differ from the requested taper by rounding to whole links. Both are the
// requested taper if no router has a link up. Nodes below a router are shared among the routers
// above it.
func (n *Network) Tapers() (lowest, highest float64) { return n.tapers[0], n.tapers[1] }
