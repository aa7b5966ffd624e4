package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// placed is a job as a strategy placed it.
type placed struct {
	size int
	q    allocation.Quality
}

// stream runs jobs on a machine that is kept full. Each starts as soon as enough
// running jobs, drawn at random, have ended. Packers refuse only if too few processors
// are free, so all strategies see the same starts and ends.
func stream(t *testing.T, machine topology.Topology, order []topology.Node, kind string, jobs int,
	size func(*rand.Rand) int) []placed {
	t.Helper()
	draws, m := rand.New(rand.NewPCG(11, 13)), allocationtest.NewMeterOf(t, machine)
	m.Along(order)
	a, free := makePacker(t, kind, order, Ring), allocation.NewFreeSet(machine.Nodes())
	var running [][]topology.Node
	var out []placed
	for range jobs {
		k := size(draws)
		for free.Count() < k {
			i := draws.IntN(len(running))
			free.Release(running[i])
			running = slices.Delete(running, i, i+1)
		}
		nodes, ok := a.Allocate(nil, free, allocation.Request{Size: k})
		if !ok {
			t.Fatalf("%s refuses %d processors of %d free", kind, k, free.Count())
		}
		free.Take(nodes)
		running = append(running, nodes)
		out = append(out, placed{k, m.Measure(nodes)})
	}
	return out
}

// cplantSizes draws from the job stream of [Leung et al. 2002, sec. 4].
func cplantSizes(draws *rand.Rand) int {
	switch i := draws.IntN(91 + 33 + 31 + 33); {
	case i < 91:
		return 2
	case i < 91+33:
		return 5
	case i < 91+33+31:
		return 25
	}
	return 30
}

// powerSizes draws powers of two up to 64.
func powerSizes(draws *rand.Rand) int { return 1 << draws.IntN(7) }

func meanOf(jobs []placed, of func(placed) float64) float64 {
	sum := 0.0
	for _, j := range jobs {
		sum += of(j)
	}
	return sum / float64(len(jobs))
}

func hops(j placed) float64 { return j.q.PairwiseMean }

func ringSpan(j placed) float64 { return float64(j.q.RingSpan) }

func cubeRatio(j placed) float64 { return j.q.CubeRatio }

// Sec. 2.2: with w(1) = 1 alone the objective of a line is n - 1 exactly if the order
// is a Hamiltonian path. Hilbert's is one of the 8x8 routers of Cplant and of 8x8x8. It
// is none of the 8x8x5 of sec. 3, for which the paper does not say how the curve is
// fitted.
func TestHamiltonianPath(t *testing.T) {
	for _, c := range []struct {
		order string
		dims  []int
		path  bool
	}{{Hilbert, []int{8, 8}, true}, {Hilbert, []int{8, 8, 8}, true}, {Hilbert, []int{8, 8, 5}, false},
		{RowMajor, []int{8, 8}, false}, {Snake, []int{8, 8, 5}, true}} {
		machine, sum := topologytest.Mesh(t, c.dims...), 0
		order := makeOrder(t, c.order, machine)
		for i := 1; i < len(order); i++ {
			sum += machine.Distance(order[i-1], order[i])
		}
		if path := sum == len(order)-1; path != c.path {
			t.Errorf("%s on %v: %d hops between %d processors in turn", c.order, c.dims, sum, len(order))
		}
	}
}

// Sec. 3 and Fig. 1 (top): on 8x8x5, under every strategy, the bounding cube is smaller
// along Hilbert's curve than along rows. (bottom): the strategies that pack have less
// span than the free list.
func TestFig1Leung(t *testing.T) {
	machine := topologytest.Mesh(t, 8, 8, 5)
	rows, curve := makeOrder(t, RowMajor, machine), makeOrder(t, Hilbert, machine)
	list := meanOf(stream(t, machine, curve, FreeList, 1500, powerSizes), ringSpan)
	for _, kind := range Packers() {
		along, straight := stream(t, machine, curve, kind.Name, 1500, powerSizes),
			stream(t, machine, rows, kind.Name, 1500, powerSizes)
		if c, r := meanOf(along, cubeRatio), meanOf(straight, cubeRatio); c > 0.6*r {
			t.Errorf("%s: bounding cubes %.1f of the smallest along Hilbert's curve, %.1f along rows",
				kind.Name, c, r)
		}
		if s := meanOf(along, ringSpan); kind.Name != FreeList && s > 0.85*list {
			t.Errorf("%s: span %.1f, of the free list %.1f", kind.Name, s, list)
		}
	}
}

// Sec. 4 and Table 1, in hops instead of makespan: for the test stream a space-filling
// curve is better than rows, and packing a job into a consecutive interval if possible
// is better than not. The strategies that pack are largely indistinguishable.
func TestTable1Leung(t *testing.T) {
	machine := topologytest.Cplant(t)
	mean := func(order, kind string) float64 {
		return meanOf(stream(t, machine, makeOrder(t, order, machine), kind, 3000, cplantSizes), hops)
	}
	list := mean(Hilbert, FreeList)
	if rows := mean(RowMajor, FreeList); list > 0.97*rows {
		t.Errorf("free list: %.3f hops along the curve, %.3f along rows", list, rows)
	}
	var packing []float64
	for _, kind := range []string{FirstFit1D, BestFit1D, SumOfSquares} {
		packing = append(packing, mean(Hilbert, kind))
	}
	if rows := mean(RowMajor, BestFit1D); packing[1] > 0.9*rows {
		t.Errorf("best fit: %.3f hops along the curve, %.3f along rows", packing[1], rows)
	}
	if slices.Max(packing) > 0.9*list || slices.Max(packing) > 1.05*slices.Min(packing) {
		t.Errorf("first fit, best fit, sum of squares: %.3f hops, free list %.3f", packing, list)
	}
}

// Sec. 4 and Fig. 3 plot completion time over hops and over span. Here the two metrics
// of jobs of 30 processors are correlated, but loosely.
func TestFig3Leung(t *testing.T) {
	machine := topologytest.Cplant(t)
	var xs, ys []float64
	for _, j := range stream(t, machine, makeOrder(t, Hilbert, machine), BestFit1D,
		3000, cplantSizes) {
		if j.size == 30 {
			xs, ys = append(xs, ringSpan(j)), append(ys, hops(j))
		}
	}
	if r := correlation(xs, ys); r < 0.3 || r > 0.98 {
		t.Errorf("the correlation of span and hops is %.2f over %d jobs", r, len(xs))
	}
}

func correlation(xs, ys []float64) float64 {
	var sx, sy, sxx, syy, sxy float64
	for i, x := range xs {
		y := ys[i]
		sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
	}
	n := float64(len(xs))
	return (n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy))
}

// Bender et al. 2005, sec. 6: best fit along Hilbert's curve has an approximation ratio
// of order N on an N x N mesh. Of three free processors two are neighbours across the
// middle of the lowest row and far apart on the curve. Best fit takes the pair of less
// span, whose distance is a constant share of N.
func TestHilbertBestFitIsFarFromOptimal(t *testing.T) {
	for _, side := range []int{8, 16, 32, 64} {
		machine := topologytest.Mesh(t, side, side)
		order := makeOrder(t, Hilbert, machine)
		left, right := topology.Node(side/2-1), topology.Node(side/2)
		rank := slices.Index(order, left)
		gap := slices.Index(order, right) - rank
		gap = min(gap, len(order)-gap) // on the ring
		farthest := order[rank+1]
		for _, n := range order[rank+1 : rank+gap] {
			if machine.Distance(left, n) > machine.Distance(left, farthest) {
				farthest = n
			}
		}
		free := make([]bool, side*side)
		free[left], free[right], free[farthest] = true, true, true
		pair, _ := makePacker(t, BestFit1D, order, Ring).Allocate(nil, allocationtest.FreeSet(free),
			allocation.Request{Size: 2})
		if d := machine.Distance(pair[0], pair[1]); d < side/2 {
			t.Errorf("%d x %d: the pair taken is %d apart", side, side, d)
		}
	}
}
