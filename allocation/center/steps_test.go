package center

import (
	"testing"
)

// The steps over which the distance to a coordinate changes alike are those that distances show,
// taken one by one.
func TestStepsAlike(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for _, wrap := range []bool{false, true} {
			a := &onLattice{census: census{Lattice: &Lattice{Dims: [3]int{n, 1, 1}, Wrap: [3]bool{wrap}}}}
			distance := func(x, at int) int {
				d := max(x-at, at-x)
				if wrap {
					d = min(d%n, n-d%n)
				}
				return d
			}
			for x := range n {
				for at := range n {
					// first is how the distance changes in the first step back, 0 if it does not.
					first, want := distance(x-1, at)-distance(x, at), 0
					for first != 0 && distance(x-want-1, at)-distance(x-want, at) == first && want < n {
						want++
					}
					steps, falls := a.stepsAlike(x - at)
					if steps != want || falls != (first < 0) {
						t.Errorf("%d of %d, wrapped %v, to %d: %d steps, falls %v, want %d, %v", x, n, wrap, at,
							steps, falls, want, first < 0)
					}
				}
			}
		}
	}
}
