package allocation

import (
	"math/rand/v2"
	"testing"
)

// Cluster returns the best of all subsets, for all point sets of lines and rings of up
// to twelve places.
func TestCluster(t *testing.T) {
	for _, ring := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} {
		places := max(ring, 9*(1-min(ring, 1)))
		s := space{[]int{places, 1, 1}, []bool{ring > 0, false, false}, 1, make([]bool, places), nil}
		for set := 1; set < 1<<places; set++ {
			if places == 12 && set%7 != 0 { // a sample is enough
				continue
			}
			var points []int
			for n := range s.free {
				if s.free[n] = set>>n&1 == 1; s.free[n] {
					points = append(points, n)
				}
			}
			for size := 1; size <= len(points); size++ {
				first, sum := Cluster(points, size, ring)
				var chosen []int
				for i := range size {
					chosen = append(chosen, points[(first+i)%len(points)])
				}
				if want := s.least(size); int(sum) != want || s.pairwise(chosen) != want {
					t.Fatalf("%d of %v on ring %d: %v, %d; least is %d", size, points, ring, chosen, sum, want)
				}
			}
		}
	}
}

// Many points, compared with windows added up pair by pair.
func TestClusterOfManyPoints(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		places := 20 + stream.IntN(100)
		var points []int
		for x := range places {
			if stream.IntN(3) > 0 {
				points = append(points, x)
			}
		}
		size := 1 + stream.IntN(len(points))
		for _, ring := range []int{0, places} {
			s := space{[]int{places, 1, 1}, []bool{ring > 0, false, false}, 1, nil, nil}
			starts, least, at := len(points)-size+1, 1<<30, 0
			if ring > 0 {
				starts = len(points)
			}
			for first := range starts {
				var chosen []int
				for i := range size {
					chosen = append(chosen, points[(first+i)%len(points)])
				}
				if sum := s.pairwise(chosen); sum < least {
					least, at = sum, first
				}
			}
			if first, sum := Cluster(points, size, ring); first != at || int(sum) != least {
				t.Fatalf("%d of %v on ring %d: from %d on, %d; want %d, %d", size, points, ring,
					first, sum, at, least)
			}
		}
	}
}
