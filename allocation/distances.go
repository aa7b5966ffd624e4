package allocation

import (
	"fmt"
	"math"
	"slices"

	"contend/router/topology"
)

// maxHomes is the greatest number of homes of a distance table. The table has its
// square in entries of two bytes.
const maxHomes = 8192

// Distances holds the hops between all routers that carry nodes, called homes, of any
// machine. A breadth-first search over the channels finds them. Homes are numbered by
// their first nodes. Several allocators may use it at the same time.
//
// A machine that counts hops and has too many homes for a table has no table: its distances are
// counted a row at a time, when they are needed.
type Distances struct {
	Homes int
	Home  []int32         // Home of each node
	Nodes []int32         // number of nodes at each home
	first []topology.Node // first node of each home
	Max   int             // the greatest distance, or an upper bound of it
	table []uint16        // table[a*Homes+b]: hops from home a to home b; nil if count is set
	count topology.Metric // counts hops without a table
}

// NewDistances returns the distances on a machine. It returns an error for a machine that is not
// connected, that is too large for a table and is not a topology.Metric, or whose nodes may be more
// hops apart than two bytes hold.
func NewDistances(machine topology.Topology) (*Distances, error) {
	d := homesOfMachine(machine)
	if d.Homes <= maxHomes {
		return d, d.fill(machine)
	}
	metric, ok := machine.(topology.Metric)
	if !ok {
		return nil, d.tooLarge()
	}
	d.count = metric
	switch machine := machine.(type) {
	case *topology.Cube:
		for i, n := range machine.Dims() {
			if machine.Wrap()[i] {
				d.Max += n / 2
			} else {
				d.Max += n - 1
			}
		}
	case *topology.Tree:
		d.Max = 2 * (machine.Levels() - 1)
	case *topology.FatTree:
		d.Max = 2 * (machine.Levels() - 1)
	default:
		if err := d.bound(machine); err != nil {
			return nil, err
		}
	}
	return d, d.countable()
}

// countable returns an error if two bytes cannot hold the greatest distance.
func (d *Distances) countable() error {
	if d.Max > math.MaxUint16 {
		return fmt.Errorf("nodes of this machine may be %d hops apart; hops are counted up to %d",
			d.Max, math.MaxUint16)
	}
	return nil
}

// bound sets Max for a machine of any kind. No two homes are further apart than twice the greatest
// distance from the first home.
func (d *Distances) bound(machine topology.Topology) error {
	from, _ := machine.Attach(d.first[0])
	hops := make([]int32, machine.Routers())
	search(hops, nil, neighbours(machine), from)
	for _, n := range d.first {
		r, _ := machine.Attach(n)
		if hops[r] < 0 {
			return notConnected(from, r)
		}
		d.Max = max(d.Max, 2*int(hops[r]))
	}
	return nil
}

// notConnected is the error for two routers without a path.
func notConnected(from, to topology.Router) error {
	return fmt.Errorf("this machine is not connected: there is no path from router %d to "+
		"router %d", from, to)
}

// NewTable returns distances with a table, or an error for a machine that is too large for a table.
func NewTable(machine topology.Topology) (*Rows, error) {
	d := homesOfMachine(machine)
	if d.Homes > maxHomes {
		return nil, d.tooLarge()
	}
	return d.rows(), d.fill(machine)
}

// tooLarge is the error for a machine with too many homes for a table.
func (d *Distances) tooLarge() error {
	return fmt.Errorf("this machine has nodes on %d routers; a table of distances is made "+
		"for up to %d", d.Homes, maxHomes)
}

// TableBytes returns the size of a table of distances in bytes, for a machine with
// nodes on that many routers. It is 0 for a machine that needs no table.
func TableBytes(homes int) int64 {
	if homes > maxHomes {
		return 0
	}
	return 2 * int64(homes) * int64(homes)
}

// homesOfMachine returns distances without a table.
func homesOfMachine(machine topology.Topology) *Distances {
	d := &Distances{Home: make([]int32, machine.Nodes())}
	number := make([]int32, machine.Routers()) // number of a home plus one, 0 for other routers
	for n := range d.Home {
		r, _ := machine.Attach(topology.Node(n))
		if number[r] == 0 {
			d.first = append(d.first, topology.Node(n))
			d.Nodes = append(d.Nodes, 0)
			number[r] = int32(len(d.first))
		}
		d.Home[n] = number[r] - 1
		d.Nodes[d.Home[n]]++
	}
	d.Homes = len(d.first)
	return d
}

// fill sets the table and Max.
func (d *Distances) fill(machine topology.Topology) error {
	routers := make([]topology.Router, d.Homes)
	for home, n := range d.first {
		routers[home], _ = machine.Attach(n)
	}
	d.table = make([]uint16, d.Homes*d.Homes)
	if rows, ok := machine.(topology.RowMetric); ok && !isGraph(machine) {
		d.fillRows(rows, routers)
		return d.countable()
	}
	next := neighbours(machine)
	hops, queue := make([]int32, machine.Routers()), make([]topology.Router, 0, machine.Routers())
	for from, r := range routers {
		queue = search(hops, queue[:0], next, r)
		for to, r := range routers {
			if hops[r] < 0 {
				return notConnected(routers[from], r)
			}
			d.table[from*d.Homes+to] = uint16(hops[r])
			d.Max = max(d.Max, int(hops[r]))
		}
	}
	return d.countable()
}

// isGraph reports whether a machine is a graph, whose HopsFrom searches as search does.
func isGraph(machine topology.Topology) bool {
	_, ok := machine.(*topology.Graph)
	return ok
}

// fillRows sets the table of a machine that returns its distances row by row.
func (d *Distances) fillRows(machine topology.RowMetric, routers []topology.Router) {
	hops := make([]uint16, machine.Routers())
	for from, r := range routers {
		machine.HopsFrom(r, hops)
		row := d.table[from*d.Homes : (from+1)*d.Homes]
		for to, r := range routers {
			row[to] = hops[r]
			d.Max = max(d.Max, int(hops[r]))
		}
	}
}

// neighbours lists the neighbours of every router.
func neighbours(machine topology.Topology) [][]topology.Router {
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

// Rows is Distances with working memory of one allocator.
type Rows struct {
	*Distances
	counted []uint16 // a row, if there is no table

	// routers are the routers of the homes, and hops has a row from one router to all routers, for a
	// topology.RowMetric. all says that every router is a home, in the same order.
	routers []topology.Router
	hops    []uint16
	all     bool
}

// NewRows returns the distances on a machine for one allocator.
func NewRows(machine topology.Topology) (*Rows, error) {
	d, err := NewDistances(machine)
	if err != nil {
		return nil, err
	}
	return d.rows(), nil
}

// rows returns distances for one allocator.
func (d *Distances) rows() *Rows {
	k := &Rows{Distances: d}
	if d.count == nil {
		return k
	}
	k.counted = make([]uint16, d.Homes)
	if m, ok := d.count.(topology.RowMetric); ok {
		for _, n := range d.first {
			r, _ := m.Attach(n)
			k.routers = append(k.routers, r)
		}
		k.hops = make([]uint16, m.Routers())
		k.all = len(k.routers) == len(k.hops) && slices.IsSorted(k.routers)
	}
	return k
}

// Row returns the hops from a home to all others. They are valid until the next call.
func (d *Rows) Row(from int32) []uint16 {
	if d.table != nil {
		return d.table[int(from)*d.Homes : (int(from)+1)*d.Homes]
	}
	switch m := d.count.(type) {
	case *topology.Tree:
		d.onTree(m.FatTree, from)
	case *topology.FatTree:
		d.onTree(m, from)
	case topology.RowMetric:
		m.HopsFrom(d.routers[from], d.hops)
		if d.all {
			return d.hops
		}
		for to, r := range d.routers {
			d.counted[to] = d.hops[r]
		}
	default:
		for to, n := range d.first {
			d.counted[to] = uint16(m.Distance(d.first[from], n))
		}
	}
	return d.counted
}

// between returns the hops from one home to another, where there is no table.
func (d *Rows) between(a, b int32) int { return d.count.Distance(d.first[a], d.first[b]) }

// onTree counts the hops from a home of a tree to all others.
func (d *Rows) onTree(tree *topology.FatTree, from int32) {
	for level := tree.Levels() - 1; level >= 0; level-- {
		below := tree.Span(level) / tree.Span(0) // homes under a router of the level
		first := int(from) / below * below
		within := d.counted[first:min(first+below, d.Homes)]
		for i := range within {
			within[i] = uint16(2 * level)
		}
	}
}
