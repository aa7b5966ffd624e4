package experiments

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"contend/allocation"
	"contend/netsim/topology"
	"contend/scheduler"
)

// pairwiseMean takes a log through a square mesh under FCFS, every job for the
// run time it has there, and returns the mean over jobs of the sum of pairwise
// distances, the percentage of decisions with a tie, and the mean number of
// candidates tied in these.
func pairwiseMean(t *testing.T, log string, side int, short string) (mean, tied, candidates float64) {
	t.Helper()
	source, err := scheduler.OpenSWF(filepath.Join("..", "..", "shared", "traces", log))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no log: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{side, side}})
	if err != nil {
		t.Fatal(err)
	}
	config, err := allocation.Parse(short)
	if err != nil {
		t.Fatal(err)
	}
	place, err := allocation.New(config, machine, nil)
	if err != nil {
		t.Fatal(err)
	}
	meter, err := allocation.NewMeter(machine)
	if err != nil {
		t.Fatal(err)
	}
	counted := &countedTies{Allocator: place, counter: place.(allocation.TieCounter)}
	counted.counter.CountTies(true)
	sum := 0.0
	sim := scheduler.Sim{Source: source, Policy: scheduler.FCFS{}, Allocator: counted, Executor: &scheduler.Fixed{},
		Free: allocation.NewFreeSet(side * side), Record: func(r *scheduler.Record) {
			sum += float64(meter.Measure(r.Nodes).PairwiseSum)
		}}
	totals, err := sim.Run()
	if err != nil {
		t.Fatal(err)
	}
	return sum / float64(totals.Jobs), 100 * float64(counted.tied) / float64(totals.Jobs), float64(counted.sum) / float64(counted.tied)
}

// countedTies adds up the ties of an allocator.
type countedTies struct {
	allocation.Allocator
	counter   allocation.TieCounter
	tied, sum int
}

func (a *countedTies) Allocate(dst []topology.Node, free *allocation.FreeSet, req allocation.Request) ([]topology.Node, bool) {
	dst, ok := a.Allocator.Allocate(dst, free, req)
	if ties := a.counter.Ties(); ok && ties > 1 {
		a.tied++
		a.sum += ties
	}
	return dst, ok
}

func TestJohnsonTry(t *testing.T) {
	for _, short := range []string{"mc1x1", "mc1x1:greedy", "mc1x1:node-order", "mc1x1-tie:2,13,20,6", "mc1x1-tie:2,13,20,6,greedy", "mc1x1-tie:2,13,20,6,node-order"} {
		mean, tied, candidates := pairwiseMean(t, "KTH-SP2-1996-2.swf.gz", 10, short)
		t.Logf("%-32s %.3f, %.1f%% tied, %.1f on average", short, mean, tied, candidates)
	}
}
