package allocation

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim/topology"

	"github.com/google/go-cmp/cmp"
)

func meter(t testing.TB, machine topology.Topology) *Meter {
	t.Helper()
	m, err := NewMeter(machine)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestQualityByHand(t *testing.T) {
	plane := mesh(t, 8, 8)
	ring, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}, Wrap: []bool{true, false}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		machine topology.Topology
		nodes   []topology.Node
		want    Quality
	}{
		{"one processor", plane, []topology.Node{27}, Quality{1, [3]int{1, 1, 1}, 0, 0, 0, 0, 1}},
		{"2x2 square: four sides, two diagonals", plane, []topology.Node{0, 1, 8, 9}, Quality{4, [3]int{2, 2, 1}, 0, 0, 8, 8. / 6, 1}},
		// Fig. 3 (a): the MBS blocks <2,0,2> and <5,0,1> in a 4x2 rectangle.
		{"Fig. 3 (a)", plane, []topology.Node{2, 3, 10, 11, 5}, Quality{5, [3]int{4, 2, 1}, 3. / 8, 15. / 8, 20, 2, 2}},
		{"opposite corners", plane, []topology.Node{0, 63}, Quality{2, [3]int{8, 8, 1}, 62. / 64, 62. / 32, 14, 14, 2}},
		{"both ends of a ring", ring, []topology.Node{0, 7}, Quality{2, [3]int{2, 1, 1}, 0, 0, 1, 1, 1}},
		{"half a ring", ring, []topology.Node{1, 5}, Quality{2, [3]int{5, 1, 1}, 3. / 5, 6. / 5, 4, 4, 2}},
		{"3D", mesh(t, 2, 2, 2), []topology.Node{0, 7, 3}, Quality{3, [3]int{2, 2, 2}, 5. / 8, 15. / 8, 6, 2, 2}},
	} {
		if diff := cmp.Diff(c.want, meter(t, c.machine).Measure(c.nodes)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// Contiguous submeshes have no dispersal (sec. 3.4.1), the whole machine
// none under any allocator.
func TestNoDispersalWhereContiguous(t *testing.T) {
	machine := mesh(t, 12, 10)
	m, a := meter(t, machine), makeAllocator(t, "first-fit", machine)
	for _, req := range requests(12, 10) {
		nodes, ok := a.Allocate(nil, NewFreeSet(120), req)
		if !ok {
			continue
		}
		if q := m.Measure(nodes); q.Dispersal != 0 || q.Components != 1 || q.BoxSize() != len(nodes) {
			t.Errorf("%v: %+v", req, q)
		}
	}
}

// Random sets on meshes and tori of all parities against plain counting; a
// meter is used many times, so marks of earlier sets would show.
func TestQualityAgainstCounting(t *testing.T) {
	stream := rand.New(rand.NewPCG(1, 9))
	for _, c := range []topology.CubeConfig{
		{Dims: []int{8, 8}}, {Dims: []int{7, 5}}, {Dims: []int{9}}, {Dims: []int{3, 4, 5}},
		{Dims: []int{8, 8}, Wrap: []bool{true, true}}, {Dims: []int{7, 5}, Wrap: []bool{true, true}},
		{Dims: []int{6, 5}, Wrap: []bool{false, true}}, {Dims: []int{3, 4, 5}, Wrap: []bool{true, true, true}},
		{Dims: []int{11}, Wrap: []bool{true}}, {Dims: []int{2, 1, 9}, Wrap: []bool{true, true, true}},
	} {
		cube, err := topology.NewCube(c)
		if err != nil {
			t.Fatal(err)
		}
		m := meter(t, cube)
		for range 300 {
			nodes := make([]topology.Node, 0, cube.Nodes())
			for _, n := range stream.Perm(cube.Nodes())[:1+stream.IntN(cube.Nodes())] {
				nodes = append(nodes, topology.Node(n))
			}
			want := count(cube, nodes)
			if diff := cmp.Diff(want, m.Measure(nodes)); diff != "" {
				t.Fatalf("%+v, %v (-want +got)\n%s", c, nodes, diff)
			}
			slices.Sort(nodes)
			if diff := cmp.Diff(want, m.Measure(nodes)); diff != "" {
				t.Fatalf("%+v, sorted: the order matters (-want +got)\n%s", c, diff)
			}
		}
	}
}

// count measures by looking at all pairs, and at all boxes.
func count(cube *topology.Cube, nodes []topology.Node) Quality {
	q := Quality{Processors: len(nodes), Sides: [3]int{1, 1, 1}, Components: len(nodes)}
	joined := make([]int, len(nodes))
	for i := range joined {
		joined[i] = i
	}
	pairs := 0
	for i, a := range nodes {
		for j, b := range nodes[:i] {
			pairs++
			q.PairwiseSum += int64(cube.Distance(a, b))
			if from, to := joined[i], joined[j]; cube.Distance(a, b) == 1 && from != to {
				q.Components--
				for k := range joined {
					if joined[k] == from {
						joined[k] = to
					}
				}
			}
		}
	}
	for d, n := range cube.Dims() {
		q.Sides[d] = shortest(cube, nodes, d, n)
	}
	volume := float64(q.Sides[0] * q.Sides[1] * q.Sides[2])
	q.Dispersal = (volume - float64(len(nodes))) / volume
	q.WeightedDispersal = q.Dispersal * float64(len(nodes))
	if pairs > 0 {
		q.PairwiseMean = float64(q.PairwiseSum) / float64(pairs)
	}
	return q
}

// shortest tries every start and length of an interval along dimension d.
func shortest(cube *topology.Cube, nodes []topology.Node, d, n int) int {
	for length := 1; ; length++ {
		for start := range n {
			if start+length > n && !cube.Wrap()[d] {
				continue
			}
			if !slices.ContainsFunc(nodes, func(k topology.Node) bool {
				return (cube.Coordinate(cube.RouterOf(k), d)-start+n)%n >= length
			}) {
				return length
			}
		}
	}
}

// After 2^32 measurements the marks of the first ones do not count.
func TestMarksRunOut(t *testing.T) {
	m := meter(t, mesh(t, 4, 4))
	m.round = ^uint32(0)
	if q := m.Measure([]topology.Node{0, 3}); q.Components != 2 {
		t.Errorf("%d components, want 2", q.Components)
	}
}

func TestMeterRefuses(t *testing.T) {
	cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}, Concentration: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, machine := range []topology.Topology{cube, mesh(t, 2, 2, 2, 2)} {
		if _, err := NewMeter(machine); err == nil {
			t.Errorf("a meter for %v", machine)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no nodes have a quality")
		}
	}()
	meter(t, mesh(t, 2, 2)).Measure(nil)
}

func TestMeasureTakesNoMemory(t *testing.T) {
	m := meter(t, mesh(t, 16, 16))
	nodes := []topology.Node{0, 1, 2, 3, 40, 80, 255}
	if n := testing.AllocsPerRun(100, func() { m.Measure(nodes) }); n != 0 {
		t.Errorf("%v allocations a measurement", n)
	}
}
