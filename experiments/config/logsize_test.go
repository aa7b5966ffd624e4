package config

import (
	"testing"
)

// Every number of processors gets a rectangle that holds it, its sides at most
// 2:1: exactly, where such a rectangle has just as many nodes, the squarest of
// these, and else no more than a row too much.
func TestNearSquareHoldsEveryLog(t *testing.T) {
	for n := 1; n <= 5000; n++ {
		w, h := nearSquare(n)
		if w < h || h < 1 || w > 2*h || w*h < n {
			t.Fatalf("%d: %dx%d", n, w, h)
		}
		exact := 0 // the longer side of the squarest exact rectangle
		for d := 1; d*d <= n; d++ {
			if n%d == 0 && n/d <= 2*d {
				exact = n / d
			}
		}
		if exact > 0 && (w != exact || w*h != n) {
			t.Fatalf("%d: %dx%d, and %dx%d has just as many", n, w, h, exact, n/exact)
		}
		if exact == 0 && (w*h-n >= w || w-h > 1) {
			t.Fatalf("%d: %dx%d, %d too many", n, w, h, w*h-n)
		}
	}
}
