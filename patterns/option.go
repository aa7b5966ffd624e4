package patterns

import (
	"cmp"
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
	if err := c.words(&o); err != nil {
		return o, err
	}
	if err := c.checkNumbers(); err != nil {
		return o, err
	}
	o.flits, o.repeat = int32(cmp.Or(c.Flits, 8)), cmp.Or(c.Repeat, 100)
	return o, nil
}

// words sets the options that are words. The first valid word is the default.
func (c Config) words(o *options) error {
	set := func(option *bool) func(int) { return func(i int) { *option = i == 1 } }
	for _, w := range []struct {
		option, word string
		valid        []string
		set          func(i int)
	}{
		{"order", c.Order, []string{"same", "rotated"}, func(i int) { o.order = Order(i) }},
		{"cut", c.Cut, []string{"round", "process", "phase", "iteration"}, func(i int) {
			if o.whole = i == 3; !o.whole {
				o.cut = Cut(i)
			}
		}},
		{"grid", c.Grid, []string{"square", "cube", "shape"}, func(int) {}}, // see dims
		{"cycle", c.Cycle, []string{"v", "by-dimension"}, set(&o.byDimension)},
		{"bits", c.Bits, []string{"highest-first", "lowest-first"}, set(&o.lowestFirst)},
		{"bodies", c.Bodies, []string{"half", "all"}, set(&o.allRound)},
		{"class", c.Class, Classes(), func(int) {}}, // see ofClass
	} {
		if w.word == "" {
			continue
		}
		i := slices.Index(w.valid, w.word)
		if i < 0 {
			return unknown(w.option, w.word, w.valid...)
		}
		w.set(i)
	}
	return nil
}

// checkNumbers checks the bounds of the options that are numbers.
func (c Config) checkNumbers() error {
	for _, f := range []struct {
		field        string
		value, limit int64
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
		if f.value < 0 || f.value > f.limit {
			return fmt.Errorf("%s is %d: it must be 0 (the default) to %d", f.field, f.value, f.limit)
		}
	}
	if rate := c.OperationsPerCycle; !(rate >= 0) || math.IsInf(rate, 1) {
		return fmt.Errorf("operations per cycle are %v: they must be a number of at least 0", rate)
	}
	if !(c.Scale >= 0 && c.Scale <= 1) {
		return fmt.Errorf("scale is %v: it must be above 0 and at most 1, or 0 (the default)", c.Scale)
	}
	return nil
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
