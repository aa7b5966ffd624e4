package submesh

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// plainSDSC is the allocator in its plainest form: block by block it goes through all places.
type plainSDSC struct {
	cube *topology.Cube
	free []bool // and not of the job
	// first and last bound the coordinates of the node set that is examined in its last dimension.
	first, last int
}

// node returns the node at coordinates.
func (m *plainSDSC) node(at []int) (n topology.Node) {
	for d := len(at) - 1; d >= 0; d-- {
		n = n*topology.Node(m.cube.Dims()[d]) + topology.Node(at[d])
	}
	return n
}

// cells returns the nodes of a block, nil if it lies partly outside of the node set or is not free.
func (m *plainSDSC) cells(corner []int, side int) (nodes []topology.Node) {
	count := 1
	for d, x := range corner {
		last := m.cube.Dims()[d]
		if d == len(corner)-1 {
			last = m.last
		}
		if x+side > last {
			return nil
		}
		count *= side
	}
	for i := range count {
		at := slices.Clone(corner)
		for d := range at {
			at[d] += i % side
			i /= side
		}
		if !m.free[m.node(at)] {
			return nil
		}
		nodes = append(nodes, m.node(at))
	}
	return nodes
}

// corners returns the lowest corners of the free blocks of a side, row-major.
func (m *plainSDSC) corners(side int) (all [][]int) {
	for n := range m.free {
		at := make([]int, len(m.cube.Dims()))
		for d, length := range m.cube.Dims() {
			at[d] = n % length
			n /= length
		}
		aligned := at[len(at)-1] >= m.first
		for d, x := range at {
			if d == len(at)-1 {
				x -= m.first
			}
			aligned = aligned && x%side == 0
		}
		if aligned && m.cells(at, side) != nil {
			all = append(all, at)
		}
	}
	return all
}

// buddy returns the block that 2-D buddy grants: of the smallest free block with room, the first.
func (m *plainSDSC) buddy(side int) []int {
	for whole := side; ; whole *= 2 {
		larger := m.corners(2 * whole)
		for _, at := range m.corners(whole) {
			inside := slices.ContainsFunc(larger, func(l []int) bool {
				for d := range l {
					if at[d] < l[d] || at[d] >= l[d]+2*whole {
						return false
					}
				}
				return true
			})
			if !inside {
				return at
			}
		}
	}
}

// apart adds up the distances of the corresponding corners of two blocks, corner by corner.
func (m *plainSDSC) apart(a []int, sideA int, b []int, sideB int) (sum int) {
	for corner := range 1 << len(a) {
		x, y := slices.Clone(a), slices.Clone(b)
		for d := range a {
			x[d] += corner >> d & 1 * (sideA - 1)
			y[d] += corner >> d & 1 * (sideB - 1)
		}
		sum += m.cube.Distance(m.node(x), m.node(y))
	}
	return sum
}

// allocate returns the nodes of a job.
func (m *plainSDSC) allocate(sets, size int) (nodes []topology.Node) {
	var anchor []int
	anchorSide := 0
	rows := m.cube.Dims()[len(m.cube.Dims())-1]
	for i := range sets {
		m.first, m.last = i*rows/sets, (i+1)*rows/sets
		side := 1
		for 2*side <= rows {
			side *= 2
		}
		for size > 0 && side > 0 {
			volume := 1
			for range m.cube.Dims() {
				volume *= side
			}
			places := m.corners(side)
			if volume > size || len(places) == 0 {
				side /= 2
				continue
			}
			if anchor == nil {
				anchor, anchorSide = m.buddy(side), side
			}
			best := slices.MinFunc(places, func(a, b []int) int {
				return m.apart(anchor, anchorSide, a, side) - m.apart(anchor, anchorSide, b, side)
			})
			block := m.cells(best, side)
			for _, n := range block {
				m.free[n] = false
			}
			nodes, size = append(nodes, block...), size-volume
		}
	}
	return nodes
}

// The allocator decides as its plain form on meshes and tori of one to four dimensions.
func TestSDSCAgainstPlain(t *testing.T) {
	for _, short := range []string{"mesh:8x8", "torus:8x8", "mesh:7x5", "torus:5x6", "mesh:1x9",
		"mesh:9", "mesh:4x4x4", "torus:4x3x5", "mesh:2x2x2x3"} {
		machine := topologytest.Machine(t, short).(*topology.Cube)
		rows := machine.Dims()[len(machine.Dims())-1]
		for _, sets := range []int{1, 2, rows} {
			text := fmt.Sprintf("sdsc:%d", sets)
			draw := func(rt *rapid.T) []bool {
				return allocationtest.DrawFree(rt, machine.Dims()[0], machine.Nodes()/machine.Dims()[0])
			}
			plain := func(free []bool, size int) ([]topology.Node, bool) {
				m := plainSDSC{cube: machine, free: slices.Clone(free)}
				return m.allocate(sets, size), true
			}
			allocationtest.Against(t, text+" on "+short, makeForm(t, text, machine), draw, plain)
		}
	}
}
