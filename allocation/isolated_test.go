package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
	routes "contend/router/routes/tree"
)

// checkIsolated lets jobs of 1 to most processors come and go, and checks that no link is
// on a way of two of them. Reserved nodes send nothing. It returns how many jobs ran together.
func checkIsolated(t *testing.T, short string, machine topology.Topology, w *router.Wiring,
	x router.Routing, most int) (together int) {
	t.Helper()
	running, stream := newRunningJobs(machine.Nodes()), rand.New(rand.NewPCG(3, 3))
	a, foot := makeAllocator(t, short, machine), deadlock.NewFootprint(w, x)
	owners := map[router.Link]int{}
	var jobs []int // numbers of the running jobs
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
	return together
}

// Jobs share no link under the routings that the allocator is made for.
func TestIsolatedJobsShareNoLink(t *testing.T) {
	for _, shape := range [][3]int{{4, 3, 0}, {2, 5, 0}, {3, 3, 22}, {8, 2, 0}} {
		machine := tree(t, shape[0], shape[1], shape[2])
		checkIsolatedTree(t, fmt.Sprint(shape), machine, 4)
	}
}

// checkIsolatedTree checks isolated jobs on a tree under both routings. At least so many must have
// run together.
func checkIsolatedTree(t *testing.T, name string, machine topology.Topology, least int) {
	t.Helper()
	w := router.NewWiring(machine, 1, 1)
	for _, choice := range []routes.UpPort{routes.ByDestination, routes.BySource} {
		x, err := routes.NewUpDown(w, choice, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := checkIsolated(t, "isolated", machine, w, x, machine.Nodes()/2)
		if n < least {
			t.Errorf("%s: at most %d jobs ran together", name, n)
		}
	}
}

// Machines that an allocator does not know are refused with the reason.
func TestPlacementsRefuseMachines(t *testing.T) {
	for _, k := range []struct {
		short   string
		machine topology.Topology
		want    string
	}{
		{"isolated", mesh(t, 4, 4), "needs a tree or a fat-tree; this machine is neither"},
		{"isolated", tree(t, 65, 2, 0), "subtrees of at most 64 parts with links of their own; on " +
			"level 0 of this machine they have 65"},
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
		if _, err := New(c, k.machine, rand.New(rand.NewPCG(1, 1))); err == nil ||
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
