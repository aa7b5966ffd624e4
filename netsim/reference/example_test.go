package reference_test

import (
	"fmt"

	"contend/netsim"
	"contend/netsim/reference"
	"contend/router/topology"
)

// Every engine that is exact for a scenario measures what the plain model does.
func ExampleScenario() {
	line, err := topology.NewCube(topology.CubeConfig{Dims: []int{5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := reference.Scenario{Config: netsim.Default(line), Messages: []reference.Timed{
		{At: 0, Message: netsim.Message{From: 0, To: 2, Flits: 20}},
		{At: 4, Message: netsim.Message{From: 1, To: 3, Flits: 8}},
	}}
	plain, err := s.Plainly()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d packets, %d flits sent\n", len(plain.Packets), len(plain.Sent))
	engines, err := s.Engines()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range engines {
		run, err := e.Simulate()
		fmt.Printf("%s: difference %q, error %v\n", e.Config.Engine, run.Difference(&plain), err)
	}
	// Output:
	// 4 packets, 112 flits sent
	// cycle: difference "", error <nil>
	// worm: difference "", error <nil>
	// worm: difference "", error <nil>
	// cycle: difference "", error <nil>
	// cycle: difference "", error <nil>
	// cycle: difference "", error <nil>
}
