package netfile_test

import (
	"fmt"

	"contend/experiments/formats/netfile"
	"contend/router/topology"
)

// A network in the form of a BookSim anynet file becomes a topology.
func Example() {
	network, err := netfile.Parse("", []string{
		"router 0 name left node 0 node 1 router 1 x2",
		"router 1 name right node 2 node 3",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := topology.NewGraph(network.Config())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(graph.Nodes(), "nodes;", graph.Links(0), "links from", graph.Label(0))
	// Output: 4 nodes; 2 links from left
}
