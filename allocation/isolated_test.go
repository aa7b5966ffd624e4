package allocation

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim/topology"
	"contend/router"
)

// checkIsolated lets jobs of 1 to most processors come and go, and checks that no link is
// on a way of two of them. Reserved nodes send nothing.
func checkIsolated(t *testing.T, short string, machine topology.Topology, w *router.Wiring,
	x router.Routing, most int) {
	t.Helper()
	running, stream := newRunningJobs(machine.Nodes()), rand.New(rand.NewPCG(3, 3))
	a, foot := makeAllocator(t, short, machine), router.NewFootprint(w, x)
	owners := map[router.Link]int{}
	var jobs []int // numbers of the running jobs
	together := 0
	for job := 1; job <= 150; job++ {
		size := 1 + stream.IntN(most)
		nodes, ok := a.Allocate(nil, running.set, Request{Size: size})
		for i := 0; !ok || len(jobs) > 12; ok, i = true, i+1 {
			if len(jobs) == 0 {
				t.Fatalf("%s: no room for %d processors on an empty machine", short, size)
			}
			at := stream.IntN(len(jobs))
			for l, owner := range owners {
				if owner == jobs[at] {
					delete(owners, l)
				}
			}
			running.finish(at)
			jobs = slices.Delete(jobs, at, at+1)
		}
		if nodes, ok = a.Allocate(nil, running.set, Request{Size: size}); !ok {
			continue
		}
		running.start(nodes)
		jobs = append(jobs, job)
		together = max(together, len(jobs))
		for _, from := range nodes[:size] {
			for _, to := range nodes[:size] {
				if from == to {
					continue
				}
				foot.Links(from, to, func(l router.Link) {
					if other := owners[l]; other != 0 && other != job {
						t.Fatalf("%s: packets of two jobs use %v; one has the nodes %v", short, l, nodes)
					}
					owners[l] = job
				})
			}
		}
	}
	if together < 4 {
		t.Errorf("%s: at most %d jobs ran together", short, together)
	}
}

// Jobs share no link under the routings that the allocator is made for.
func TestIsolatedJobsShareNoLink(t *testing.T) {
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {8, 2, 0}} {
		machine := tree(t, shape[0], shape[1], shape[2])
		w := router.NewWiring(machine, 1, 1)
		for _, choice := range []router.UpPort{router.ByDestination, router.BySource} {
			x, err := router.NewUpDown(w, choice, 0)
			if err != nil {
				t.Fatal(err)
			}
			checkIsolated(t, "isolated", machine, w, x, machine.Nodes()/2)
		}
	}
}

// referenceIsolated tries all sets of rows of all parents, by the bits of numbers.
func referenceIsolated(arity, levels int, free []bool, size int) ([]topology.Node, bool) {
	isFree := func(first, n int) bool {
		for i := first; i < first+n; i++ {
			if i >= len(free) || !free[i] {
				return false
			}
		}
		return true
	}
	places := 1
	for range levels {
		places *= arity
	}
	var best []topology.Node
	for leaf := 0; leaf < places; leaf += arity {
		var list []topology.Node
		for n := leaf; n < leaf+arity; n++ {
			if isFree(n, 1) {
				list = append(list, topology.Node(n))
			}
		}
		if len(list) >= size && (best == nil || len(list) < len(best)) {
			best = list
		}
	}
	if best != nil {
		return best[:size], true
	}
	for unit := 1; unit*arity*arity <= places; unit *= arity {
		units := (size + unit - 1) / unit
		for waste := 0; waste <= units; waste++ {
			for rows := 2; rows <= min(arity, units); rows++ {
				across := (units + rows - 1) / rows
				if across > arity || across*rows-units != waste || across*(rows-1) >= units {
					continue
				}
				for parent := 0; parent < places; parent += unit * arity * arity {
					if list := firstRows(arity, unit, parent, rows, across, isFree); list != nil {
						return list, true
					}
				}
			}
		}
	}
	return nil, false
}

// firstRows returns the nodes of the lexicographically first rows below a parent that have
// enough units in common, or nil.
func firstRows(arity, unit, parent, rows, across int,
	isFree func(first, n int) bool) []topology.Node {
	var best, list []int
	for set := range 1 << arity {
		if bits.OnesCount(uint(set)) != rows {
			continue
		}
		list = nil
		for r := range arity {
			if set>>r&1 == 1 {
				list = append(list, r)
			}
		}
		if best == nil || slices.Compare(list, best) < 0 {
			if len(commonUnits(list, arity, unit, parent, isFree)) >= across {
				best = list
			}
		}
	}
	var nodes []topology.Node
	for _, r := range best {
		for _, u := range commonUnits(best, arity, unit, parent, isFree)[:across] {
			for n := range unit {
				nodes = append(nodes, topology.Node(parent+(r*arity+u)*unit+n))
			}
		}
	}
	return nodes
}

func commonUnits(rows []int, arity, unit, parent int,
	isFree func(first, n int) bool) (common []int) {
	for u := range arity {
		if !slices.ContainsFunc(rows, func(r int) bool {
			return !isFree(parent+(r*arity+u)*unit, unit)
		}) {
			common = append(common, u)
		}
	}
	return common
}

func TestIsolatedAgainstReference(t *testing.T) {
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {8, 2, 0}, {5, 1, 0}} {
		t.Run(fmt.Sprint(shape), func(t *testing.T) {
			machine := tree(t, shape[0], shape[1], shape[2])
			a := makeAllocator(t, "isolated", machine)
			rapid.Check(t, func(rt *rapid.T) {
				free := drawTreeFree(rt, machine.FatTree)
				size := rapid.IntRange(1, len(free)).Draw(rt, "size")
				got, ok := decide(rt, fmt.Sprint(free, size), a, free, size)
				want, placed := referenceIsolated(shape[0], shape[1], free, size)
				if ok != placed || !slices.Equal(got, want) {
					rt.Fatalf("size %d of free %v:\n got %v %v\nwant %v %v", size, free, got, ok, want, placed)
				}
			})
		})
	}
}

// Machines that an allocator does not know are refused with the reason.
func TestPlacementsRefuseMachines(t *testing.T) {
	slim, err := topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 3, UpPorts: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		short   string
		machine topology.Topology
		want    string
	}{
		{"isolated", mesh(t, 4, 4), "needs a tree; this machine is none"},
		{"isolated", slim, "as many ports up as down; this one has 2 up and 4 down"},
		{"isolated", tree(t, 65, 2, 0), "arity 64 at most; this one has 65"},
		{"by-group", mesh(t, 4, 4), "needs a machine of two or more groups, such as"},
		{"level-spread", tree(t, 4, 2, 0), "needs a machine of two or more groups"},
		{"random-groups", hyper(t, 1, 4, 4), "needs a machine of two or more groups"},
		{"by-group", sparse(t, 9), "this machine has none"},
		{"rows", mesh(t, 4, 4), "needs a HyperX; this machine is none"},
		{"diagonal", dragonfly(t, 4, 2, 2, 0), "needs a HyperX"},
		{"subcube", mesh(t, 4, 4), "needs a HyperX"},
	} {
		c, err := Parse(k.short)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = New(c, k.machine, rand.New(rand.NewPCG(1, 1))); err == nil ||
			!strings.Contains(err.Error(), "allocator "+k.short+" ") ||
			!strings.Contains(err.Error(), k.want) {
			t.Errorf("%s: %v, want %q", k.short, err, k.want)
		}
	}
	three := tree(t, 3, 2, 7) // 7 nodes: no second row of three
	if err := makeAllocator(t, "isolated", three).Check(Request{Size: 7}); err == nil ||
		!strings.Contains(err.Error(), "no isolated part of that size") {
		t.Errorf("7 of 7 nodes in rows of three: %v", err)
	}
}
