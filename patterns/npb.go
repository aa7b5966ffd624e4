package patterns

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The NAS Parallel Benchmarks 3.3, MPI (Bailey et al., NAS Technical Report 95-020, and the
// program's source). FT, IS and CG are in this file; MG, LU, BT and SP, whose processes form grids,
// in npbgrid.go. An iteration is one pass through the benchmark's timed loop; the work before and
// after the loop is left out. MPI's collectives are those of MPICH for the message sizes in
// question: all-to-all by pairwise exchange, all-reduce by recursive doubling, reduce along a
// binomial tree.

// Iterations returns the number of iterations of the timed loop of a NAS benchmark in a
// class. It reports false if the benchmark or class does not exist. FT does one FFT
// before its loop, which counts here.
func Iterations(name, class string) (int, bool) {
	at, b := slices.Index(Classes(), class), benchmarks[name]
	if b.operations == nil || at < 0 {
		return 0, false
	}
	return b.iterations[at], true
}

// Classes lists the problem sizes of the NAS benchmarks, from the smallest.
func Classes() []string { return []string{"S", "W", "A", "B", "C"} }

// ofClass returns the entry of the configured class. sizes has one entry for each of
// Classes.
func ofClass[T any](t *traffic, sizes []T) T { return sizes[slices.Index(Classes(), t.class)] }

// checkSize returns a SizeError unless the benchmark runs on the number of processes. The error
// states the requirement and names the nearest numbers that fit.
func (t *traffic) checkSize(what string, fits func(n int) bool) error {
	n := int(t.n)
	if fits(n) {
		return nil
	}
	var near []string
	for below := n - 1; below > 0; below-- {
		if fits(below) {
			near = append(near, fmt.Sprint(below))
			break
		}
	}
	for above := n + 1; above <= min(4*n, MaxProcesses); above++ {
		if fits(above) {
			near = append(near, fmt.Sprint(above))
			break
		}
	}
	return &SizeError{fmt.Sprintf("pattern %s of class %s: %d processes: it needs %s, such as %s",
		t.name, t.class, n, what, strings.Join(near, " or "))}
}

// checkPower returns a SizeError unless the number of processes is a power of two up to a limit.
func (t *traffic) checkPower(limit int64) error {
	return t.checkSize(fmt.Sprintf("a power of two, at most %d", limit),
		func(n int) bool { return powerOfTwo(n) && int64(n) <= limit })
}

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

// ft is NAS FT, a three-dimensional FFT of 16-byte complex numbers. Up to nz processes
// divide the grid along z, and its transpose is an all-to-all of all processes. More
// processes form a grid of nz x n/nz with an all-to-all along each of its sides. Each
// iteration does one FFT and adds up a checksum of 16 bytes at process 0. A process
// computes before each all-to-all.
type ft struct {
	traffic
	points int64 // of the grid
	p1, p2 Rank  // the process grid: process r is at (r / p2, r mod p2)
}

// newFT makes FT.
func newFT(t traffic) (Code, error) {
	size := ofClass(&t, ftGrids[:])
	if err := t.checkPower(size[2] * min(size[0], size[1])); err != nil {
		return nil, err
	}
	f := ft{traffic: t, points: size[0] * size[1] * size[2], p1: 1, p2: t.n}
	if nz := Rank(size[2]); t.n > nz {
		f.p1, f.p2 = nz, t.n/nz
	}
	return f, nil
}

func (f ft) Parts() int { return int(f.p1) + int(f.p2) - 2 + 1 }

func (f ft) Messages() int64 {
	n, exchanges := int64(f.n), int64(f.p1)+int64(f.p2)-2
	return n*exchanges + n - 1
}

func (f ft) steps() int64 { return max(1, int64(min(1, f.p1-1)+min(1, f.p2-1))) }

func (f ft) Part(dst []Operation, r Rank, k int) []Operation {
	each := 16 * f.points / int64(f.n) // bytes of the grid at each process
	along, across := int(f.p1)-1, int(f.p2)-1
	switch {
	case k < along:
		return f.pairwise(dst, r, k, f.p2, each/int64(f.p1))
	case k < along+across:
		return f.pairwise(dst, r, k-along, 1, each/int64(f.p2))
	}
	return f.reduce(dst, r, 16)
}

// pairwise appends step k of an all-to-all among processes that are stride apart. Each
// process exchanges with the process whose number in the group differs in the bits of
// k+1 (Thakur et al., IJHPCA 19(1), 2005, sec. 4.3: pairwise exchange).
func (t *traffic) pairwise(dst []Operation, r Rank, k int, stride Rank, bytes int64) []Operation {
	if k == 0 {
		dst = t.compute(dst)
	}
	return t.exchange(dst, r, r^(Rank(k+1)*stride), bytes)
}

// is is NAS IS, a bucket sort of 4-byte integers. Each iteration adds up the sizes of the buckets
// (and five test values) at all processes, sends every process the number of its keys, and sends
// the keys. The benchmark deals out the buckets so that all processes get about the same number of
// keys. Here every process sends exactly the same number of keys to each process. A process
// computes at the beginning of an iteration and before it sends the keys.
type is struct {
	traffic
	keys, buckets int64
}

// newIS makes IS.
func newIS(t traffic) (Code, error) {
	size := ofClass(&t, isSizes[:])
	if err := t.checkPower(size.buckets); err != nil { // a process has at least one bucket
		return nil, err
	}
	return is{t, size.keys, size.buckets}, nil
}

func (s is) Parts() int { return 1 + 2*max(0, int(s.n)-1) }

func (s is) Messages() int64 {
	n := int64(s.n)
	return n*int64(log2(s.n)) + 2*n*(n-1)
}

func (s is) steps() int64 { return int64(1 + min(1, s.n-1)) }

func (s is) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		return s.doubling(s.compute(dst), r, 4*(s.buckets+5))
	}
	if k--; k < int(s.n)-1 {
		return s.exchange(dst, r, r^Rank(k+1), 4)
	}
	n := int64(s.n)
	return s.pairwise(dst, r, k-int(s.n)+1, 1, max(4, 4*s.keys/(n*n)))
}

// cg is NAS CG, the conjugate gradient method on a sparse matrix. Processes form a grid
// of rows x columns, where columns equals rows or twice rows, with process r at (r /
// columns, r mod columns). A matrix-vector product adds vectors along the rows and then
// exchanges them with the transposed process. Dot products are sums along the rows.
// Each iteration is an outer one: 25 steps of the method, the residual and the norm. A
// process computes before each product.
type cg struct {
	traffic
	unknowns      int64 // of the system of equations
	rows, columns Rank
}

// cgSteps is the number of inner iterations.
const cgSteps = 25

// newCG makes CG.
func newCG(t traffic) (Code, error) {
	unknowns := ofClass(&t, cgSizes[:]).unknowns
	columns := int64(1) // at most: of processes with two unknowns each
	for 4*columns <= unknowns {
		columns *= 2
	}
	if err := t.checkPower(columns * columns); err != nil {
		return nil, err
	}
	rows := Rank(1) << (log2(t.n) / 2)
	return cg{t, unknowns, rows, t.n / rows}, nil
}

func (c cg) Parts() int { return cgSteps + 1 }

func (c cg) Messages() int64 {
	n, l := int64(c.n), int64(log2(c.columns))
	selves := int64(c.rows) // processes that are their own transposes
	if c.rows != c.columns {
		selves *= 2
	}
	return n*l*(cgSteps+1+2*(cgSteps+1)+1) + (n-selves)*(cgSteps+1)
}

func (c cg) steps() int64 { return cgSteps + 1 }

func (c cg) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		dst = c.sum(dst, r, 8)
	}
	dst = c.product(dst, r)
	dst = c.sum(dst, r, 8)
	if k < cgSteps {
		return c.sum(dst, r, 8)
	}
	return c.sum(dst, r, 16)
}

// sum appends a sum of the given bytes along the row.
func (c cg) sum(dst []Operation, r Rank, bytes int64) []Operation {
	for d := c.columns / 2; d > 0; d /= 2 {
		dst = c.exchange(dst, r, r^d, bytes)
	}
	return dst
}

// product appends a matrix-vector product. On a grid that is not square each process
// keeps half of the vector after the first exchange of a row.
func (c cg) product(dst []Operation, r Rank) []Operation {
	dst = c.compute(dst)
	whole := share(c.unknowns, c.rows, r/c.columns)
	mine := whole
	given := whole
	if c.rows != c.columns {
		mine, given = (whole+1)/2, whole/2
		if r%2 == 1 {
			mine, given = given, mine
		}
	}
	for d := Rank(1); d < c.columns; d *= 2 {
		dst = c.exchange(dst, r, r^d, 8*given)
		given = mine
	}
	return c.exchange(dst, r, c.transposed(r), 8*mine)
}

// transposed returns the process with the transposed part of the matrix. On a grid that
// is not square two columns count as one.
func (c cg) transposed(r Rank) Rank {
	if c.rows == c.columns {
		return r%c.rows*c.rows + r/c.rows
	}
	half := r / 2
	return 2*(half%c.rows*c.rows+half/c.rows) + r%2
}
