package manager

import (
	"fmt"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
)

// shares returns how many nodes of each leaf switch a job gets, where each has some free ones.
func shares(t *testing.T, a allocation.Allocator, m topology.Topology, free []int,
	size int) (got []int) {
	t.Helper()
	set := make([]bool, m.Nodes())
	left := slices.Clone(free)
	for n := range set {
		r, _ := m.Attach(topology.Node(n))
		if left[r]--; left[r] >= 0 {
			set[n] = true
		}
	}
	nodes, ok := allocationtest.Decide(t, fmt.Sprint(free, size), a, set, allocationtest.FreeSet(set),
		allocation.Request{Size: size})
	if !ok {
		return nil
	}
	got = make([]int, len(free))
	for _, n := range nodes {
		r, _ := m.Attach(n)
		got[r]++
	}
	return got
}

// Capacities and assignments are those of the document's examples. Its domains that pods fill are
// leaf switches here. Of two nodes with 3 the document does not say which gets the last pod.
func TestKueuesExamples(t *testing.T) {
	full := func(n int) []int { return slices.Repeat([]int{20}, n) }
	for _, k := range []struct {
		mode  string
		below [][]int
		free  []int
		size  int
		want  []int
	}{
		// "Consider a rack with four nodes that can accommodate 3, 3, 2, and 1 pod".
		{"kueue-best-fit", [][]int{{4}}, []int{3, 3, 2, 1}, 7, []int{3, 3, 0, 1}},
		{"kueue-least-free", [][]int{{4}}, []int{3, 3, 2, 1}, 7, []int{3, 1, 2, 1}},
		// The table of "Balanced placement", of racks in a block.
		{"kueue-balanced", [][]int{{1, 1}, {2}}, []int{15, 15}, 25, []int{13, 12}},
		{"kueue-balanced", [][]int{{3}}, []int{15, 13, 10}, 23, []int{12, 11, 0}},
		{"kueue-balanced", [][]int{{2, 2}, {1, 1}, {2}}, []int{20, 10, 15, 15}, 22,
			[]int{0, 0, 11, 11}},
		{"kueue-balanced", [][]int{{2, 2}, {2}}, []int{20, 10, 15, 15}, 20, []int{20, 0, 0, 0}},
		{"kueue-balanced", [][]int{{2, 3}, {2}}, []int{10, 5, 5, 5, 5}, 15, []int{0, 0, 5, 5, 5}},
		{"kueue-balanced", [][]int{{1, 1, 2}, {2, 1}, {2}}, []int{15, 15, 15, 15}, 25,
			[]int{0, 0, 13, 12}},
		// "For example 12 pods distributed among domains with capacities (10,10)".
		{"kueue-best-fit", [][]int{{2}}, []int{10, 10}, 12, []int{10, 2}},
		{"kueue-balanced", [][]int{{2}}, []int{10, 10}, 12, []int{6, 6}},
		// By hand: the tightest domain that holds the job, and unconstrained ones too.
		{"kueue-best-fit", [][]int{{2, 2}, {2}}, []int{4, 4, 3, 4}, 7, []int{0, 0, 3, 4}},
		{"kueue-least-free", [][]int{{2, 2}, {2}}, []int{4, 6, 3, 5}, 5, []int{0, 0, 0, 5}},
	} {
		m := stack(t, full(len(k.free)), k.below...)
		got := shares(t, must.Have(NewKueue(k.mode, m)), m, k.free, k.size)
		if !slices.Equal(got, k.want) {
			t.Errorf("%s: %d of %v below %v gets %v, want %v", k.mode, k.size, k.free, k.below, got, k.want)
		}
	}
}

// The fullest HyperNode of the lowest tier is taken, and pods fill leaf switches near each other.
func TestVolcanoByHand(t *testing.T) {
	m := stack(t, []int{4, 4, 4, 8, 4, 4}, []int{2, 2, 2}, []int{3})
	a := must.Have(NewVolcano(m))
	for _, k := range []struct {
		free []int
		size int
		want []int
	}{
		{[]int{4, 2, 3, 3, 2, 4}, 2, []int{0, 2, 0, 0, 0, 0}}, // the first of two that are full then
		{[]int{4, 3, 2, 3, 4, 4}, 5, []int{0, 0, 2, 3, 0, 0}},
		{[]int{1, 4, 2, 3, 4, 4}, 12, []int{1, 4, 2, 3, 2, 0}},
		{[]int{4, 4, 4, 8, 4, 4}, 10, []int{0, 0, 4, 6, 0, 0}}, // 12 nodes are below one switch
	} {
		got := shares(t, a, m, k.free, k.size)
		if !slices.Equal(got, k.want) {
			t.Errorf("%d of %v gets %v, want %v", k.size, k.free, got, k.want)
		}
	}
}

// All rules place what fits, on random states of a tree of three levels.
func TestManagersPlaceWhatFits(t *testing.T) {
	m := stack(t, []int{3, 5, 2, 4, 1, 6}, []int{2, 1, 3}, []int{2, 1}, []int{2})
	list := []allocation.Allocator{must.Have(NewVolcano(m)), must.Have(NewSlurmTree(m, ""))}
	for _, mode := range KueueModes() {
		list = append(list, must.Have(NewKueue(mode.Name, m)))
	}
	for free, f := range allocationtest.EveryFreeSet(21, 1009) {
		for _, a := range list {
			for size := 1; size <= 21; size += 3 {
				allocationtest.Decide(t, fmt.Sprintf("%T", a), a, free, f, allocation.Request{Size: size})
			}
		}
	}
}
