package center

import (
	"contend/allocation"
	"contend/router/topology"
)

// Median gives a job the processors around a median. A candidate takes the k free processors
// nearest to its center. Its score is the sum of their pairwise distances. The least score
// wins, and among equals the first center in node order. LastShell decides among processors
// equally far from the center.
//
// Gen-Alg [Krumke et al., Theoretical Computer Science 181, 1997] uses the free processors as
// centers. It finds at most 2 - 2/k times the least sum in any metric space. MM [Bender et
// al., WADS 2005, sec. 2.1] uses all crossings of coordinates of free processors. It finds at
// most 2 - 1/(2d) times the least sum on a mesh of d dimensions (sec. 4.1), and the least sum
// itself for up to three processors (sec. 2.3). On a machine without coordinates all routers
// with nodes are its centers. MM+Inc (sec. 5) is MM followed by exchanges. Ties are those of MM.
// Ranks are in node order.
type Median struct {
	geometry
	tieCounter
	// Winner has the nodes of the last allocation, in their order.
	Winner []topology.Node

	nodes     int
	exchanges *exchanges // nil unless the allocator is MM+Inc
}

// geometry finds candidates by the distances of a kind of machine, and returns these distances.
type geometry interface {
	// search appends the nodes of the candidate of the least score, in node order, and returns the
	// score. It adds the sets of all candidates of that score to ties, if ties are counted.
	search(dst []topology.Node, free *allocation.FreeSet, size int,
		ties *tieCounter) ([]topology.Node, int64)
	// sumTo begins sums of the distances to some nodes.
	sumTo(nodes []topology.Node)
	// add adds a node to those nodes, or removes it if sign is -1.
	add(n topology.Node, sign int)
	// total returns the sum of the distances of a node to those nodes.
	total(n topology.Node) int
	metric
	// diameter returns a bound of all distances.
	diameter() int
}

// NewMedian returns gen-alg, mm or mm-inc for a machine, with one of LastShells but LastShellL1:
// by coordinates where it has them, else by hops.
func NewMedian(name string, s allocation.Site, last string) (*Median, error) {
	if last == "" {
		last = LastShells()[0].Name
	}
	a := &Median{nodes: s.Machine.Nodes()}
	if cube, ok := latticeCube(s.Machine); ok {
		a.geometry = newOnLattice(cube, name != "gen-alg", last)
	} else {
		hops, err := newByHops(name, s, last)
		if err != nil {
			return nil, err
		}
		a.geometry = hops
	}
	a.Winner = make([]topology.Node, 0, a.nodes)
	if name == "mm-inc" {
		a.exchanges = &exchanges{geometry: a.geometry}
	}
	return a, nil
}

// Check implements Allocator.
func (a *Median) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements Counting.
func (a *Median) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *Median) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.Search(free, req.Size)
	return append(dst, a.Winner...), true
}

// Search sets Winner to the best candidate and returns its score.
func (a *Median) Search(free *allocation.FreeSet, size int) (score int64) {
	a.clearSets()
	a.Winner, score = a.search(a.Winner[:0], free, size, &a.tieCounter)
	if a.countsTies {
		a.countSets()
	}
	if a.exchanges != nil {
		gained := int64(0)
		a.Winner, gained = a.exchanges.improve(a.Winner, free)
		score -= gained
	}
	return score
}
