package patterns

import (
	"fmt"
	"slices"
	"strings"
)

// The NAS Parallel Benchmarks 3.3, MPI (Bailey et al., NAS Technical Report 95-020, and
// the program's source): npbft.go, npbcg.go, npbmg.go, npblu.go, npbbt.go. An iteration
// is one pass through the benchmark's timed loop, without what comes before and after
// the loop. MPI's collectives are those of MPICH for the message sizes in question:
// all-to-all by pairwise exchange, all-reduce by recursive doubling, reduce along a
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
// says what it needs and names the nearest numbers that fit.
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
