package center

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/machinetest"
	"contend/netsim/topology"
)

// branchMachines are machines large enough for tiles of all sizes.
func branchMachines(t *testing.T) []*topology.Cube {
	return []*topology.Cube{machinetest.Mesh(t, 70, 55), machinetest.Mesh(t, 9, 61),
		machinetest.Mesh(t, 1100, 2), machinetest.Mesh(t, 17, 15, 14),
		machinetest.Torus(t, []int{24, 21}, true, true), machinetest.Torus(t, []int{21, 16}, false, true),
		machinetest.Torus(t, []int{15, 14, 13}, true, true, true), machinetest.Torus(t, []int{40}, true),
		machinetest.Cube(t, topology.CubeConfig{Dims: []int{31, 24}, Concentration: 3}),
		machinetest.Cube(t, topology.CubeConfig{Dims: []int{12, 9, 8}, Wrap: []bool{true, false, true},
			Concentration: 2})}
}

// withHoles is a free set of boxes that overlap, so that some ground is wholly free.
func withHoles(m *topology.Cube, stream *rand.Rand) *allocation.FreeSet {
	free, l := make([]bool, m.Nodes()), latticeOf(m)
	for range 1 + stream.IntN(6) {
		at, side := l.Coordinates(topology.Node(stream.IntN(m.Routers()))), 2+stream.IntN(40)
		for n := range free {
			p := l.Coordinates(topology.Node(m.RouterOf(topology.Node(n))))
			inside := true
			for d := range p {
				inside = inside && l.Along(d, p[d], at[d]) <= side/2
			}
			free[n] = free[n] || inside && stream.IntN(200) > 0
		}
	}
	return allocationtest.FreeSet(free)
}

// branchState draws a free set and a size: a few processors, or any number of the free ones.
func branchState(m *topology.Cube, stream *rand.Rand) (*allocation.FreeSet, int) {
	free := withHoles(m, stream)
	if stream.IntN(3) == 0 {
		free = allocationtest.Scattered(m, stream)
	}
	if stream.IntN(2) == 0 {
		return free, 1 + stream.IntN(min(60, free.Count()))
	}
	return free, 1 + stream.IntN(free.Count())
}

// The centers of least score are the same when all are scored.
func TestBranchAndBoundMissesNoWinner(t *testing.T) {
	stream := rand.New(rand.NewPCG(7, 8))
	for _, m := range branchMachines(t) {
		for _, short := range []string{"gen-alg", "gen-alg:greedy", "gen-alg:node-order", "mm"} {
			a := makeMedian(t, short, m)
			for range allocationtest.Rounds(3, 1) {
				free, size := branchState(m, stream)
				if a.shell.last == LastShellGreedy {
					size = min(size, 40) // to score all centers takes long
				}
				a.search(nil, free, size, &tieCount{on: stream.IntN(2) == 0})
				got := slices.Clone(a.best)
				if want := bestOfAll(a, size); !slices.Equal(got, want) {
					t.Fatalf("%s on %v: %d of %d: %v, all scored %v", short, m.Dims(), size, free.Count(),
						got, want)
				}
			}
		}
	}
}

// bestOfAll scores every center of the last decision.
func bestOfAll(a *onLattice, size int) (best []int) {
	least := int64(math.MaxInt64)
	for i := range a.centers {
		score := a.score(i, size)
		if score < least {
			least, best = score, nil
		}
		if score == least && (a.ties || len(best) == 0) {
			best = append(best, i)
		}
	}
	return best
}

// No bound of a center or of a tile exceeds a score.
func TestBoundsOfCentersAndTiles(t *testing.T) {
	stream := rand.New(rand.NewPCG(9, 10))
	for _, m := range branchMachines(t) {
		for _, short := range []string{"mm:node-order"} {
			a := makeMedian(t, short, m)
			for range allocationtest.Rounds(3, 1) {
				free, size := branchState(m, stream)
				a.search(nil, free, size, &tieCount{})
				checkBranch(t, a, size)
			}
		}
	}
}

func checkBranch(t *testing.T, a *onLattice, size int) {
	t.Helper()
	scores := map[topology.Node]int64{}
	for i, n := range a.centers {
		at := a.Coordinates(n)
		scores[n] = a.score(i, size)
		if a.exceeds(at, scores[n]) {
			t.Fatalf("%v, %d processors: the bound of %v exceeds its score", &a.Lattice, size, at)
		}
	}
	a.branch.least = math.MaxInt64 // no bound stops early
	for level, tiles := range a.tiles.levels {
		for i := range tiles {
			least := int64(math.MaxInt64)
			for _, n := range a.tiles.order[tiles[i].first:tiles[i].end] {
				if a.isCenter(n) {
					least = min(least, scores[n])
				}
			}
			if least == math.MaxInt64 {
				continue
			}
			if bound := a.leastOf(&tiles[i], level+1 == len(a.tiles.levels)); bound > least {
				t.Fatalf("%v, %d processors: a tile of radius %d at %v is bounded by %d and has %d",
					&a.Lattice, size, tiles[i].radius, tiles[i].middle, bound, least)
			}
		}
	}
}

// Every level has all places, and every tile those of its parts.
func TestTilesDivideTheMachine(t *testing.T) {
	for _, m := range branchMachines(t) {
		a := makeMedian(t, "mm", m)
		if a.plane == nil {
			continue
		}
		all := slices.Clone(a.tiles.order)
		if slices.Sort(all); len(all) != m.Routers() || len(slices.Compact(all)) != m.Routers() {
			t.Fatalf("%v: not all places are in a tile", &a.Lattice)
		}
		for level, tiles := range a.tiles.levels {
			end := int32(0)
			for _, tile := range tiles {
				places := a.tiles.order[tile.first:tile.end]
				if tile.first != end {
					t.Fatalf("%v: tile %+v after place %d", &a.Lattice, tile, end)
				}
				end = tile.end
				for _, n := range places {
					if a.Distance(a.Coordinates(n), tile.middle) > min(tile.radius, a.tiles.radius[level]) {
						t.Fatalf("%v: node %d is not in the radius of %+v", &a.Lattice, n, tile)
					}
				}
				if level+1 < len(a.tiles.levels) {
					parts := a.tiles.levels[level+1][tile.part:tile.parts]
					if parts[0].first != tile.first || parts[len(parts)-1].end != tile.end {
						t.Fatalf("%v: tile %+v has the parts %+v", &a.Lattice, tile, parts)
					}
				}
			}
			if int(end) != m.Routers() {
				t.Fatalf("%v: the tiles of level %d have %d places", &a.Lattice, level, end)
			}
		}
	}
}
