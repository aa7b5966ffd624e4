package sweep_test

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/sweep"
)

// Runs that follow each other share a task of about ten seconds; the longest task
// comes first.
func ExampleSplit() {
	var runs []experiments.PlannedRun
	for i, seconds := range []float64{5, 5, 12, 5, 5} {
		runs = append(runs, experiments.PlannedRun{
			RunKey: experiments.RunKey{Hash: "point", Replication: i}, Seconds: seconds})
	}
	for _, b := range sweep.Split(runs, 10, 100) {
		var replications []int
		for _, k := range b {
			replications = append(replications, k.Replication)
		}
		fmt.Println(replications)
	}
	// Output:
	// [2]
	// [0 1]
	// [3 4]
}
