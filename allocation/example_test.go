package allocation_test

import (
	"fmt"
	"log"
	"strings"

	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/order"
	"contend/allocation/submesh"
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

// A request that the machine can never serve.
func ExampleNamed() {
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{20, 8}}))
	site := allocation.Site{Machine: machine}
	allocator := must.Have(allocation.Named(submesh.Allocators(), "first-fit", site))
	err := allocator.Check(allocation.Request{Size: 68, Shape: []int{4, 17}})
	for part := range strings.SplitSeq(err.Error(), "; ") {
		fmt.Println(part)
	}
	// Output:
	// asks for 4x17 processors
	// the 20x8 mesh has no such submesh, but one of 17x4: ask for that, or use first-fit:rotate
}

// The orders of a line of pages or processors.
func Example_orders() {
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 2}}))
	for _, name := range []string{"snake", "hilbert", "hilbert/yx"} {
		order := must.Have(order.New(name, machine))
		fmt.Println(name, order)
	}
	// Output:
	// snake [0 1 2 3 7 6 5 4]
	// hilbert [0 4 5 1 2 6 7 3]
	// hilbert/yx [0 4 5 1 2 3 7 6]
}
