package deadlock_test

import (
	"errors"
	"fmt"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
)

// Dimension order can deadlock on a ring with one virtual channel, and cannot with two
// and a dateline (Dally and Seitz 1987).
func ExampleCheckDeadlock() {
	ring, err := topology.NewCube(topology.CubeConfig{Dims: []int{4}, Wrap: []bool{true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for virtualChannels := 1; virtualChannels <= 2; virtualChannels++ {
		w := router.NewWiring(ring, virtualChannels, 1)
		x, err := routes.NewDimensionOrder(w, virtualChannels == 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		err = deadlock.CheckDeadlock(w, x)
		var cycle *deadlock.CycleError
		if errors.As(err, &cycle) {
			fmt.Println("a cycle of", len(cycle.Channels), "channels from", w.Describe(cycle.Channels[0]))
		} else {
			fmt.Println("no deadlock:", err)
		}
	}
	// Output:
	// a cycle of 4 channels from router 3->0
	// no deadlock: <nil>
}
