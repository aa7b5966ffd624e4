package order

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// stream runs jobs, whose sizes are powers of two up to 64, on a machine that is kept full. Each
// starts as soon as enough running jobs, drawn at random, have ended. Packers refuse only if too
// few processors are free, so all strategies see the same starts and ends.
func stream(t *testing.T, machine topology.Topology, order []topology.Node, kind string,
	jobs int) (measured []allocation.Quality) {
	t.Helper()
	draws, m := rand.New(rand.NewPCG(11, 13)), must.Have(allocation.NewMeter(machine))
	m.Along(order)
	a, free := makePacker(t, kind, order, Ring), allocation.NewFreeSet(machine.Nodes())
	var running [][]topology.Node
	for range jobs {
		k := 1 << draws.IntN(7)
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
		measured = append(measured, m.Measure(nodes))
	}
	return measured
}

// meanOf returns the mean of a measure of jobs.
func meanOf(jobs []allocation.Quality, of func(allocation.Quality) float64) float64 {
	sum := 0.0
	for _, q := range jobs {
		sum += of(q)
	}
	return sum / float64(len(jobs))
}

func ringSpan(q allocation.Quality) float64 { return float64(q.RingSpan) }

func cubeRatio(q allocation.Quality) float64 { return q.CubeRatio }

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
	list := meanOf(stream(t, machine, curve, FreeList, 1500), ringSpan)
	for _, kind := range Packers() {
		along, straight := stream(t, machine, curve, kind.Name, 1500),
			stream(t, machine, rows, kind.Name, 1500)
		if c, r := meanOf(along, cubeRatio), meanOf(straight, cubeRatio); c > 0.6*r {
			t.Errorf("%s: bounding cubes %.1f of the smallest along Hilbert's curve, %.1f along rows",
				kind.Name, c, r)
		}
		if s := meanOf(along, ringSpan); kind.Name != FreeList && s > 0.85*list {
			t.Errorf("%s: span %.1f, of the free list %.1f", kind.Name, s, list)
		}
	}
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
