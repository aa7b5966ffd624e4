package tree

import (
	"fmt"

	"contend/router/topology"
)

// NewHyperRows returns the allocator rows: fewest with the rows of a HyperX as groups. A
// row is the routers that differ in the first coordinate alone. A job in one row needs one
// hop from router to router.
//
// [Cano et al., "Resource Allocation in HyperX Networks", arXiv:2605.28205, 2026] compare
// linear, geometric and random placements on a HyperX, and find a diagonal one best in most
// cases. Only the abstract was available. The definitions of rows, diagonals and subcubes
// are ours.
func NewHyperRows(machine topology.Topology) (*fewest, error) {
	h, err := hyperX("rows", machine)
	if err != nil {
		return nil, err
	}
	side := h.Dims()[0]
	return newFewest(newDivision(h, func(r topology.Router) int { return int(r) / side }), true), nil
}

// NewDiagonal returns the allocator diagonal: fewest with the diagonals of a HyperX as
// groups. A diagonal has one router for each coordinate of the dimension with the fewest
// routers, the first of equals. From one to the next all coordinates grow by one, modulo
// the side of each dimension. No two routers of a diagonal have a coordinate in common. So with
// two or more dimensions dimension order leads every packet between them over a router outside,
// and a pair has as many shortest paths as the dimensions have orders.
func NewDiagonal(machine topology.Topology) (*fewest, error) {
	h, err := hyperX("diagonal", machine)
	if err != nil {
		return nil, err
	}
	dims, along := h.Dims(), 0
	for d, n := range dims {
		if n < dims[along] {
			along = d
		}
	}
	// A diagonal is known by how far its other coordinates are ahead.
	return newFewest(newDivision(h, func(r topology.Router) int {
		number, at := 0, h.Coordinate(r, along)
		for d := len(dims) - 1; d >= 0; d-- {
			if d != along {
				number = number*dims[d] + (h.Coordinate(r, d)-at+dims[d])%dims[d]
			}
		}
		return number
	}), true), nil
}

// hyperX returns the machine as a HyperX, or an error that names the allocator.
func hyperX(allocator string, machine topology.Topology) (*topology.HyperX, error) {
	h, ok := machine.(*topology.HyperX)
	if !ok {
		return nil, fmt.Errorf("allocator %s needs a HyperX; this machine is none", allocator)
	}
	return h, nil
}
