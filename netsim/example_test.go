package netsim_test

import (
	"fmt"

	"contend/netsim"
	"contend/router/topology"
)

// With the defaults a message of 8 flits takes 3 cycles a hop and 11 more if it meets no
// other. Of two messages that share channels one waits for the other.
func ExampleNetwork() {
	mesh, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := netsim.New(netsim.Default(mesh))
	if err != nil {
		fmt.Println(err)
		return
	}
	n.Send(netsim.Message{From: 0, To: 3, Flits: 8})
	n.Send(netsim.Message{From: 1, To: 3, Flits: 8})
	for n.Pending() > 0 {
		_, arrived, err := n.Advance(1000)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, d := range arrived {
			fmt.Printf("from node %d over %d channels in %d cycles, %d of them blocked\n",
				d.From, d.Hops, d.Latency, d.Blocked)
		}
	}
	// Output:
	// from node 1 over 2 channels in 17 cycles, 0 of them blocked
	// from node 0 over 3 channels in 29 cycles, 9 of them blocked
}
