package allocation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim/topology"
)

// Every free set of small trees, every size.
func TestTreeAllocatorsExhaustively(t *testing.T) {
	for _, m := range []*topology.FatTree{tree(t, 2, 3, 0).FatTree, tree(t, 3, 2, 0).FatTree,
		tree(t, 2, 4, 9).FatTree, tree(t, 3, 3, 10).FatTree, tree(t, 5, 1, 0).FatTree,
		tree(t, 4, 2, 7).FatTree, fat(t, topology.FatTreeConfig{Children: []int{3, 2, 2}, Nodes: 10}),
		fat(t, topology.FatTreeConfig{Children: []int{1, 4, 1, 2}})} {
		for set := range 1 << m.Nodes() {
			free := make([]bool, m.Nodes())
			for n := range free {
				free[n] = set>>n&1 == 1
			}
			f := freeSet(free)
			for size := 1; size <= m.Nodes(); size++ {
				for _, percent := range []int{10, 34, 100} {
					checkTreeDecision(t, m, free, f, size, percent)
				}
			}
		}
	}
}

// Large trees, with spans that share words and spans of several words.
func TestTreeAllocatorsAgainstReference(t *testing.T) {
	for _, m := range []*topology.FatTree{tree(t, 4, 4, 240).FatTree, tree(t, 3, 5, 0).FatTree,
		tree(t, 3, 5, 200).FatTree, tree(t, 2, 9, 0).FatTree, tree(t, 7, 3, 300).FatTree,
		tree(t, 70, 2, 4000).FatTree, tree(t, 4, 6, 4008).FatTree,
		fat(t, topology.FatTreeConfig{Children: []int{18, 10, 3}, Parents: []int{6}, Nodes: 500}),
		fat(t, topology.FatTreeConfig{Children: []int{3, 5, 1, 7, 2}})} {
		t.Run(fmt.Sprint(childrenOf(m)), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				free := drawTreeFree(rt, m)
				size := rapid.IntRange(1, m.Nodes()).Draw(rt, "size")
				if rapid.Bool().Draw(rt, "small") {
					size = 1 + size%30
				}
				checkTreeDecision(rt, m, free, freeSet(free), size, rapid.IntRange(0, 100).Draw(rt, "percent"))
			})
		})
	}
}

// FuzzTreeAllocators runs a stream of jobs on a tree with the three allocators. It
// compares each decision with the reference, and each allocation with the properties of
// its allocator.
func FuzzTreeAllocators(f *testing.F) {
	f.Add(uint8(4), uint8(3), uint8(60), uint8(20), []byte{5, 0, 200, 16, 3, 7, 129})
	f.Add(uint8(3), uint8(4), uint8(81), uint8(40), []byte{0x42, 0x31, 0x99, 0x17, 0xff, 0x81})
	f.Add(uint8(2), uint8(1), uint8(2), uint8(100), []byte{3, 3, 3, 128, 128})
	f.Fuzz(func(t *testing.T, arity, levels, nodes, percent uint8, jobs []byte) {
		k, l := 2+int(arity)%6, 1+int(levels)%4
		places := tree(t, k, l, 0).Nodes()
		m := tree(t, k, l, 1+int(nodes)*places/256)
		qct := int(percent) % 101
		a, contiguous, meter := quasi(t, m, qct), quasi(t, m, 0), treeMeter(t, m)
		running := newRunningJobs(m.Nodes())
		set := running.set
		for _, b := range jobs[:min(len(jobs), 64)] {
			if running.finishOn(b) {
				continue
			}
			size := 1 + int(b)*(m.Nodes()-1)/256
			if b%2 == 1 {
				size = min(1+int(b)/16, m.Nodes())
			}
			checkTreeDecision(t, m.FatTree, running.free, set, size, qct)
			got, ok := a.Allocate(nil, set, Request{Size: size})
			if !ok {
				continue
			}
			q := meter.Measure(got)
			if _, near := contiguous.Allocate(nil, set, Request{Size: size}); near && q.Level > q.JobLevel {
				t.Fatalf("%v is not contiguous, where there is a contiguous place", got)
			}
			if most := (qct*size + 99) / 100; q.Away > most || q.Level > q.JobLevel+1 {
				t.Fatalf("%v: %+v, at most %d may be away, one level up", got, q, most)
			}
			running.start(got)
		}
	})
}

// An empty tree places every job that fits, whole and in order.
func TestTreeCheckIsTheEmptyMachine(t *testing.T) {
	for _, m := range []*topology.Tree{tree(t, 4, 3, 0), tree(t, 4, 3, 50), tree(t, 3, 3, 11),
		tree(t, 2, 1, 1)} {
		for _, a := range []Allocator{quasi(t, m, 0), quasi(t, m, 30), newSequential(m)} {
			for size := 1; size <= m.Nodes()+1; size++ {
				got, ok := a.Allocate(nil, NewFreeSet(m.Nodes()), Request{Size: size})
				if err := a.Check(Request{Size: size}); ok != (err == nil) || ok != (size <= m.Nodes()) {
					t.Errorf("size %d of %d: placed %v, check says %v", size, m.Nodes(), ok, err)
				}
				for i, n := range got {
					if int(n) != i {
						t.Fatalf("size %d: rank %d on node %d", size, i, n)
					}
				}
			}
		}
	}
}

func TestTreeAllocatorErrors(t *testing.T) {
	m := tree(t, 4, 3, 0)
	for _, percent := range []int{-1, 101} {
		if _, err := newQuasiContiguous(m, percent); err == nil ||
			!strings.Contains(err.Error(), "must be 0 to 100") {
			t.Errorf("%d percent: %v", percent, err)
		}
	}
	if _, err := newContiguous(mesh(t, 4, 4)); err == nil ||
		!strings.Contains(err.Error(), "contiguous needs a tree") {
		t.Errorf("a mesh: %v", err)
	}
	if _, err := NewTreeMeter(mesh(t, 4, 4)); err == nil {
		t.Error("a mesh has levels")
	}
	for _, a := range []Allocator{quasi(t, m, 10), newSequential(m)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T takes a request for nothing", a)
				}
			}()
			a.Allocate(nil, NewFreeSet(64), Request{})
		}()
	}
}

// The rest lies in the last word, in a subtree that would extend beyond it.
func TestQuasiContiguousAtTheEnd(t *testing.T) {
	m := tree(t, 3, 5, 190)
	want := make([]topology.Node, 0, 20)
	for n := topology.Node(163); n < 182; n++ {
		want = append(want, n)
	}
	want = append(want, 189)
	got, ok := quasi(t, m, 5).Allocate(nil, freeOnly(190, want...), Request{Size: 20})
	if !ok || !slices.Equal(got, want) {
		t.Errorf("%v %v, want %v", got, ok, want)
	}
}

// On a machine that is not a tree sequential takes the first free nodes.
func TestSequentialOnAMesh(t *testing.T) {
	free := freeSet([]bool{true, false, true, true, false, true})
	got, ok := newSequential(mesh(t, 3, 2)).Allocate(nil, free, Request{Size: 3})
	if !ok || !slices.Equal(got, []topology.Node{0, 2, 3}) {
		t.Errorf("%v %v", got, ok)
	}
}
