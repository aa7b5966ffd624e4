package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/router/topology"
)

func placesOf(
	t testing.TB, m config.Machine, size int, text string, seed uint64,
) [][]topology.Node {
	t.Helper()
	p, problem := config.ParsePlacement(text)
	if problem != nil {
		t.Fatal(problem)
	}
	return must.Have(PlaceJobs(p, m, size, rand.New(rand.NewPCG(seed, 0))))
}

// Under every placement each job has its own nodes, and there are as many jobs as blocks.
func TestPlacesAreDisjoint(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := configtest.Machine(t, rapid.SampledFrom([]string{"tree:4x3", "tree:2x5", "tree:3x3",
			"fat-tree:4x3x6:2", "mesh:8x8", "mesh:7x5", "torus:4x4x4", "mesh:18",
			"hypercube:6"}).Draw(r, "machine"))
		size := rapid.IntRange(2, 9).Draw(r, "size")
		kind := rapid.SampledFrom([]string{"contiguous", "away:1", "away:2", "dealt", "scattered",
			"random"}).Draw(r, "kind")
		places := placesOf(t, m, size, kind, rapid.Uint64().Draw(r, "seed"))
		if n := len(placesOf(t, m, size, "contiguous", 0)); n != len(places) || n < 1 {
			r.Fatalf("%s: room for %d jobs, contiguous %d", kind, len(places), n)
		}
		seen := map[topology.Node]bool{}
		for _, p := range places {
			if len(p) != size {
				r.Fatalf("%d nodes for %d processes", len(p), size)
			}
			for _, n := range p {
				if seen[n] || n < 0 || int(n) >= m.Nodes() {
					r.Fatalf("node %d twice or out of range in %v", n, places)
				}
				seen[n] = true
			}
		}
	})
}

// On a tree, away:T puts exactly T processes of every job one level up.
func TestAwayOnATree(t *testing.T) {
	for _, machine := range []string{"tree:4x4", "tree:2x6", "tree:4x3", "fat-tree:4x4x6x2:2:b2"} {
		for size := 3; size <= 16; size++ {
			for away := range 5 {
				checkAway(t, machine, size, away)
			}
		}
	}
}

func checkAway(t *testing.T, name string, size, away int) {
	t.Helper()
	machine := configtest.Machine(t, name)
	meter := must.Have(allocation.NewTreeMeter(machine))
	kind := "contiguous"
	if away > 0 {
		kind = fmt.Sprintf("away:%d", away)
	}
	if away > size/3 { // the rest of a job need not be its greatest part
		return
	}
	for i, place := range placesOf(t, machine, size, kind, 7) {
		q := meter.Measure(place)
		level := q.JobLevel
		if away > 0 {
			level++
		}
		if q.Away != away || q.Level != level {
			t.Errorf("%s, %d processes, %s: job %d has %d away and is of level %d, not %d", name, size, kind,
				i, q.Away, q.Level, level)
		}
	}
}

// The paper's non-contiguous placement has a process of every job in each subtree, in order or
// at random.
func TestScatteredOnATree(t *testing.T) {
	machine := configtest.Machine(t, "tree:4x4")
	for i, place := range placesOf(t, machine, 16, "dealt", 1) {
		for j, n := range place {
			if want := topology.Node(16*j + i); n != want {
				t.Fatalf("process %d of job %d on %d, want %d", j, i, n, want)
			}
		}
	}
	inOrder := 0
	for i, place := range placesOf(t, machine, 16, "scattered", 1) {
		for j, n := range place {
			if int(n)/16 != j {
				t.Fatalf("process %d of job %d is in subtree %d", j, i, n/16)
			}
			if int(n)%16 == i {
				inOrder++
			}
		}
	}
	if inOrder > 40 { // 16 are to be expected of a shuffle
		t.Errorf("%d of 256 processes are where they would be dealt to in turn", inOrder)
	}
}

func TestBlocksOfGrids(t *testing.T) {
	for _, k := range []struct {
		dims []int
		n    int
		want []int
	}{
		{[]int{16, 16}, 16, []int{4, 4}}, {[]int{16, 16}, 8, []int{4, 2}},
		{[]int{16, 16}, 12, []int{4, 3}}, {[]int{16, 16}, 13, []int{5, 3}},
		{[]int{8, 2}, 8, []int{4, 2}}, {[]int{2, 8}, 12, []int{2, 6}},
		{[]int{8, 8, 8}, 8, []int{2, 2, 2}}, {[]int{18}, 5, []int{5}},
		{[]int{2, 2, 2, 2}, 4, []int{2, 2, 1, 1}},
	} {
		if got := nearCube(k.dims, k.n); !slices.Equal(got, k.want) {
			t.Errorf("%d on %v: %v, want %v", k.n, k.dims, got, k.want)
		}
	}
	places := placesOf(t, configtest.Machine(t, "mesh:8x8"), 4, "contiguous", 0)
	if len(places) != 16 || !slices.Equal(places[5], []topology.Node{18, 19, 26, 27}) {
		t.Errorf("%d blocks, of which the sixth is %v", len(places), places[5])
	}
	away := placesOf(t, configtest.Machine(t, "mesh:8x8"), 4, "away:4", 3)
	for i, place := range away { // all four went: to the next three blocks in turn
		for _, n := range place {
			if x, y := int(n)%8/2, int(n)/8/2; (x+4*y-i+16)%16 < 1 || (x+4*y-i+16)%16 > 3 {
				t.Errorf("job %d on node %d", i, n)
			}
		}
	}
}

func TestPlacementsThatCannotBe(t *testing.T) {
	for _, k := range []struct {
		machine, placement, want string
		size                     int
	}{
		{"tree:4x2", "away:1", "the subtree one level up has no other", 16},
		{"fat-tree:4x2x6:2", "away:1", "the subtree one level up has no other", 9},
		{"mesh:4x4", "away:1", "the machine has room for one", 12},
		{"mesh:4x4", "away:5", "5 processes away of jobs of 4", 4},
		{"mesh:4x4", "random", "jobs of 17 processes on a machine of 16 nodes", 17},
	} {
		p, problem := config.ParsePlacement(k.placement)
		if problem != nil {
			t.Fatal(problem)
		}
		_, err := PlaceJobs(p, configtest.Machine(t, k.machine), k.size, rand.New(rand.NewPCG(1, 1)))
		if !contains(err, k.want) {
			t.Errorf("%+v: %v", k, err)
		}
	}
}
