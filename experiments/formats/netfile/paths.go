package netfile

// Lengthen adds cycles to every link, in both directions. A link without a time takes
// one cycle, as in BookSim.
func (n *Network) Lengthen(cycles int) {
	for _, k := range n.links {
		k.up.Cycles, k.down.Cycles = max(k.up.Cycles, 1)+cycles, max(k.down.Cycles, 1)+cycles
	}
}

// IsTree reports whether a connected network has no cycles.
func (n *Network) IsTree() bool { return n.linkCount == len(n.routers)-1 }

// maxUniqueRouters bounds the networks that UniqueShortestPaths searches.
const maxUniqueRouters = 2048

// UniqueShortestPaths reports whether all links take the same cycles and there is one path of the
// fewest hops between any two routers. It reports false for networks above 2048 routers.
func (n *Network) UniqueShortestPaths() bool {
	if len(n.routers) > maxUniqueRouters || n.linkCount > len(n.pairs) {
		return false
	}
	first, next := n.links[n.pairs[0]], make([][]int, len(n.routers))
	for _, key := range n.pairs {
		if k := n.links[key]; k.up.Cycles != first.up.Cycles || k.down.Cycles != first.up.Cycles {
			return false
		}
		next[key[0]], next[key[1]] = append(next[key[0]], key[1]), append(next[key[1]], key[0])
	}
	for from := range next {
		if !uniqueFrom(next, from) {
			return false
		}
	}
	return true
}

// uniqueFrom reports whether there is one path of the fewest hops from a router to each other one.
func uniqueFrom(next [][]int, from int) bool {
	hops := make([]int, len(next))
	hops[from] = 1
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, to := range next[at] {
			switch hops[to] {
			case 0:
				hops[to] = hops[at] + 1
				queue = append(queue, to)
			case hops[at] + 1:
				return false
			}
		}
	}
	return true
}
