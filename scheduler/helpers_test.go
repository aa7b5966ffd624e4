package scheduler

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/allocation/tree"
	"contend/internal/must"
	"contend/internal/papertest"
	"contend/router/topology"

	"pgregory.net/rapid"
)

// firstFree takes the first free nodes, in whole pages of page nodes (0 means 1). The
// nodes beyond the request are reserved.
type firstFree struct {
	nodes, page int
}

// Allocate implements allocation.Allocator.
func (a firstFree) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	page := max(1, a.page)
	need := (req.Size + page - 1) / page * page
	if free.Count() < need {
		return dst, false
	}
	for n, ok := free.Next(0); need > 0 && ok; n, ok = free.Next(n + 1) {
		dst = append(dst, n)
		need--
	}
	return dst, true
}

// Check refuses requests for more nodes than the machine has.
func (a firstFree) Check(req allocation.Request) error {
	if req.Size > a.nodes {
		return fmt.Errorf("it asks for %d processors: at most %d", req.Size, a.nodes)
	}
	return nil
}

// recordOf is a copy of a Record that outlives the call.
type recordOf struct {
	ID                 JobID
	Submit, Start, End Cycle
}

// recorded runs a simulation and returns what becomes of each job, in the order of their ends.
func recorded(_ rapid.TB, sim *Sim) (records []recordOf, totals Totals) {
	sim.Record = func(r *Record) {
		records = append(records, recordOf{r.Job.ID, r.Submit, r.Start, r.End})
	}
	totals = must.Have(sim.Run())
	return records, totals
}

// simulatePolicy runs jobs under a policy for exactly their run times.
func simulatePolicy(t rapid.TB, jobs []Job, nodes int, p Policy) []recordOf {
	sim := fixedSim(&List{Jobs: jobs}, nodes)
	sim.Policy = p
	records, _ := recorded(t, sim)
	return records
}

// fixedSim returns a simulation under FCFS on a number of nodes without a structure.
func fixedSim(source Source, nodes int) *Sim {
	return &Sim{Source: source, Policy: FCFS{}, Allocator: firstFree{nodes: nodes},
		Executor: &Fixed{}, Free: allocation.NewFreeSet(nodes), MaxRestarts: 1000}
}

// treeSim simulates on a whole k-ary n-tree.
func treeSim(arity, levels int, allocator string) *Sim {
	tree := must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels}))
	sim := fixedSim(nil, tree.Nodes())
	sim.Allocator = allocatorOf(allocator, tree)
	return sim
}

// meshSim simulates on a mesh.
func meshSim(dims []int, allocator string) *Sim {
	mesh := must.Have(topology.NewCube(topology.CubeConfig{Dims: dims}))
	sim := fixedSim(nil, mesh.Nodes())
	sim.Allocator = allocatorOf(allocator, mesh)
	return sim
}

// allocatorOf makes the allocator of a call.
func allocatorOf(short string, machine topology.Topology) allocation.Allocator {
	table := slices.Concat(submesh.Allocators(), center.Allocators(), order.Allocators(),
		tree.Allocators())
	return must.Have(allocation.Named(table, short,
		allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(1, 1))}))
}

// openTrace opens a log of the Parallel Workloads Archive beside the checkout. It skips
// the test if the log is missing.
func openTrace(t testing.TB, name string) *SWF {
	t.Helper()
	l, err := OpenSWF(filepath.Join("..", "..", "shared", "traces", name))
	if errors.Is(err, fs.ErrNotExist) {
		papertest.NoLog(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// job returns a job with an exact estimate.
func job(id JobID, submit, run float64, size int) Job {
	return Job{ID: id, Submit: submit, RunTime: run, Estimate: run, Size: size}
}

// jobsOf returns all jobs of a source.
func jobsOf(t testing.TB, s Source, err error) []Job {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return must.Have(ReadAll(s))
}
