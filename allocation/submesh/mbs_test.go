package submesh

import (
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
