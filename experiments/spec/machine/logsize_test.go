package machine

import (
	"slices"
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

// The machines of the archive's logs, in words.
func TestSentenceOfALogsMachine(t *testing.T) {
	for _, c := range []struct {
		size logSize
		kind Spec
		dims []int
		want string
	}{
		{logSize{100, "MaxProcs"}, Spec{Topology: "mesh", Concentration: 1}, []int{10, 10},
			"x.swf: the machine is a mesh of 10x10, for the 100 processors MaxProcs of its header says"},
		{logSize{240, "MaxNodes"}, Spec{Topology: "torus", Concentration: 1}, []int{16, 15},
			"x.swf: the machine is a torus of 16x15, for the 240 processors MaxNodes of its header says"},
		{logSize{4008, "MaxProcs"}, Spec{Topology: "mesh", Concentration: 1}, []int{64, 63},
			"x.swf: the machine is a mesh of 64x63, for the 4008 processors MaxProcs of its header says; " +
				"it has 24 nodes more than the log's machine"},
		{logSize{128, "MaxProcs"}, Spec{Topology: "hypercube", Concentration: 1}, []int{7},
			"x.swf: the machine is a hypercube of 7 dimensions, " +
				"for the 128 processors MaxProcs of its header says"},
		{logSize{1, "MaxProcs"}, Spec{Topology: "hypercube", Concentration: 1}, []int{1},
			"x.swf: the machine is a hypercube of 1 dimension, " +
				"for the 1 processors MaxProcs of its header says; " +
				"it has 1 node more than the log's machine"},
		{logSize{80, ""}, Spec{Topology: "mesh", Concentration: 4}, []int{5, 4},
			"x.swf: the machine is a mesh of 5x4 with 4 nodes a router, for the 80 processors its " +
				"largest job asks for, as its header has neither MaxProcs nor MaxNodes"},
	} {
		if got := c.size.Dims(&c.kind); !slices.Equal(got, c.dims) {
			t.Errorf("%+v: dims %v", c, got)
		}
		if got := c.size.Sentence("logs/x.swf", c.kind); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
