package allocation

import (
	"fmt"
	"math"
	"strconv"
)

// check returns an error for a request that makes no sense on any machine, or
// asks for more processors than this one has.
func (r Request) check(nodes int) error {
	if r.Size < 1 {
		return fmt.Errorf("asks for %d processors; a job needs at least one", r.Size)
	}
	if len(r.Shape) > 0 {
		product := 1
		for _, side := range r.Shape {
			if side < 1 {
				return fmt.Errorf("asks for a submesh of %s processors; each side must be at least 1",
					shapeName(r.Shape))
			}
			product *= side
		}
		if product != r.Size {
			return fmt.Errorf("asks for %d processors in a submesh of %s, which has %d", r.Size,
				shapeName(r.Shape), product)
		}
	}
	if r.Size > nodes {
		return fmt.Errorf("asks for %d processors; the machine has %d", r.Size, nodes)
	}
	return nil
}

// sides returns the width and height asked for; ok is false for a request
// without a shape. A shape of one side is a row; one of more than two does not
// lie in a plane and is returned too high for any machine.
func (r Request) sides() (width, height int, ok bool) {
	switch len(r.Shape) {
	case 0:
		return 0, 0, false
	case 1:
		return r.Shape[0], 1, true
	case 2:
		return r.Shape[0], r.Shape[1], true
	}
	return r.Size, math.MaxInt32, true
}

// checkFlat refuses shapes that cannot lie in a plane.
func (r Request) checkFlat(g grid) error {
	if len(r.Shape) > 2 {
		return fmt.Errorf("asks for %s processors; the %s has two dimensions only", shapeName(r.Shape), g)
	}
	return nil
}

// mustMakeSense guards every Allocate: that a job has a processor, and as many
// as its shape, is for Check to say at submission.
func (r Request) mustMakeSense() {
	product := 1
	for _, side := range r.Shape {
		product *= side
	}
	if r.Size < 1 || len(r.Shape) > 0 && product != r.Size {
		panic(fmt.Sprintf("allocation: request for %d processors of shape %q", r.Size,
			shapeName(r.Shape)))
	}
}

func shapeName(shape []int) string {
	var name []byte
	for i, side := range shape {
		if i > 0 {
			name = append(name, 'x')
		}
		name = strconv.AppendInt(name, int64(side), 10)
	}
	return string(name)
}

// NearSquare returns the shape a request for size processors without a shape
// gets on a machine of machineWidth by machineHeight: the most nearly square
// one that fits the machine. ok is false when the machine has too few
// processors.
//
// The shape of width w has height ceil(size/w), the least that holds the
// request. Among the widths whose shape fits the machine the one of least
// |w-h| is taken, of two such the wider. On a large machine that is
// w = ceil(sqrt(size)), so that w-h is 0 or 1; where this is too tall for the
// machine it becomes wider, where it is too wide narrower. Size 13 gets 4x4,
// 12 gets 4x3, 8 gets 3x3. The w·h-size processors left over are reserved with
// the job: internal fragmentation, which exact factors would avoid at the
// price of shapes such as 13x1.
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
