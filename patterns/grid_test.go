package patterns

import "testing"

func TestNearCube(t *testing.T) {
	for _, c := range [][4]int{{1, 1, 1, 1}, {2, 1, 1, 2}, {8, 2, 2, 2}, {16, 2, 2, 4}, {32, 2, 4, 4},
		{64, 4, 4, 4}, {128, 4, 4, 8}, {256, 4, 8, 8}, {27, 3, 3, 3}, {125, 5, 5, 5},
		{12, 2, 2, 3}, {7, 1, 1, 7}} {
		if x, y, z := NearCube(c[0]); x != c[1] || y != c[2] || z != c[3] {
			t.Errorf("%d: %d, %d, %d, want %v", c[0], x, y, z, c[1:])
		}
	}
}
