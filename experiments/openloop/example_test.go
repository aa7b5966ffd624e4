package openloop_test

import (
	"context"
	"fmt"

	"contend/experiments/config"
	"contend/experiments/openloop"
	"contend/experiments/sim"
)

// One point of the latency curve of an 8x8 mesh under uniform traffic.
func ExampleRunNet() {
	config := openloop.NetConfig{
		Spec:    config.DefaultSpec(),
		Traffic: []string{"uniform"},
		Loads:   []float64{0.1},
		Workers: 1,
	}
	config.Spec.Machine.Dims = []int{8, 8}
	config.Warmup, config.Window = 1000, 4000
	points, _, err := openloop.RunNet(&sim.Simulator{}, context.Background(), config)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := points[0]
	fmt.Printf("accepted %.3f, latency %.1f cycles, without load %.1f\n",
		p.Accepted, p.Latency, p.ZeroLoad)
	// Output:
	// accepted 0.098, latency 45.6 cycles, without load 27.1
}
