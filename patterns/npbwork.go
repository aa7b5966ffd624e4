package patterns

import (
	"fmt"
	"math"
	"slices"
)

// The problem sizes of the NAS benchmarks, one for each of Classes.
var (
	ftGrids = [...][3]int64{{64, 64, 64}, {128, 128, 32}, {256, 256, 128}, {512, 256, 256},
		{512, 512, 512}}
	isSizes = [...]struct{ keys, buckets int64 }{{1 << 16, 1 << 9}, {1 << 20, 1 << 10},
		{1 << 23, 1 << 10}, {1 << 25, 1 << 10}, {1 << 27, 1 << 10}}
	cgSizes = [...]struct{ unknowns, nonzeros int64 }{{1400, 7}, {7000, 8}, {14000, 11},
		{75000, 13}, {150000, 15}} // nonzeros of the vectors that make up a row of the matrix
	mgSides = [...]int64{32, 128, 256, 256, 512}
	luSides = [...]int64{12, 33, 64, 102, 162}
	btSides = [...]int64{12, 24, 64, 102, 162}
	spSides = [...]int64{12, 36, 64, 102, 162}
)

// Operations returns the number of operations in the timed part of a NAS benchmark in a
// class. It reports false if the benchmark or class does not exist. It is the number
// that the benchmark itself divides by its time to print Mop/s: the formulas are those
// of ft.f, cg.f, mg.f, lu.f, bt.f, sp.f and is.c in NPB 3.3. Operations are in floating
// point, except those of IS: there an operation is the ranking of one integer key.
func Operations(name, class string) (float64, bool) {
	times, ok := Iterations(name, class)
	if !ok {
		return 0, false
	}
	return benchmarks[name].operations(slices.Index(Classes(), class), float64(times)), true
}

// benchmarks are the NAS benchmarks: the iterations of each of Classes, and a function that returns
// the operations of all iterations of a class.
var benchmarks = map[string]struct {
	iterations [5]int
	operations func(class int, times float64) float64
}{
	"npb-ft": {[...]int{7, 7, 7, 21, 21}, func(class int, times float64) float64 {
		g := ftGrids[class]
		points := float64(g[0] * g[1] * g[2])
		log := math.Log(points)
		return points * (14.8157 + 7.19641*log + (5.23518+7.21113*log)*(times-1))
	}},
	"npb-is": {[...]int{10, 10, 10, 10, 10}, func(class int, times float64) float64 {
		return times * float64(isSizes[class].keys)
	}},
	"npb-cg": {[...]int{15, 15, 15, 75, 75}, func(class int, times float64) float64 {
		size := cgSizes[class]
		perRow := float64(size.nonzeros * (size.nonzeros + 1))
		return 2 * times * float64(size.unknowns) * (3 + perRow + cgSteps*(5+perRow) + 3)
	}},
	"npb-mg": {[...]int{4, 4, 4, 20, 20}, func(class int, times float64) float64 {
		return 58 * times * cubePolynomial(mgSides[class], 1, 0, 0, 0)
	}},
	"npb-lu": {[...]int{50, 300, 250, 250, 250}, func(class int, times float64) float64 {
		return times * cubePolynomial(luSides[class], 1984.77, -10923.3, 27770.9, -144010)
	}},
	"npb-bt": {[...]int{60, 200, 200, 200, 200}, func(class int, times float64) float64 {
		return times * cubePolynomial(btSides[class], 3478.8, -17655.7, 28023.7, 0)
	}},
	"npb-sp": {[...]int{100, 400, 400, 400, 400}, func(class int, times float64) float64 {
		return times * cubePolynomial(spSides[class], 881.174, -4683.91, 11484.5, -19272.4)
	}},
}

// cubePolynomial returns a polynomial in the side of a cube of points.
func cubePolynomial(side int64, third, second, first, none float64) float64 {
	s := float64(side)
	return third*s*s*s + second*s*s + first*s + none
}

// maxWorkCycles is the longest computation of an iteration.
const maxWorkCycles = 1 << 48

// steppedCode is a code whose processes compute in steps.
type steppedCode interface {
	Code
	// steps returns the maximum number of computations of a process in an iteration.
	steps() int64
}

// workCycles returns the cycles that every process computes in an iteration. They are 0
// if operations take no time, or for other patterns than the NAS benchmarks.
func (c Config) workCycles(t *traffic) (int64, error) {
	operations, ok := Operations(t.name, t.class)
	if !ok || c.OperationsPerCycle == 0 {
		return 0, nil
	}
	iterations, _ := Iterations(t.name, t.class)
	cycles := math.Round(operations / (float64(iterations) * float64(t.n)) / c.OperationsPerCycle)
	if cycles > maxWorkCycles {
		return 0, fmt.Errorf("pattern %s of class %s: with %g operations a cycle, %d processes compute "+
			"for %.3g cycles in an iteration: at most 2^48 are possible", t.name, t.class,
			c.OperationsPerCycle, t.n, cycles)
	}
	return int64(cycles), nil
}

// NewCode returns one iteration of the configured pattern for n processes, if the
// pattern has a code.
func NewCode(c Config, n int) (Code, error) {
	code, _, err := c.newWorkingCode(n)
	return code, err
}

// newWorkingCode returns the code of a pattern whose operations take time. The steps of
// an iteration are equally long, in whole cycles. The rest is the time that a process
// computes besides, between two iterations, so the mean iteration is exact to half a
// cycle.
func (c Config) newWorkingCode(n int) (code Code, rest int64, err error) {
	t, err := c.traffic(n)
	if err != nil {
		return nil, 0, err
	}
	if code, err = newCode(t); err != nil {
		return nil, 0, err
	}
	cycles, err := c.workCycles(&t)
	if err != nil || cycles == 0 {
		return code, 0, err
	}
	steps := code.(steppedCode).steps()
	t.computeCycles += cycles / steps
	code, err = newCode(t)
	return code, cycles % steps, err
}
