package submesh

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/allocation"
)

var compareBlocks = cmp.AllowUnexported(block{})

// Sec. 3.3.1 and Fig. 4: the nine initial blocks of a 12x10 mesh, as derived
// from the empty machine and as cut.
func TestFig4(t *testing.T) {
	want := []block{{0, 0, 8}, {8, 0, 4}, {8, 4, 4}, {0, 8, 2}, {2, 8, 2}, {4, 8, 2}, {6, 8, 2},
		{8, 8, 2}, {10, 8, 2}}
	b := newFreeBlocks(grid{width: 12, height: 10})
	b.derive(allocation.NewFreeSet(120))
	var got []block
	for i := len(b.levels) - 1; i >= 0; i-- {
		for b.count(i) > 0 {
			got = append(got, b.take(i))
		}
	}
	if diff := cmp.Diff(want, got, compareBlocks); diff != "" {
		t.Errorf("derived (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, initialBlocks(0, 0, 12, 10), compareBlocks); diff != "" {
		t.Errorf("cut (-want +got)\n%s", diff)
	}
}
