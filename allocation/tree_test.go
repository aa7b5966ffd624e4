package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"

	"pgregory.net/rapid"
)

func tree(t testing.TB, arity, levels, nodes int) *topology.Tree {
	t.Helper()
	m, err := topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels, Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func quasi(t testing.TB, machine topology.Topology, percent int) *quasiContiguous {
	t.Helper()
	a, err := newQuasiContiguous(machine, percent)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// treeReference is quasi-contiguous allocation written for plainness: lists of
// free nodes, subtrees found by division, the contiguous search apart.
func treeReference(arity, places, percent int, free []bool, size int) ([]topology.Node, bool) {
	in := func(first, n int) (list []topology.Node) {
		for i := first; i < first+n && i < len(free); i++ {
			if free[i] {
				list = append(list, topology.Node(i))
			}
		}
		return list
	}
	span := 1
	for span < size {
		span *= arity
	}
	for first := 0; first < len(free); first += span {
		if list := in(first, span); len(list) >= size {
			return list[:size], true
		}
	}
	above := span * arity
	if above > places {
		return nil, false
	}
	for parent := 0; parent < len(free); parent += above {
		all := in(parent, above)
		if len(all) < size {
			continue
		}
		var main []topology.Node
		for first := parent; first < parent+above; first += span {
			if list := in(first, span); len(list) > len(main) {
				main = list
			}
		}
		lacks := size - len(main)
		if 100*(lacks-1) >= percent*size { // lacks > ceil(percent·size/100)
			continue
		}
		rest := slices.DeleteFunc(all, func(n topology.Node) bool { return slices.Contains(main, n) })
		return append(main, rest[:lacks]...), true
	}
	return nil, false
}

// checkTreeDecision holds decisions of the three allocators against the rules
// all obey, the reference and each other.
func checkTreeDecision(t rapid.TB, machine *topology.Tree, free []bool, f *FreeSet,
	size, percent int) {
	t.Helper()
	where := func(name string) string {
		return fmt.Sprintf("%s %d%%, %d-ary %d-tree, size %d of free %v", name, percent, machine.Arity(),
			machine.Levels(), size, free)
	}
	places := machine.Span(machine.Levels() - 1)
	a, err := newQuasiContiguous(machine, percent)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newContiguous(machine)
	if err != nil {
		t.Fatal(err)
	}
	before, prefix := slices.Clone(f.words), []topology.Node{-7, -8}
	for name, k := range map[string]struct {
		a       Allocator
		percent int
	}{"quasi-contiguous": {a, percent}, "contiguous": {b, 0}} {
		want, placed := treeReference(machine.Arity(), places, k.percent, free, size)
		got, ok := k.a.Allocate(prefix, f, Request{Size: size})
		if !slices.Equal(got[:2], prefix) || !slices.Equal(before, f.words) {
			t.Fatalf("%s: changed what it was given", where(name))
		}
		if ok != placed || !slices.Equal(got[2:], want) {
			t.Fatalf("%s:\n got %v %v\nwant %v %v", where(name), got[2:], ok, want, placed)
		}
	}
	var want []topology.Node
	for n := range free {
		if free[n] && len(want) < size {
			want = append(want, topology.Node(n))
		}
	}
	got, ok := newSequential(machine).Allocate(prefix, f, Request{Size: size})
	if enough := len(want) == size; ok != enough || ok && !slices.Equal(got[2:], want) ||
		!ok && len(got) != 2 {
		t.Fatalf("%s: got %v %v, want %v", where("sequential"), got[2:], ok, want)
	}
}

// Every free set of small trees, every size.
func TestTreeAllocatorsExhaustively(t *testing.T) {
	for _, m := range []*topology.Tree{tree(t, 2, 3, 0), tree(t, 3, 2, 0), tree(t, 2, 4, 9),
		tree(t, 3, 3, 10), tree(t, 5, 1, 0), tree(t, 4, 2, 7)} {
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

// drawTreeFree draws which nodes are free: subtrees and single nodes.
func drawTreeFree(rt *rapid.T, m *topology.Tree) []bool {
	free := make([]bool, m.Nodes())
	start := rapid.Bool().Draw(rt, "start")
	for n := range free {
		free[n] = start
	}
	for range rapid.IntRange(0, 8).Draw(rt, "subtrees") {
		span := m.Span(rapid.IntRange(0, m.Levels()-1).Draw(rt, "level"))
		first := rapid.IntRange(0, (m.Nodes()-1)/span).Draw(rt, "subtree") * span
		set := rapid.Bool().Draw(rt, "set")
		for n := first; n < min(first+span, m.Nodes()); n++ {
			free[n] = set
		}
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, m.Nodes()-1), 0, 12).Draw(rt, "single") {
		free[n] = !free[n]
	}
	return free
}

// Large trees, of spans that share words and spans that have several.
func TestTreeAllocatorsAgainstReference(t *testing.T) {
	for _, m := range []*topology.Tree{tree(t, 4, 4, 240), tree(t, 3, 5, 0), tree(t, 3, 5, 200),
		tree(t, 2, 9, 0), tree(t, 7, 3, 300), tree(t, 70, 2, 4000), tree(t, 4, 6, 4008)} {
		t.Run(fmt.Sprintf("%d-ary %d-tree", m.Arity(), m.Levels()), func(t *testing.T) {
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

// FuzzTreeAllocators plays a stream of jobs on a tree against the three
// allocators; each decision is held against the reference, each allocation
// against what its allocator promises of its quality.
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
		free, set := make([]bool, m.Nodes()), NewFreeSet(m.Nodes())
		for n := range free {
			free[n] = true
		}
		var running [][]topology.Node
		for _, b := range jobs[:min(len(jobs), 64)] {
			if b >= 0xc0 && len(running) > 0 {
				i := int(b) % len(running)
				set.Release(running[i])
				for _, n := range running[i] {
					free[n] = true
				}
				running = slices.Delete(running, i, i+1)
				continue
			}
			size := 1 + int(b)*(m.Nodes()-1)/256
			if b%2 == 1 {
				size = min(1+int(b)/16, m.Nodes())
			}
			checkTreeDecision(t, m, free, set, size, qct)
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
			set.Take(got)
			for _, n := range got {
				free[n] = false
			}
			running = append(running, got)
		}
	})
}

// Whatever an empty tree has room for is placed there, whole and in order.
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

// The rest lies in the last word, in a subtree that would go on beyond it.
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

// On a machine that is no tree the first free nodes are as defined.
func TestSequentialOnAMesh(t *testing.T) {
	free := freeSet([]bool{true, false, true, true, false, true})
	got, ok := newSequential(mesh(t, 3, 2)).Allocate(nil, free, Request{Size: 3})
	if !ok || !slices.Equal(got, []topology.Node{0, 2, 3}) {
		t.Errorf("%v %v", got, ok)
	}
}

// treeUnderLoad is a tree as it comes up under load: jobs of all sizes, then
// random ones of them gone until half of it is free.
func treeUnderLoad(m *topology.Tree) *FreeSet {
	stream := rand.New(rand.NewPCG(7, 7))
	f, a := NewFreeSet(m.Nodes()), newSequential(m)
	var jobs [][]topology.Node
	for {
		nodes, ok := a.Allocate(nil, f, Request{Size: 1 + stream.IntN(16)})
		if !ok {
			break
		}
		f.Take(nodes)
		jobs = append(jobs, nodes)
	}
	for 2*f.Count() < f.Nodes() {
		i := stream.IntN(len(jobs))
		f.Release(jobs[i])
		jobs = slices.Delete(jobs, i, i+1)
	}
	return f
}

func TestTreeAllocatorsTakeNoMemory(t *testing.T) {
	m := tree(t, 4, 5, 1000)
	f, meter := treeUnderLoad(m), treeMeter(t, m)
	dst := make([]topology.Node, 0, m.Nodes())
	for _, a := range []Allocator{quasi(t, m, 0), quasi(t, m, 30), newSequential(m)} {
		for _, size := range []int{1, 4, 15, 60, 200, 480, 900} {
			if n := testing.AllocsPerRun(20, func() {
				if got, ok := a.Allocate(dst, f, Request{Size: size}); ok {
					meter.Measure(got)
				}
			}); n != 0 {
				t.Errorf("%T, size %d: %v allocations a decision", a, size, n)
			}
		}
	}
}

// One decision on a tree half of which is free, by machine size and job size.
func BenchmarkTreeAllocate(b *testing.B) {
	for levels := 3; levels <= 6; levels++ {
		m := tree(b, 4, levels, 0)
		f := treeUnderLoad(m)
		dst := make([]topology.Node, 0, m.Nodes())
		for _, k := range []struct {
			name string
			a    Allocator
		}{{"sequential", newSequential(m)}, {"contiguous", quasi(b, m, 0)},
			{"quasi-contiguous", quasi(b, m, 20)}} {
			for _, size := range []int{4, 15, m.Nodes() / 4} {
				b.Run(fmt.Sprintf("%s/nodes=%d/size=%d", k.name, m.Nodes(), size), func(b *testing.B) {
					placed := false
					b.ReportAllocs()
					for b.Loop() {
						_, placed = k.a.Allocate(dst, f, Request{Size: size})
					}
					if !placed {
						b.ReportMetric(1, "refused")
					}
				})
			}
		}
	}
}

func BenchmarkTreeMeasure(b *testing.B) {
	m := tree(b, 4, 6, 0)
	meter, err := NewTreeMeter(m)
	if err != nil {
		b.Fatal(err)
	}
	nodes, _ := newSequential(m).Allocate(nil, treeUnderLoad(m), Request{Size: 64})
	b.ReportAllocs()
	for b.Loop() {
		meter.Measure(nodes)
	}
}
