package scheduler_test

import (
	"fmt"
	"strings"

	"contend/allocation"
	"contend/allocation/tree"
	"contend/internal/must"
	"contend/router/topology"
	"contend/scheduler"
)

// A log of three jobs on a line of four nodes. The second job has to wait for all nodes.
// The third one is short enough to run ahead of it.
func Example() {
	const swf = `; MaxProcs: 4
1 0 -1 10 3 -1 -1 3 10 -1 1 -1 -1 -1 -1 -1 -1 -1
2 1 -1  5 4 -1 -1 4  5 -1 1 -1 -1 -1 -1 -1 -1 -1
3 2 -1  6 1 -1 -1 1  8 -1 1 -1 -1 -1 -1 -1 -1 -1
`
	source := must.Have(scheduler.ReadSWF("three.swf", strings.NewReader(swf)))
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4}}))
	allocator := tree.NewSequential(machine)
	sim := scheduler.Sim{
		Source:    source,
		Policy:    &scheduler.EASY{},
		Allocator: allocator,
		Executor:  &scheduler.Fixed{},
		Free:      allocation.NewFreeSet(machine.Nodes()),
		Record: func(r *scheduler.Record) {
			fmt.Println("job", r.Job.ID, "waits", r.Wait(), "ends", r.End, "nodes", r.Nodes)
		},
	}
	totals := must.Have(sim.Run())
	fmt.Printf("utilization %.3f\n", totals.Utilization())
	// Output:
	// job 3 waits 0 ends 8 nodes [3]
	// job 1 waits 0 ends 10 nodes [0 1 2]
	// job 2 waits 9 ends 15 nodes [0 1 2 3]
	// utilization 0.933
}
