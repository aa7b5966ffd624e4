package allocation_test

import (
	"fmt"
	"log"

	"contend/allocation"
	"contend/allocation/center"
	"contend/internal/must"
	"contend/router/topology"
)

// A job of four processors on a mesh of 4x4 whose left column is busy.
func Example() {
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}}))
	site := allocation.Site{Machine: machine}
	allocator := must.Have(allocation.Named(center.Allocators(), "mc1x1", site))
	free := allocation.NewFreeSet(machine.Nodes())
	free.Take([]topology.Node{0, 4, 8, 12})
	request := allocation.Request{Size: 4}
	if err := allocator.Check(request); err != nil {
		log.Fatal(err)
	}
	nodes, ok := allocator.Allocate(nil, free, request)
	if !ok {
		log.Fatal("the job has to wait")
	}
	free.Take(nodes)
	meter := must.Have(allocation.NewMeter(machine))
	quality := meter.Measure(nodes)
	fmt.Println(nodes, "box", quality.Sides[:2], "mean distance", quality.PairwiseMean)
	fmt.Println(free.Count(), "nodes are free")
	// Output:
	// [1 2 5 6] box [2 2] mean distance 1.3333333333333333
	// 8 nodes are free
}
