package allocation

import (
	"fmt"
	"strconv"
)

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

// MustMakeSense panics unless the request has a processor, and as many as its shape. It
// guards every Allocate, because Check refuses such requests at submission.
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
// The shape of width w has height ceil(size/w), the least that holds the request. Among
// the widths whose shape fits the machine NearSquare takes the one with the least
// |w-h|, and among equals the wider. On a large machine that is w = ceil(sqrt(size)),
// so that w-h is 0 or 1. The shape is wider if this is too tall for the machine, and
// narrower if it is too wide. Size 13 gets 4x4, 12 gets 4x3, 8 gets 3x3. The w·h-size
// processors left over are reserved with the job. This internal fragmentation avoids
// the shapes of exact factors, such as 13x1.
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

// NearCube appends NearSquare in as many dimensions as a machine of some sides has. The last side
// is the least whose power holds the size and that fits the machine with the other sides at their
// longest. The other sides follow in the same way, from the last to the first, and the first two
// are those of NearSquare. It reports false if the machine has too few processors.
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

// holds reports whether a cube of a side has room for a number of processors.
func holds(side, dims, size int) bool {
	room := 1
	for range dims {
		if room *= side; room >= size {
			return true
		}
	}
	return false
}
