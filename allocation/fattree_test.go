package allocation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// A fat tree whose levels are all alike is a k-ary n-tree to every allocator: the same sequence
// of requests, among jobs that come and go, gets the same nodes. The measures are the same too.
func TestEvenFatTreesAreTrees(t *testing.T) {
	for _, shape := range [][3]int{{4, 3, 0}, {2, 6, 61}, {3, 3, 22}, {8, 2, 0}, {5, 1, 0}} {
		m := topologytest.Tree(t, shape[0], shape[1], shape[2])
		even := topologytest.Fat(t, topology.FatTreeConfig{Children: slices.Repeat([]int{shape[0]},
			shape[1]),
			Nodes: shape[2]})
		known := 0
		for _, info := range entries() {
			short := info.Name
			if short == "quasi-contiguous" {
				short += ":30"
			}
			a, err := made(short, m)
			b, also := made(short, even)
			if (err == nil) != (also == nil) {
				t.Fatalf("%s on %v: %v on a tree, %v on a fat tree", short, shape, err, also)
			}
			if err == nil {
				known++
				checkAlike(t, fmt.Sprint(short, " on ", shape), m, even, a, b)
			}
		}
		if known < 15 {
			t.Errorf("only %d allocators know the tree %v", known, shape)
		}
	}
}

// checkAlike compares two allocators, each of its own machine, among jobs that come and go, and
// measures of the two machines.
func checkAlike(t *testing.T, where string, m, n topology.Topology, a, b allocation.Allocator) {
	t.Helper()
	running, stream := allocationtest.NewRunningJobs(m.Nodes()), rand.New(rand.NewPCG(5, 5))
	meter, other := allocationtest.NewMeterOf(t, m), allocationtest.NewMeterOf(t, n)
	tree, fat := allocationtest.NewTreeMeterOf(t, m), allocationtest.NewTreeMeterOf(t, n)
	for range 60 {
		req := allocation.Request{Size: 1 + stream.IntN(m.Nodes())}
		if stream.IntN(3) > 0 {
			req.Size = 1 + req.Size/6
		}
		if x, y := fmt.Sprint(a.Check(req)), fmt.Sprint(b.Check(req)); x != y {
			t.Fatalf("%s, %d processors: %s, else %s", where, req.Size, x, y)
		}
		got, ok := a.Allocate(nil, running.Set, req)
		allocationtest.Compare(t, where, b, running.Free, running.Set, req, got, ok)
		if !ok {
			if len(running.Jobs) > 0 {
				running.Finish(stream.IntN(len(running.Jobs)))
			}
			continue
		}
		if q, r := meter.Measure(got), other.Measure(got); q != r {
			t.Fatalf("%s: quality of %v: %v, else %v", where, got, q, r)
		}
		if q, r := tree.Measure(got), fat.Measure(got); q != r {
			t.Fatalf("%s: quality of %v: %v, else %v", where, got, q, r)
		}
		running.Start(got)
	}
}
