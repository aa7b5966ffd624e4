package center

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
	"contend/internal/must"
	"contend/netsim/topology"
)

// Sums of distances that step along a line or a ring are those added up one by one.
func TestDistanceSumsStep(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 9))
	for n := 1; n < 12; n++ {
		for _, wrap := range []bool{false, true} {
			l, _ := NewLattice("mm", machinetest.Torus(t, []int{n}, wrap))
			c, stepped, added := NewCensus(&l), newDistanceSums(&l), newDistanceSums(&l)
			for range 2 * n {
				at := [3]int{stream.IntN(n)}
				c.Add(at)
				added.add(&l, at, 1)
			}
			if stepped.load(&l, &c); !slices.Equal(stepped[0], added[0]) {
				t.Fatalf("%v wraps %v: %v, added %v of %v", &l, wrap, stepped[0], added[0], c[0])
			}
		}
	}
}

// Exchanges are the same when all free processors are on the list of those that may join.
func TestSparesOutOfReachGainNothing(t *testing.T) {
	stream := rand.New(rand.NewPCG(11, 3))
	for _, m := range []*topology.Cube{machinetest.Mesh(t, 60, 50),
		machinetest.Torus(t, []int{60, 40}, true, false)} {
		shorter := 0
		for range 12 {
			a := must.Have(NewMedian("mm-inc", allocation.Site{Machine: m}, ""))
			free := allocationtest.Scattered(m, stream)
			size := 1 + stream.IntN(min(60, free.Count()))
			a.Search(free, size)
			x := a.exchanges
			spares := len(x.spare)
			x.taken, _ = a.search(nil, free, size, &a.ties)
			x.sumTo(x.taken)
			x.listSpares(free, 1<<40)
			if spares < len(x.spare) {
				shorter++
			}
			for gain, from, to := x.best(); gain > 0; gain, from, to = x.best() {
				x.swap(from, to)
			}
			if !slices.Equal(a.Winner, x.taken) {
				t.Fatalf("%v: %d of %d: %v, with all spares %v", m.Dims(), size, free.Count(), a.Winner,
					x.taken)
			}
		}
		if shorter == 0 {
			t.Errorf("%v: no list left a processor out", m.Dims())
		}
	}
}

// The processors of a candidate are those that come first in a list that is sorted by the
// distance to its center, then to the center before it, and so on, and finally by number. Most
// centers of a ring that could tell a last shell apart are passed over.
func TestTakePreviousIsASort(t *testing.T) {
	stream := rand.New(rand.NewPCG(2, 12))
	for _, m := range []*topology.Cube{machinetest.Torus(t, []int{17, 5}, true, true),
		machinetest.Torus(t, []int{16, 3}, true, false), machinetest.Torus(t, []int{12, 4, 3}, true,
			true, true),
		machinetest.Torus(t, []int{23}, true), machinetest.Mesh(t, 13, 6)} {
		for _, short := range []string{"gen-alg", "mm"} {
			a := makeMedian(t, short, m)
			for range 300 {
				free := allocationtest.Scattered(m, stream)
				a.load(free)
				index, size := stream.IntN(len(a.centers)), 1+stream.IntN(free.Count())
				a.gather(index, size)
				got := slices.Sorted(slices.Values(a.taken))
				want := free.AppendTo(nil)
				slices.SortFunc(want, func(n, o topology.Node) int {
					for i := index; i >= 0; i-- {
						center := a.Coordinates(a.centers[i])
						if d := a.Distance(a.Coordinates(n), center) - a.Distance(a.Coordinates(o), center); d != 0 {
							return d
						}
					}
					return int(n) - int(o)
				})
				if want = slices.Sorted(slices.Values(want[:size])); !slices.Equal(got, want) {
					t.Fatalf("%s on %v: %d processors around %d: %v, sorted %v", short, &a.Lattice, size,
						a.centers[index], got, want)
				}
			}
		}
	}
}
