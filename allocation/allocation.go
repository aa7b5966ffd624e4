// Package allocation chooses the nodes of a machine that a job gets.
//
// An Allocator receives the set of free nodes and a Request. It returns nodes in rank
// order and changes nothing. The caller takes and releases nodes through FreeSet. The
// documentation of each allocator cites the paper and section that define it.
//
// The typical use has four steps. Named makes the allocator of a call for a machine. Check refuses
// a request that the machine can never serve. Allocate returns the nodes of a request, or reports
// that it has to wait. FreeSet.Take and FreeSet.Release record the decision and the end of the job.
//
// Example: on a mesh of 4x4 whose left column is busy (*), the allocator mc1x1 of package center
// gives a job of four processors nodes 1, 2, 5 and 6. Node 0 is at the lower left, and digits are
// the ranks of the job's processes:
//
//	free        granted
//	* . . .     * . . .
//	* . . .     * . . .
//	* . . .     * 2 3 .
//	* . . .     * 0 1 .
//
// The families of allocators have packages of their own, which declare their entries: submesh,
// order, center, exact, tree and manager. Meter and TreeMeter measure how compact an allocation is.
package allocation

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"contend/internal/lifetime"
	"contend/router/topology"
)

// Request is a job's request for processors.
type Request struct {
	// Size is the number of processors, at least 1.
	Size int
	// Shape is the requested submesh, width first (x, then y, then z). Each side is at least 1, and
	// their product is Size. Shape is nil for a job with a size alone. An allocator that needs a shape
	// gives such a job the most nearly square shape that fits the machine (see NearSquare).
	Shape []int
}

// Allocator places jobs. It may keep working memory. Its answers depend on its arguments alone, and
// on the random stream if it draws.
type Allocator interface {
	// Allocate appends nodes for the request to dst, in rank order. It reports false
	// and leaves dst unchanged if the request has to wait. The job uses the first
	// req.Size nodes appended; the others are reserved with them (internal
	// fragmentation). All of them are free.
	Allocate(dst []topology.Node, free *FreeSet, req Request) ([]topology.Node, bool)
	// Check returns an error for a request that does not fit even an empty machine. The error says
	// which requests fit.
	Check(req Request) error
}

// Check returns an error for a request that is invalid on any machine, or that asks for
// more processors than this machine has.
func (r Request) Check(nodes int) error {
	if r.Size < 1 {
		return fmt.Errorf("asks for %d processors; a job needs at least one", r.Size)
	}
	if len(r.Shape) > 0 {
		product := 1
		for _, side := range r.Shape {
			if side < 1 {
				return fmt.Errorf("asks for a submesh of %s processors; each side must be at least 1",
					r.ShapeName())
			}
			if side > nodes/product {
				return fmt.Errorf("asks for %s processors; the machine has %d", r.ShapeName(), nodes)
			}
			product *= side
		}
		if product != r.Size {
			return fmt.Errorf("asks for %d processors in a submesh of %s, which has %d", r.Size,
				r.ShapeName(), product)
		}
	}
	if r.Size > nodes {
		return fmt.Errorf("asks for %d processors; the machine has %d", r.Size, nodes)
	}
	return nil
}

// MustMakeSense panics unless the request has at least one processor, and the number of processors
// of its shape. It guards every Allocate, because Check refuses such requests at submission.
func (r Request) MustMakeSense() {
	product := 1
	for _, side := range r.Shape {
		product *= side
	}
	if r.Size < 1 || len(r.Shape) > 0 && product != r.Size {
		panic(fmt.Sprintf("allocation: request for %d processors of shape %q", r.Size,
			r.ShapeName()))
	}
}

// ShapeName returns the shape as messages show it, such as 4x2.
func (r Request) ShapeName() string {
	var name []byte
	for i, side := range r.Shape {
		if i > 0 {
			name = append(name, 'x')
		}
		name = strconv.AppendInt(name, int64(side), 10)
	}
	return string(name)
}

// NearSquare returns the shape of a request for size processors without a shape on a
// machine of machineWidth by machineHeight: the most nearly square shape that fits the
// machine. It reports false if the machine has too few processors.
//
// The shape of width w has height ceil(size/w), the lowest that holds the request. Among the widths
// whose shape fits the machine NearSquare takes the one with the least |w-h|, and among equals the
// wider. On a large machine that is w = ceil(sqrt(size)), so that w-h is 0 or 1. The shape is wider
// if this shape is too tall for the machine, and narrower if it is too wide. Size 13 gets 4x4, 12
// gets 4x3, 8 gets 3x3. The w·h-size processors left over are reserved with the job. This internal
// fragmentation avoids the shapes of exact factors, such as 13x1.
func NearSquare(size, machineWidth, machineHeight int) (width, height int, ok bool) {
	if size < 1 {
		panic("allocation: shape for " + strconv.Itoa(size) + " processors")
	}
	if size > machineWidth*machineHeight {
		return 0, 0, false
	}
	for width*width < size {
		width++
	}
	width = max(width, (size+machineHeight-1)/machineHeight)
	width = min(width, machineWidth)
	return width, (size + width - 1) / width, true
}

// NearCube is NearSquare for a machine of any number of sides; it appends the sides of the shape.
// The last side of n is the smallest whose n-th power holds the size, or larger if the machine's
// other sides are too short. The other sides follow by the same rule, from the last to the first,
// and the first two are those of NearSquare. It reports false if the machine has too few
// processors.
func NearCube(dst []int, size int, machine []int) (sides []int, ok bool) {
	below := 1 // processors of the machine in the dimensions up to d
	for _, side := range machine {
		below *= side
	}
	if size > below {
		return dst, false
	}
	first := len(dst)
	sides = append(dst, machine...)
	for d := len(machine) - 1; d > 1; d-- {
		below /= machine[d]
		side := 1
		for !holds(side, d+1, size) {
			side++
		}
		side = min(max(side, (size+below-1)/below), machine[d])
		sides[first+d], size = side, (size+side-1)/side
	}
	if len(machine) == 1 {
		sides[first] = size
		return sides, true
	}
	sides[first], sides[first+1], ok = NearSquare(size, machine[0], machine[1])
	return sides, ok
}

// holds reports whether a cube of the given side has room for size processors.
func holds(side, dims, size int) bool {
	room := 1
	for range dims {
		if room *= side; room >= size {
			return true
		}
	}
	return false
}

// Site is the machine of an allocator, with its random stream and its orders.
type Site struct {
	// Machine is the machine to allocate, and Kind the name of its topology, such as mesh, if known.
	Machine topology.Topology
	Kind    string
	// Stream provides the draws of random. Other allocators do not need it.
	Stream *rand.Rand
	// Order returns the nodes of the machine in the named order. If nil, order.New returns them.
	Order func(name string, machine topology.Topology) ([]topology.Node, error)
	// Distances returns the hops on the machine. If nil, NewDistances returns them. Runs on one
	// machine may share them.
	Distances func(machine topology.Topology) (*Distances, error)
	// Run is the life of the run: an allocator with resources beyond memory registers there how to
	// release them, and reports failures there. It is nil if allocators are only checked.
	Run *lifetime.Run
}

// Rows returns the hops on the machine for one allocator.
func (s *Site) Rows() (*Rows, error) {
	if s.Distances == nil {
		return NewRows(s.Machine)
	}
	d, err := s.Distances(s.Machine)
	if err != nil {
		return nil, err
	}
	return d.rows(), nil
}

// Counting is an Allocator that reports whether it places every request for which enough nodes are
// free, wherever they are, and reserves no further nodes. A policy that looks ahead need not run
// such an allocator on future machines, because counting nodes is enough.
type Counting interface {
	CountDecides() bool
}

// CountDecides reports whether the number of free nodes alone decides what an allocator
// can place. An allocator that does not implement Counting is assumed to depend on the
// places of free nodes, which is always correct but slower.
func CountDecides(a Allocator) bool {
	c, ok := a.(Counting)
	return ok && c.CountDecides()
}

// TieCounter is an allocator that chooses among candidates by a score.
type TieCounter interface {
	// CountTies switches the counting of ties on or off. Counting costs time, so it is
	// off by default.
	CountTies(on bool)
	// Ties returns the number of different sets of processors with the best score in
	// the last decision that placed a job [Johnson et al. 2010, Fig. 4]. It is 1
	// without a tie and 0 if ties were not counted.
	Ties() int
}

// Explorer is an allocator that searches for an optimum.
type Explorer interface {
	// Explored returns the number of nodes of the search tree in the last decision. It
	// also reports whether the result is proven to be the optimum, which is false if
	// the search stopped at the limit.
	Explored() (nodes int, proven bool)
}
