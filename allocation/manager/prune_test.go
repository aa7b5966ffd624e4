package manager

import (
	"slices"
	"testing"
)

// Leaf switches with less room than a share have none, and those above the sums.
func TestPruneLeavesSums(t *testing.T) {
	a := &kueue{}
	a.room = []int{5, 2, 3, 1, 1, 0, 0, 0}
	a.down = make([][]int32, len(a.room))
	a.down[5], a.down[6], a.down[7] = []int32{0, 1}, []int32{2, 3}, []int32{4}
	a.prune([]int32{5, 6, 7}, 3)
	if want := []int{5, 0, 3, 0, 0, 5, 3, 0}; !slices.Equal(a.room, want) {
		t.Errorf("room %v, want %v", a.room, want)
	}
}
