package allocationtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/router"
	"contend/router/deadlock"
)

// CheckIsolated lets jobs of 1 to maxSize processors come and go, and checks that no link is on
// paths of two of them. Reserved nodes send nothing. It returns how many jobs ran together.
func CheckIsolated(t *testing.T, short string, a allocation.Allocator, w *router.Wiring,
	x router.Routing, maxSize int) (together int) {
	t.Helper()
	running, stream := NewRunningJobs(w.Topology.Nodes()), rand.New(rand.NewPCG(3, 3))
	foot := deadlock.NewFootprint(w, x)
	owners := map[router.Link]int{}
	var jobs []int // numbers of the running jobs
	for job := 1; job <= 150; job++ {
		size := 1 + stream.IntN(maxSize)
		nodes, ok := a.Allocate(nil, running.Set, allocation.Request{Size: size})
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
			running.Finish(at)
			jobs = slices.Delete(jobs, at, at+1)
		}
		if nodes, ok = a.Allocate(nil, running.Set, allocation.Request{Size: size}); !ok {
			continue
		}
		running.Start(nodes)
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
