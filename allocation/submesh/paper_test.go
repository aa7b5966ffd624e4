package submesh

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/allocation"
	"contend/allocation/order"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

var compareBlocks = cmp.AllowUnexported(block{})

// taken returns the free set of a mesh in which the given square blocks are busy.
func taken(width, height int, blocks ...block) *allocation.FreeSet {
	f := allocation.NewFreeSet(width * height)
	for _, b := range blocks {
		f.Take(grid{width: width, height: height}.appendFrame(nil, b.x, b.y, b.side, b.side))
	}
	return f
}

// Lo et al. 1994, Fig. 3 (a): 2D buddy wastes 11 of the 16 processors of
// <0,4,4>, MBS grants <2,0,2> and <5,0,1>.
func TestFig3a(t *testing.T) {
	machine := topologytest.Mesh(t, 8, 8)
	f := taken(8, 8, block{0, 0, 2}, block{4, 0, 1}, block{4, 4, 1})

	nodes, ok := makeForm(t, "buddy2d", machine).Allocate(nil, f, allocation.Request{Size: 5})
	want := grid{width: 8, height: 8}.appendFrame(nil, 0, 4, 4, 4)
	if !ok || !slices.Equal(nodes, want) {
		t.Errorf("2D buddy grants %v, want <0,4,4>: %v", nodes, want)
	}

	nodes, _ = makeForm(t, "mbs", machine).Allocate(nil, f, allocation.Request{Size: 5})
	if want := []topology.Node{2, 3, 10, 11, 5}; !slices.Equal(nodes, want) {
		t.Errorf("MBS ranks are on %v, want %v", nodes, want)
	}
}

// Fig. 3 (b): without a free 4x4 block a request for 16 waits under 2D buddy and gets
// four 2x2 blocks under MBS. The text does not say which processors are busy; here one
// in each quadrant is.
func TestFig3b(t *testing.T) {
	machine := topologytest.Mesh(t, 8, 8)
	f := taken(8, 8, block{0, 0, 1}, block{4, 0, 1}, block{0, 4, 1}, block{4, 4, 1})
	if nodes, ok := makeForm(t, "buddy2d", machine).Allocate(nil, f,
		allocation.Request{Size: 16}); ok {
		t.Errorf("2D buddy grants %v", nodes)
	}
	got, _ := makeForm(t, "mbs", machine).Allocate(nil, f, allocation.Request{Size: 16})
	want := reference{width: 8}.blockNodes([]block{{2, 0, 2}, {6, 0, 2}, {0, 2, 2}, {2, 2, 2}})
	if !slices.Equal(got, want) {
		t.Errorf("MBS grants %v, want %v", got, want)
	}
}

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

// Sec. 3.2, after Fig. 1: if the first free pages are 1 and 4, a request for 6
// processors gets both pages whole, 8 processors.
func TestFig1(t *testing.T) {
	f := allocation.NewFreeSet(64) // 8x8 in 4x4 pages of 2x2; pages 0, 2, 3 busy
	for _, page := range []int{0, 2, 3} {
		f.Take(grid{width: 8, height: 8}.appendFrame(nil, 2*page, 0, 2, 2))
	}
	nodes, ok := makeForm(t, "paging:1", topologytest.Mesh(t, 8, 8)).Allocate(nil, f,
		allocation.Request{Size: 6})
	want := []topology.Node{2, 3, 10, 11, 16, 17, 24, 25}
	if !ok || !slices.Equal(nodes, want) {
		t.Errorf("got %v, want pages 1 and 4: %v", nodes, want)
	}
}

// Fig. 2: the four orders on 4x4 pages, as the index of each page, the lowest
// row first.
func TestFig2(t *testing.T) {
	for order, want := range map[string][]int{
		order.RowMajor:         {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		order.ShuffledRowMajor: {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15},
		order.Snake:            {0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12},
		order.ShuffledSnake:    {0, 1, 4, 5, 3, 2, 7, 6, 12, 13, 8, 9, 15, 14, 11, 10},
	} {
		nodes, _ := makeForm(t, "paging:0,"+order, topologytest.Mesh(t, 4, 4)).Allocate(nil,
			allocation.NewFreeSet(16),
			allocation.Request{Size: 16})
		got := make([]int, 16)
		for i, n := range nodes {
			got[n] = i
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", order, diff)
		}
	}
}

// Sec. 2: frame sliding visits only strides from its start, so it cannot recognize all
// free submeshes. First fit can. Single processors of the lower row of a 6x2 mesh are
// busy, and the request is for 2x2.
func TestFrameSlidingOverlooks(t *testing.T) {
	machine, req := topologytest.Mesh(t, 6, 2), allocation.Request{Size: 4, Shape: []int{2, 2}}
	for _, c := range []struct {
		name          string
		busy          []topology.Node
		sliding, fits topology.Node // lowest node allocated, -1 for none
	}{
		{"starts at 2, which is free", []topology.Node{0, 1}, 2, 2},
		{"starts at 1, slides to 3", []topology.Node{0, 2, 5}, 3, 3},
		{"starts at 0, slides to 2 and 4, overlooks 3", []topology.Node{1, 2, 5}, -1, 3},
		{"passes over 5, where the frame sticks out, and finds nothing",
			[]topology.Node{0, 1, 2, 3, 4}, -1, -1},
	} {
		f := allocation.NewFreeSet(12)
		f.Take(c.busy)
		for short, want := range map[string]topology.Node{"frame-sliding": c.sliding,
			"first-fit": c.fits} {
			got := topology.Node(-1)
			if nodes, ok := makeForm(t, short, machine).Allocate(nil, f, req); ok {
				got = nodes[0]
			}
			if got != want {
				t.Errorf("%s: %s takes node %d, want %d", c.name, short, got, want)
			}
		}
	}
}

// Sec. 2: best fit leaves the open area whole and takes the pocket.
func TestBestFitTakesThePocket(t *testing.T) {
	f := taken(8, 4, block{6, 0, 2}) // the 2x2 pocket above it is as wide as the request
	f.Take(grid{width: 8, height: 4}.appendFrame(nil, 5, 2, 1, 2))
	req := allocation.Request{Size: 4, Shape: []int{2, 2}}
	nodes, _ := makeForm(t, "best-fit", topologytest.Mesh(t, 8, 4)).Allocate(nil, f, req)
	if want := []topology.Node{22, 23, 30, 31}; !slices.Equal(nodes, want) {
		t.Errorf("got %v, want the pocket %v", nodes, want)
	}
}

// Corollary 1, on a sequence: random, paging(0) and MBS place jobs until the last
// processor is taken, whatever was released before.
func TestCorollary1(t *testing.T) {
	for _, short := range []string{"mbs", "paging:0", "paging:0,shuffled-snake", "mbs"} {
		a := makeForm(t, short, topologytest.Mesh(t, 10, 10))
		f := allocation.NewFreeSet(100)
		var jobs [][]topology.Node
		for round := range 200 {
			for size := 1 + round%13; f.Count() > 0; size = min(size+7, 60) {
				k := min(size, f.Count())
				nodes, ok := a.Allocate(nil, f, allocation.Request{Size: k})
				if !ok || len(nodes) != k {
					t.Fatalf("%s: %d processors of %d free: %v, %v", short, k, f.Count(), nodes, ok)
				}
				f.Take(nodes)
				jobs = append(jobs, nodes)
			}
			for i := range jobs {
				if (i+round)%3 == 0 {
					f.Release(jobs[i])
					jobs[i] = nil
				}
			}
			jobs = slices.DeleteFunc(jobs, func(j []topology.Node) bool { return j == nil })
		}
	}
}
