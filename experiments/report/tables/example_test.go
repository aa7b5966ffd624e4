package tables_test

import (
	"context"
	"fmt"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
)

// The table of a study that ran in memory.
func Example() {
	const text = `
name = "small"
title = "Two allocators"
machine = { dims = [4, 4] }
workload = { jobs = 20 }
job = { run = "fixed" }
runs = { replications = 3 }

[[axes]]
key = "allocator"
values = ["first-fit", "mbs"]
`
	names := spec.BuiltinNames()
	study, err := experiments.ParseStudy("small.toml", text, names)
	if err != nil {
		fmt.Println(err)
		return
	}
	runner := experiments.Runner{
		Names: names, Run: (&cosim.Simulator{}).Run,
		Folder: experiments.NewMemory("example"),
	}
	results, err := runner.Study(context.Background(), study)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(tables.Markdown(results))
	// Output:
	// **Two allocators**
	//
	// Means with 95% confidence intervals over the replications.
	//
	// | allocator | finish_time (time units) |
	// | --------- | -----------------------: |
	// | first-fit |             21.164 ± 5.7 |
	// | mbs       |             21.164 ± 5.7 |
}
