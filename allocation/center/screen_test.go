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

// The candidates of least score are the same when all scores are added up in full.
func TestScreenRefusesNoWinner(t *testing.T) {
	stream := rand.New(rand.NewPCG(3, 4))
	for _, m := range []*topology.Cube{machinetest.Mesh(t, 60, 45), machinetest.Mesh(t, 300),
		machinetest.Mesh(t, 1, 80),
		machinetest.Mesh(t, 14, 12, 9),
		machinetest.Torus(t, []int{40, 32}, true, true), machinetest.Torus(t, []int{12, 9, 11}, true,
			false, true)} {
		for _, short := range []string{"mc", "mc1x1", "mc1x1-tie"} {
			for range allocationtest.Rounds(12, 3) {
				a := makeCenter(t, short, m)
				free := allocationtest.Scattered(m, stream)
				req := allocation.Request{Size: 1 + stream.IntN(free.Count())}
				if stream.IntN(2) == 0 {
					req.Size = 1 + stream.IntN(min(60, free.Count()))
				}
				a.CountTies(a.breaks != nil || stream.IntN(2) == 0)
				if _, ok := a.Allocate(nil, free, req); !ok {
					t.Fatalf("%s refused %d of %d", short, req.Size, free.Count())
				}
				if want := plainSearch(a, req.Size); !slices.Equal(a.best, want) {
					t.Fatalf("%s on %v: %d processors: %v, plainly %v", short, m.Dims(), req.Size, a.best, want)
				}
			}
		}
	}
}

// The winner of a tie is that of scores that are added up in full, of every candidate.
func TestTieBoundsRefuseNoWinner(t *testing.T) {
	stream := rand.New(rand.NewPCG(7, 8))
	forms := []string{"mc1x1-tie:2,13,20,6", "mc1x1-tie:3,1,0,9", "mc1x1-tie:1,0,3,2,twice",
		"mc1x1-tie:2,13,0,0,greedy", "mc1x1-tie:0,5,2,6"}
	for _, m := range []*topology.Cube{machinetest.Mesh(t, 30, 25), machinetest.Mesh(t, 200),
		machinetest.Mesh(t, 11, 9, 8),
		machinetest.Torus(t, []int{20, 17}, true, true), machinetest.Torus(t, []int{9, 8, 11}, true,
			false, true)} {
		for _, short := range forms {
			a := makeCenter(t, short, m)
			for range allocationtest.Rounds(12, 3) {
				free := allocationtest.Scattered(m, stream)
				if stream.IntN(2) == 0 {
					free = withHoles(m, stream)
				}
				size := 1 + stream.IntN(min(1+stream.IntN(40), free.Count()))
				if _, ok := a.Allocate(nil, free, allocation.Request{Size: size}); !ok {
					t.Fatalf("%s refused %d of %d", short, size, free.Count())
				}
				want, least := finalist{}, math.MaxInt
				for _, f := range plainSearch(a, size) {
					c := a.candidate(f, &latticeRow{Lattice: &a.Lattice})
					if score := a.tieScore(free, &c, size, math.MaxInt); score < least {
						want, least = f, score
					}
				}
				if got := a.breakTies(free, size); got != want {
					t.Fatalf("%s on %v: %d processors: candidate %v, of full scores %v", short, m.Dims(), size,
						got, want)
				}
			}
		}
	}
}

// plainSearch scores every candidate of the last decision.
func plainSearch(a *center, size int) (best []finalist) {
	least := int64(1) << 40
	for index := range len(a.picker.centers) * len(a.picker.shapes) {
		c := candidate{index: index, box: a.picker.shell0(index)}
		score, ok := a.score(&c, size, least)
		if !ok || score == least && a.breaks == nil && !a.ties.on {
			continue
		}
		if score < least {
			least, best = score, nil
		}
		best = append(best, finalist{int32(c.index), int32(c.last), int32(c.found)})
	}
	return best
}

// The nodes of the last shell are those that come first in a full sort.
func TestTakeBeforeIsASort(t *testing.T) {
	stream := rand.New(rand.NewPCG(5, 6))
	for _, m := range []*topology.Cube{machinetest.Mesh(t, 24, 17), machinetest.Torus(t, []int{9, 8,
		7}, true, false, true)} {
		for range allocationtest.Rounds(60, 15) {
			a := makeCenter(t, "mc", m)
			free := allocationtest.Scattered(m, stream)
			size := 1 + stream.IntN(free.Count())
			nodes, _ := a.Allocate(nil, free, allocation.Request{Size: size})
			c := a.candidate(a.best[0], &latticeRow{Lattice: &a.Lattice})
			a.picker.shell = a.picker.shell[:0]
			want := shellsOf(a, free, &c)
			slices.SortFunc(a.picker.shell, func(x, y topology.Node) int {
				for i := c.index - 1; i >= 0; i-- {
					around := a.picker.shell0(i)
					if d := a.shellOf(a.Coordinates(x), &around) -
						a.shellOf(a.Coordinates(y), &around); d != 0 {
						return d
					}
				}
				return int(x) - int(y)
			})
			want = append(want, a.picker.shell[:size-len(want)]...)
			slices.Sort(want)
			if !slices.Equal(nodes, want) {
				t.Fatalf("%d of %d: %v, sorted %v", size, free.Count(), nodes, want)
			}
		}
	}
}

// shellsOf returns the free nodes of all shells but the last, and puts those of the last into
// the picker.
func shellsOf(a *center, free *allocation.FreeSet, c *candidate) (nodes []topology.Node) {
	for n := range topology.Node(a.Nodes()) {
		switch shell := a.shellOf(a.Coordinates(n), &c.box); {
		case !free.Free(n) || shell > c.last:
		case shell == c.last:
			a.picker.shell = append(a.picker.shell, n)
		default:
			nodes = append(nodes, n)
		}
	}
	return nodes
}
