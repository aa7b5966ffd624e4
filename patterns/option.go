package patterns

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// options holds the options of a Config as values, with defaults applied.
type options struct {
	order       Order
	flits       int32
	repeat      int
	cut         Cut
	whole       bool // round up the quota to whole iterations
	byDimension bool // multigrid by dimension
	lowestFirst bool // fft from the lowest bit up
	allRound    bool // n-body passes bodies round the whole ring
}

// options checks all options, whatever the pattern.
func (c Config) options() (options, error) {
	var o options
	switch c.Order {
	case "", "same":
	case "rotated":
		o.order = OrderRotated
	default:
		return o, unknown("order", c.Order, "same", "rotated")
	}
	switch c.Cut {
	case "", "round":
	case "process":
		o.cut = CutProcess
	case "phase":
		o.cut = CutPhase
	case "iteration":
		o.whole = true
	default:
		return o, unknown("cut", c.Cut, "round", "process", "phase", "iteration")
	}
	switch c.Grid {
	case "", "square", "cube", "shape":
	default:
		return o, unknown("grid", c.Grid, "square", "cube", "shape")
	}
	switch c.Cycle {
	case "", "v":
	case "by-dimension":
		o.byDimension = true
	default:
		return o, unknown("cycle", c.Cycle, "v", "by-dimension")
	}
	switch c.Bits {
	case "", "highest-first":
	case "lowest-first":
		o.lowestFirst = true
	default:
		return o, unknown("bits", c.Bits, "highest-first", "lowest-first")
	}
	switch c.Bodies {
	case "", "half":
	case "all":
		o.allRound = true
	default:
		return o, unknown("bodies", c.Bodies, "half", "all")
	}
	if c.Class != "" && !slices.Contains(Classes(), c.Class) {
		return o, unknown("class", c.Class, Classes()...)
	}
	for _, f := range []struct {
		field       string
		value, most int64
	}{
		{"flits", int64(c.Flits), math.MaxInt32},
		{"iterations", c.Iterations, math.MaxInt64},
		{"repeat", int64(c.Repeat), math.MaxInt32},
		{"compute_cycles", c.ComputeCycles, 1 << 48}, {"pause_cycles", c.PauseCycles, 1 << 48},
		{"levels", int64(c.Levels), math.MaxInt32},
		{"bytes", c.Bytes, math.MaxInt32},
		{"flit_bytes", int64(c.FlitBytes), math.MaxInt32},
		{"pad_flits", int64(c.PadFlits), math.MaxInt32},
	} {
		if f.value < 0 || f.value > f.most {
			return o, fmt.Errorf("%s is %d: it must be 0 (the default) to %d", f.field, f.value, f.most)
		}
	}
	if !(c.Scale >= 0 && c.Scale <= 1) {
		return o, fmt.Errorf("scale is %v: it must be above 0 and at most 1, or 0 (the default)", c.Scale)
	}
	o.flits, o.repeat = int32(c.Flits), c.Repeat
	if o.flits == 0 {
		o.flits = 8
	}
	if o.repeat == 0 {
		o.repeat = 100
	}
	return o, nil
}

// dims returns the process grid for n processes.
func (c Config) dims(n int, shape []int) ([]int, error) {
	switch c.Grid {
	case "", "square":
		w, h := NearSquare(n)
		return []int{w, h}, nil
	case "cube":
		x, y, z := NearCube(n)
		return []int{x, y, z}, nil
	}
	if len(shape) == 0 {
		return nil, fmt.Errorf("pattern %s: grid = shape, but the job of %d processes has none: use "+
			"grid = square", c.Name, n)
	}
	product := 1
	for _, d := range shape {
		if d < 1 || d > n/product {
			product = 0
			break
		}
		product *= d
	}
	if product != n {
		return nil, fmt.Errorf("pattern %s: grid = shape: the shape %v is not one of %d processes",
			c.Name, shape, n)
	}
	return shape, nil
}

// unknown returns the error for a name that is not one of the valid ones.
func unknown(what, name string, valid ...string) error {
	return fmt.Errorf("unknown %s %q: there are %s", what, name, strings.Join(valid, ", "))
}
