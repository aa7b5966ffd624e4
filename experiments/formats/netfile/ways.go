package netfile

// Lengthen adds cycles to every link, in both directions. A link of which none are given takes
// one, as in BookSim.
func (n *Network) Lengthen(cycles int) {
	for _, k := range n.links {
		k.up.Cycles, k.down.Cycles = max(k.up.Cycles, 1)+cycles, max(k.down.Cycles, 1)+cycles
	}
}

// Tree reports whether there is one way only between any two routers, if they are joined.
func (n *Network) Tree() bool { return n.all == len(n.routers)-1 }

// soleRouters bounds the graphs in which SoleWays looks for ways.
const soleRouters = 2048

// SoleWays reports whether all links take the same cycles and one way has fewest hops between
// any two routers. Of graphs above 2048 routers it does not know.
func (n *Network) SoleWays() bool {
	if len(n.routers) > soleRouters || n.all > len(n.order) {
		return false
	}
	first, next := n.links[n.order[0]], make([][]int, len(n.routers))
	for _, key := range n.order {
		if k := n.links[key]; k.up.Cycles != first.up.Cycles || k.down.Cycles != first.up.Cycles {
			return false
		}
		next[key[0]], next[key[1]] = append(next[key[0]], key[1]), append(next[key[1]], key[0])
	}
	for from := range next {
		if !soleFrom(next, from) {
			return false
		}
	}
	return true
}

// soleFrom looks for a router with two ways of fewest hops from one.
func soleFrom(next [][]int, from int) bool {
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
