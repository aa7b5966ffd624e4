package patterns

import (
	"slices"
	"testing"
)

func TestNearNeighbour(t *testing.T) {
	forGrids(t, func(t *testing.T, w, h int) {
		p := NearNeighbour([]int{w, h}, 3)
		checkPhases(t, p, atLeastTwo(w*h, neighbours(w, h, 1)))
		if closed := int64(2*(w-1)*h + 2*w*(h-1)); p.Messages() != closed {
			t.Errorf("%d messages, want %d", p.Messages(), closed)
		}
	})
}

func TestMultigrid(t *testing.T) {
	forGrids(t, func(t *testing.T, w, h int) {
		var down [][]pair
		for stride := 1; stride < max(w, h); stride *= 2 {
			down = append(down, neighbours(w, h, stride))
		}
		for levels := range len(down) + 3 { // 0 means all, and so do too many
			visited := down
			if levels > 0 && levels < len(down) {
				visited = down[:levels]
			}
			want := slices.Clone(visited)
			for l := len(visited) - 2; l >= 0; l-- {
				want = append(want, visited[l])
			}
			checkPhases(t, Multigrid([]int{w, h}, levels, 3), want)
		}
	})
}

// The processes of every step lie on rings of the coarse grid, and each sends to its
// neighbours on both sides.
func TestMultigridByDimension(t *testing.T) {
	for _, dims := range [][]int{{1}, {2}, {5}, {4, 1}, {2, 3}, {4, 8}, {2, 2, 2}, {4, 4, 4},
		{3, 5, 4}, {4, 8, 8}} {
		levels := 0
		for stride := 1; stride < slices.Max(dims); stride *= 2 {
			levels++
		}
		var strides []int
		for l := 1; l < levels; l++ {
			strides = append(strides, 1<<l)
		}
		for l := levels - 2; l >= 0; l-- {
			strides = append(strides, 1<<l)
		}
		if levels == 1 {
			strides = []int{1}
		}
		p := MultigridByDimension(dims, 0, 3)
		phases := phasesOf(p)
		if len(phases) != len(strides)*len(dims) {
			t.Fatalf("%v: %d phases, want %d of each dimension", dims, len(phases), len(strides))
		}
		total := 0
		for k, phase := range phases {
			want := ringNeighbours(dims, k%len(dims), strides[k/len(dims)])
			got := pairs(phase)
			order := func(a, b pair) int { return int(a.from-b.from)*10000 + int(a.to-b.to) }
			slices.SortFunc(want, order)
			slices.SortFunc(got, order)
			if !slices.Equal(got, want) {
				t.Errorf("%v, phase %d: %v\nwant %v", dims, k, got, want)
			}
			total += len(got)
		}
		if p.Messages() != int64(total) {
			t.Errorf("%v: %d messages, want %d", dims, p.Messages(), total)
		}
	}
}

// ringNeighbours returns, for each process of a coarse grid, the processes that differ
// in a single dimension with no process between.
func ringNeighbours(dims []int, dimension, stride int) []pair {
	var all []pair
	n := 1
	for _, d := range dims {
		n *= d
	}
	coordinates := func(i int) []int {
		var x []int
		for _, d := range dims {
			x = append(x, i%d)
			i /= d
		}
		return x
	}
	isCoarse := func(x []int) bool {
		return !slices.ContainsFunc(x, func(c int) bool { return c%stride != 0 })
	}
	for i := range n {
		x := coordinates(i)
		if !isCoarse(x) {
			continue
		}
		for _, way := range []int{-1, 1} {
			y := slices.Clone(x)
			for {
				y[dimension] = (y[dimension] + way + dims[dimension]) % dims[dimension]
				if isCoarse(y) {
					break
				}
			}
			to := 0
			for d := len(dims) - 1; d >= 0; d-- {
				to = to*dims[d] + y[d]
			}
			if p := (pair{Rank(i), Rank(to)}); to != i && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func TestNearCube(t *testing.T) {
	for _, c := range [][4]int{{1, 1, 1, 1}, {2, 1, 1, 2}, {8, 2, 2, 2}, {16, 2, 2, 4}, {32, 2, 4, 4},
		{64, 4, 4, 4}, {128, 4, 4, 8}, {256, 4, 8, 8}, {27, 3, 3, 3}, {125, 5, 5, 5},
		{12, 2, 2, 3}, {7, 1, 1, 7}} {
		if x, y, z := NearCube(c[0]); x != c[1] || y != c[2] || z != c[3] {
			t.Errorf("%d: %d, %d, %d, want %v", c[0], x, y, z, c[1:])
		}
	}
}

// In three dimensions the exchange consists of those within planes and one between
// planes.
func TestNearNeighbourInThreeDimensions(t *testing.T) {
	const w, h, d = 3, 2, 4
	var want []pair
	for z := range d {
		for _, p := range neighbours(w, h, 1) {
			want = append(want, pair{p.from + Rank(z*w*h), p.to + Rank(z*w*h)})
		}
	}
	for i := range Rank(w * h * (d - 1)) {
		want = append(want, pair{i, i + w*h}, pair{i + w*h, i})
	}
	p := NearNeighbour([]int{w, h, d}, 3)
	got := pairs(phasesOf(p)[0])
	order := func(a, b pair) int { return int(a.from-b.from)*1000 + int(a.to-b.to) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(got, want) || p.Messages() != int64(len(want)) {
		t.Errorf("%d messages %v\nwant %v", p.Messages(), got, want)
	}
}
