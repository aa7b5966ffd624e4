package submesh

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/allocation"
	"contend/router/topology"
)

var compareBlocks = cmp.AllowUnexported(block{})

// Sec. 3.3.1 and Fig. 4: the nine initial blocks of a 12x10 mesh, as derived
// from the empty machine and as cut.
func TestFig4(t *testing.T) {
	var want []block
	books := newBooks(12, 10)
	for _, k := range [][3]int{{0, 0, 8}, {8, 0, 4}, {8, 4, 4}, {0, 8, 2}, {2, 8, 2}, {4, 8, 2},
		{6, 8, 2}, {8, 8, 2}, {10, 8, 2}} {
		want = append(want, books.block(k[:2], k[2]))
	}
	got := derived(allocation.NewFreeSet(12*10), 12, 10)
	if diff := cmp.Diff(want, got, compareBlocks); diff != "" {
		t.Errorf("derived (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, books.initial, compareBlocks); diff != "" {
		t.Errorf("cut (-want +got)\n%s", diff)
	}
}

// Only buddies merge, also where their rows are of several words: of a 256x128 mesh without its
// first block of side 64 no block of side 128 begins at column 64.
func TestLargeBuddies(t *testing.T) {
	free := allocation.NewFreeSet(256 * 128)
	for n := range topology.Node(64 * 64) {
		free.Take([]topology.Node{n%64 + n/64*256})
	}
	want := []block{{128, 128}, {64, 64}, {256 * 64, 64}, {256*64 + 64, 64}}
	if got := derived(free, 256, 128); !slices.Equal(got, want) {
		t.Errorf("blocks %v, want %v", got, want)
	}
}

// derived returns the free blocks of a mesh, the largest first.
func derived(free *allocation.FreeSet, sides ...int) (blocks []block) {
	b := newFreeBlocks(gridOf(sides...), 0)
	b.derive(free)
	for i := len(b.levels) - 1; i >= 0; i-- {
		for b.count(i) > 0 {
			blocks = append(blocks, b.take(i))
		}
	}
	return blocks
}

// In three dimensions too the blocks cut off the corner are the largest free ones: of a 6x5x4 mesh
// a cube of 4, cubes of 2 beside it, and single nodes in the layer y = 4.
func TestBlocksOfThreeDimensions(t *testing.T) {
	got := derived(allocation.NewFreeSet(6*5*4), 6, 5, 4)
	cut := newBooks(6, 5, 4).initial
	sides := map[int]int{}
	for _, k := range got {
		sides[k.side]++
		if !slices.Contains(cut, k) {
			t.Errorf("%v is not among the blocks cut", k)
		}
	}
	if want := map[int]int{4: 1, 2: 4, 1: 24}; len(cut) != len(got) || !maps.Equal(sides, want) {
		t.Errorf("blocks of sides %v, want %v; %d cut", sides, want, len(cut))
	}
}
