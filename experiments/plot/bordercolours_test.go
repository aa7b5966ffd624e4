package plot

import (
	"testing"
)

// Neighbours have different colours where eight suffice, and the shortest borders have equal
// ones where they do not.
func TestNeighboursDiffer(t *testing.T) {
	const side = 9
	at := func(x, y int) int { return x + side*y }
	planar := make(Borders, side*side)
	for x := range side {
		for y := range side {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
				if x+d[0] < side && y+d[1] < side {
					planar.Add(at(x, y), at(x+d[0], y+d[1]))
				}
			}
		}
	}
	hues := planar.Hues()
	for i, neighbours := range planar {
		for j := range neighbours {
			if hues[i] == hues[j] {
				t.Errorf("areas %d and %d have the colour %d", i, j, hues[i])
			}
		}
	}
	complete := make(Borders, Hues+1)
	for i := range complete {
		for j := range i {
			for range 1 + 10*(i+j) { // the last one's shortest border is that with the first
				complete.Add(i, j)
			}
		}
	}
	if hues := complete.Hues(); hues[Hues] != hues[0] {
		t.Errorf("nine areas that all touch have the colours %v", hues)
	}
}
