package center

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// Nodes packed as densely as can be are no nearer to each other than the bound says, with one node
// or several at a place.
func TestNodesAreDense(t *testing.T) {
	l, _ := NewLattice("mm", machinetest.Mesh(t, 61, 61))
	for most := range 3 {
		var distances []int
		for _, p := range l.at {
			for range most + 1 {
				distances = append(distances, l.Distance(p, [3]int{30, 30, 0}))
			}
		}
		slices.Sort(distances)
		sum := 0
		for i, d := range distances[:30*30] { // of a place of i+1 to the others
			sum += d
			if bound := dense(int64(i+1), int64(most+1)); bound > int64((i+1)*sum/2) {
				t.Fatalf("%d nodes, %d at a place: bound %d, %d each", i+1, most+1, bound, sum)
			}
		}
	}
}

// Nodes of a shell are no nearer to each other than the bound says, also around rings.
func TestNodesOfAShellAreApart(t *testing.T) {
	for _, m := range []*topology.Cube{machinetest.Mesh(t, 41, 41), machinetest.Mesh(t, 30),
		machinetest.Mesh(t, 11, 11, 11),
		machinetest.Torus(t, []int{17, 16}, true, true), machinetest.Torus(t, []int{9, 8, 10}, true,
			true, false),
		machinetest.Torus(t, []int{23}, true)} {
		l, _ := NewLattice("mm", m)
		middle, atRadius := [3]int{l.Dims[0] / 2, l.Dims[1] / 2, l.Dims[2] / 2}, map[int][][3]int{}
		for _, p := range l.at {
			d := l.Distance(p, middle)
			atRadius[d] = append(atRadius[d], p)
		}
		s := spread{dimensions: l.Dimensions}
		for radius, shell := range atRadius {
			for _, p := range shell {
				checkApart(t, &s, &l, radius, p, shell)
			}
		}
	}
}

// checkApart compares the bound with the nearest others of a shell, with one and with two nodes at
// each place.
func checkApart(t *testing.T, s *spread, l *Lattice, radius int, p [3]int, shell [][3]int) {
	for most := 1; most <= 2; most++ {
		var distances []int
		for _, q := range shell {
			for range most {
				distances = append(distances, l.Distance(p, q))
			}
		}
		slices.Sort(distances)
		sum := 0
		for i, d := range distances {
			sum += d
			if bound := s.apart(l, radius, i+1, most); 2*bound > int64((i+1)*sum) {
				t.Fatalf("%v: %d nodes at %d: bound %d, %d from %v", l, i+1, radius, bound, sum, p)
			}
		}
	}
}

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
	for _, m := range []*topology.Cube{machinetest.Mesh(t, 60, 50), machinetest.Torus(t, []int{60,
		40}, true, false)} {
		shorter := 0
		for range 12 {
			a, err := NewLatticeSwap(m, "")
			if err != nil {
				t.Fatal(err)
			}
			free := allocationtest.Scattered(m, stream)
			size := 1 + stream.IntN(min(60, free.Count()))
			a.Search(free, size)
			got, spares := slices.Clone(a.Winner), len(a.spare)
			a.median.search(free, size)
			a.addUp()
			a.listSpares(free, 1<<40)
			if spares < len(a.spare) {
				shorter++
			}
			for gain, from, to := a.exchange(); gain > 0; gain, from, to = a.exchange() {
				a.swap(from, to)
			}
			if !slices.Equal(got, a.Winner) {
				t.Fatalf("%v: %d of %d: %v, with all spares %v", m.Dims(), size, free.Count(), got, a.Winner)
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
