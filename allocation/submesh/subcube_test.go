package submesh

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation/allocationtest"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// referenceSubcube tries every box of three dimensions at every place.
func referenceSubcube(dims [3]int, nodes int, free []bool, size int) ([]topology.Node, bool) {
	var best [3]int
	sum := func(b [3]int) int { return b[0] + b[1] + b[2] }
	product := func(b [3]int) int { return b[0] * b[1] * b[2] }
	for x := dims[0]; x > 0; x-- {
		for y := dims[1]; y > 0; y-- {
			for z := dims[2]; z > 0; z-- {
				b := [3]int{x, y, z}
				if product(b)*nodes >= size && (best[0] == 0 || sum(b) < sum(best) ||
					sum(b) == sum(best) && product(b) < product(best)) {
					best = b
				}
			}
		}
	}
	for first := range dims[0] * dims[1] * dims[2] {
		at := [3]int{first % dims[0], first / dims[0] % dims[1], first / dims[0] / dims[1]}
		if at[0]+best[0] > dims[0] || at[1]+best[1] > dims[1] || at[2]+best[2] > dims[2] {
			continue
		}
		var list []topology.Node
		for z := range best[2] {
			for y := range best[1] {
				for x := range best[0] {
					r := at[0] + x + dims[0]*(at[1]+y+dims[1]*(at[2]+z))
					for n := range nodes {
						list = append(list, topology.Node(r*nodes+n))
					}
				}
			}
		}
		if !slices.ContainsFunc(list, func(n topology.Node) bool { return !free[n] }) {
			return list, true
		}
	}
	return nil, false
}

func TestSubcubeAgainstReference(t *testing.T) {
	for _, k := range []struct {
		dims  [3]int
		nodes int
	}{{[3]int{5, 4, 1}, 2}, {[3]int{3, 4, 2}, 1}, {[3]int{2, 2, 2}, 3}, {[3]int{9, 1, 1}, 1},
		{[3]int{70, 3, 1}, 1}, {[3]int{3, 30, 2}, 2}} { // more routers than a word has bits
		machine := topologytest.Hyper(t, k.nodes, k.dims[:]...)
		allocationtest.Against(t, fmt.Sprint(k), makeForm(t, "subcube", machine),
			func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, machine) },
			func(free []bool, size int) ([]topology.Node, bool) {
				return referenceSubcube(k.dims, k.nodes, free, size)
			})
	}
}

// Jobs in boxes share no link under dimension order.
func TestSubcubesShareNoLink(t *testing.T) {
	machine := topologytest.Hyper(t, 2, 4, 4)
	w := router.NewWiring(machine, 1, 1)
	x := routes.NewHyperXOrder(w)
	if n := allocationtest.CheckIsolated(t, "subcube", makeForm(t, "subcube", machine), w, x,
		8); n < 4 {
		t.Errorf("at most %d jobs ran together", n)
	}
}

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
