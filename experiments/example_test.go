package experiments_test

import (
	"context"
	"fmt"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
)

// A study of two allocators runs in memory, and the results estimate a metric at
// its first point.
func Example() {
	const text = `
name = "small"
machine = { dims = [4, 4] }
workload = { jobs = 20 }
job = { run = "fixed" }
runs = { replications = 3 }

[[axes]]
key = "allocator"
values = ["first-fit", "mbs"]
`
	names := config.Builtin()
	study, err := study.Parse("small.toml", text, names)
	if err != nil {
		fmt.Println(err)
		return
	}
	simulator := &sim.Simulator{}
	runner := experiments.Runner{
		Names: names, Run: simulator.Run, Workers: 2,
		Folder: experiments.NewMemory("example"),
	}
	results, err := runner.Study(context.Background(), study)
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, _ := results.Estimate(0, "finish_time")
	fmt.Printf("%s: finish time %.2f over %d replications\n",
		results.Points[0].Labels[0], mean.Mean, mean.N)
	// Output: first-fit: finish time 21.16 over 3 replications
}
