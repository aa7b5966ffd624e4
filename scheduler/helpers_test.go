package scheduler

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/internal/papertest"
	"contend/netsim/topology"

	"pgregory.net/rapid"
)

// firstFree takes the first free nodes, in whole pages of page nodes (0 means 1). The
// nodes beyond the request are reserved.
type firstFree struct {
	nodes, page int
}

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

// simulate runs jobs under FCFS for exactly their run times on a machine of the given
// size.
func simulate(t rapid.TB, jobs []Job, nodes int) ([]recordOf, Totals) {
	t.Helper()
	var records []recordOf
	sim := fixedSim(&List{Jobs: jobs}, nodes)
	sim.Record = func(r *Record) {
		records = append(records, recordOf{r.Job.ID, r.Submit, r.Start, r.End})
	}
	totals := must.Have(sim.Run())
	return records, totals
}

func fixedSim(source Source, nodes int) *Sim {
	return &Sim{Source: source, Policy: FCFS{}, Allocator: firstFree{nodes: nodes},
		Executor: &Fixed{}, Free: allocation.NewFreeSet(nodes)}
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
