package allocation

import (
	"fmt"

	"contend/netsim/topology"
)

// maxHomes is the greatest number of homes of a distance table. The table has its
// square in entries of two bytes.
const maxHomes = 8192

// distances holds the hops between all routers that carry nodes, called homes, of any
// machine. A breadth-first search over the channels finds them. Homes are numbered by
// their first nodes.
type distances struct {
	homes int
	home  []int32 // home of each node
	nodes []int32 // number of nodes at each home
	table []uint16
}

// newDistances returns an error for a machine that is too large for a table or not
// connected.
func newDistances(machine topology.Topology) (*distances, error) {
	d := &distances{home: make([]int32, machine.Nodes())}
	number := make([]int32, machine.Routers()) // number of a home plus one, 0 for other routers
	var routers []topology.Router
	for n := range d.home {
		r, _ := machine.Attach(topology.Node(n))
		if number[r] == 0 {
			routers = append(routers, r)
			d.nodes = append(d.nodes, 0)
			number[r] = int32(len(routers))
		}
		d.home[n] = number[r] - 1
		d.nodes[d.home[n]]++
	}
	if d.homes = len(routers); d.homes > maxHomes {
		return nil, fmt.Errorf("this machine has nodes on %d routers; a table of distances is made "+
			"for up to %d", d.homes, maxHomes)
	}
	d.table = make([]uint16, d.homes*d.homes)
	next := joined(machine)
	hops, queue := make([]int32, machine.Routers()), make([]topology.Router, 0, machine.Routers())
	for from, r := range routers {
		queue = search(hops, queue[:0], next, r)
		for to, r := range routers {
			if hops[r] < 0 {
				return nil,
					fmt.Errorf("this machine is not connected: there is no path from router %d to router %d",
						routers[from], r)
			}
			d.table[from*d.homes+to] = uint16(hops[r])
		}
	}
	return d, nil
}

// row returns the hops from a home to all others.
func (d *distances) row(from int32) []uint16 {
	return d.table[int(from)*d.homes : (int(from)+1)*d.homes]
}

// joined lists the neighbours of every router.
func joined(machine topology.Topology) [][]topology.Router {
	next := make([][]topology.Router, machine.Routers())
	for r := range next {
		for p := range topology.Port(machine.Ports()) {
			if to, _, ok := machine.Peer(topology.Router(r), p); ok {
				next[r] = append(next[r], to)
			}
		}
	}
	return next
}

// search sets hops to the distances of all routers from one, or -1 if there is no path.
// queue is working memory.
func search(hops []int32, queue []topology.Router, next [][]topology.Router,
	from topology.Router) []topology.Router {
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	queue = append(queue, from)
	for i := 0; i < len(queue); i++ {
		for _, to := range next[queue[i]] {
			if hops[to] < 0 {
				hops[to] = hops[queue[i]] + 1
				queue = append(queue, to)
			}
		}
	}
	return queue
}
