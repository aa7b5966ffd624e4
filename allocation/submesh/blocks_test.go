package submesh

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// The blocks that MBS derives from the free nodes are those of the paper's bookkeeping,
// block by block, over long sequences of jobs.
func TestMBSNeedsNoBooks(t *testing.T) {
	for _, dims := range [][]int{{8, 8}, {12, 10}, {16, 16}, {7, 3}, {1, 9}, {10, 10},
		{70, 66}, {200, 130}, {8, 8, 8}, {5, 6, 7}, {66, 4, 5}, {4, 4, 4, 4}, {5, 3, 4, 2}} {
		t.Run(fmt.Sprint(dims), func(t *testing.T) {
			steps := 4000
			if dims[0] > 64 {
				steps = 400
			}
			a := makeForm(t, "mbs", topologytest.Mesh(t, dims...)).(*mbs)
			compareWithBooks(t, a, newBooks(dims...), volume(dims), steps)
		})
	}
}

func compareWithBooks(t *testing.T, a *mbs, books *books, machine, steps int) {
	type job struct {
		nodes  []topology.Node
		blocks []block
	}
	stream := rand.New(rand.NewPCG(11, uint64(machine)))
	f := allocation.NewFreeSet(machine)
	var running []job
	placed := 0
	for step := range steps {
		// Long phases of filling and draining reach all levels of load.
		if filling := step/100%2 == 0; len(running) > 0 && stream.IntN(10) < 3 == filling {
			i := stream.IntN(len(running))
			f.Release(running[i].nodes)
			books.release(running[i].blocks)
			running = slices.Delete(running, i, i+1)
		} else {
			size := 1 + stream.IntN(max(1, machine/(1+stream.IntN(20))))
			want, wantOK := books.allocate(size)
			nodes, ok := a.Allocate(nil, f, allocation.Request{Size: size})
			if ok != wantOK || ok && !slices.Equal(nodes, books.blockNodes(want)) {
				t.Fatalf("step %d, %d processors: granted %v %v, want %v %v", step, size, nodes,
					ok, want, wantOK)
			}
			if !ok {
				continue
			}
			placed++
			f.Take(nodes)
			running = append(running, job{nodes, want})
		}
	}
	if placed < steps/10 {
		t.Errorf("only %d jobs were placed", placed)
	}
}

// books is the multiple buddy strategy with its bookkeeping, word for word after [Lo et
// al. 1994, sec. 3.3]: free block records kept between calls, search_level, and release
// by merging buddies. In n dimensions 4 becomes 2^n.
type books struct {
	reference
	initial []block
	fbr     map[int][]block // by log2 of the side, sorted by (..., z, y, x)
	avail   int
	maxDB   int
}

func newBooks(sides ...int) *books {
	b := &books{reference: reference{sides: sides}, fbr: map[int][]block{}, avail: volume(sides)}
	for 1<<(len(sides)*b.maxDB) < b.avail {
		b.maxDB++
	}
	b.initial = b.initialBlocks(b.cube(0), sides)
	for _, i := range b.initial {
		b.add(i)
	}
	return b
}

// block returns the block at a place.
func (b *books) block(at []int, side int) block {
	n, _ := b.node(at)
	return block{n, side}
}

// initialBlocks cuts a part of a mesh as in Fig. 4. It takes as many of the largest cube of a power
// of two as fit from the lowest corner on. Then it cuts the rest to the right of them, then the
// rest above them, and so on.
func (b *books) initialBlocks(corner, sides []int) (blocks []block) {
	if slices.Min(sides) == 0 {
		return nil
	}
	side := 1
	for 2*side <= slices.Min(sides) {
		side *= 2
	}
	cubes, whole := slices.Clone(sides), slices.Clone(sides)
	for d := range sides {
		cubes[d] /= side
		whole[d] = cubes[d] * side
	}
	for i := range box(cubes...) {
		for d := range i {
			i[d] *= side
		}
		blocks = append(blocks, b.block(moved(corner, i), side))
	}
	for d := range sides {
		at, rest := slices.Clone(corner), slices.Concat(sides[:d], whole[d:])
		at[d] += whole[d]
		rest[d] = sides[d] - whole[d]
		blocks = append(blocks, b.initialBlocks(at, rest)...)
	}
	return blocks
}

func log2(side int) int {
	i := 0
	for 1<<i < side {
		i++
	}
	return i
}

func (b *books) add(k block) {
	i := log2(k.side)
	b.fbr[i] = append(b.fbr[i], k)
	slices.SortFunc(b.fbr[i], func(a, b block) int { return cmp.Compare(a.corner, b.corner) })
}

func (b *books) shift(i int) block {
	first := b.fbr[i][0]
	b.fbr[i] = b.fbr[i][1:]
	return first
}

// generate is Algorithm 2.
func (b *books) generate(i, searchLevel int) bool {
	j := i + 1
	for ; j <= searchLevel && len(b.fbr[j]) == 0; j++ {
	}
	if j > searchLevel {
		return false
	}
	k := b.shift(j)
	for j > i {
		half := 1 << (j - 1)
		for part := range box(b.cube(2)...) {
			if slices.Max(part) == 0 {
				continue
			}
			for d := range part {
				part[d] *= half
			}
			b.add(b.block(moved(b.at(k.corner), part), half))
		}
		j--
	}
	b.add(block{k.corner, 1 << i})
	return true
}

// allocate is Algorithm 3.
func (b *books) allocate(size int) ([]block, bool) {
	if size > b.avail {
		return nil, false
	}
	request, base := make([]int, b.maxDB+1), 1<<len(b.sides)
	for i, rest := 0, size; rest > 0; i, rest = i+1, rest/base {
		request[i] = rest % base
	}
	var granted []block
	searchLevel := b.maxDB
	for i := b.maxDB; i >= 0; i-- {
		if request[i] > len(b.fbr[i]) {
			made := b.generate(i, searchLevel)
			searchLevel = i
			if !made {
				request[i-1] += base * (request[i] - len(b.fbr[i]))
				request[i] = len(b.fbr[i])
			}
		}
		for range request[i] {
			granted = append(granted, b.shift(i))
		}
	}
	b.avail -= size
	return granted, true
}

// release returns blocks and merges buddies up to the initial blocks.
func (b *books) release(blocks []block) {
	for _, k := range blocks {
		b.avail += volume(b.cube(k.side))
		b.merge(k)
	}
}

func (b *books) merge(k block) {
	for !slices.Contains(b.initial, k) {
		i, whole := log2(k.side), 2*k.side
		parent := b.parent(k, whole)
		within := func(o block) bool { return b.parent(o, whole) == parent }
		buddies := 0
		for _, o := range b.fbr[i] {
			if within(o) {
				buddies++
			}
		}
		if buddies < 1<<len(b.sides)-1 {
			break
		}
		b.fbr[i] = slices.DeleteFunc(b.fbr[i], within)
		k = parent
	}
	b.add(k)
}

// parent returns the block of a larger side around a block.
func (b *books) parent(k block, side int) block {
	at := b.at(k.corner)
	for d := range at {
		at[d] = at[d] / side * side
	}
	return b.block(at, side)
}

// occupy sets the books to a machine with the given free nodes. It breaks the machine
// into single nodes and releases the free ones.
func (b *books) occupy(free []bool) {
	b.fbr, b.avail = map[int][]block{}, 0
	for n, yes := range free {
		if yes {
			b.release([]block{{topology.Node(n), 1}})
		}
	}
}
