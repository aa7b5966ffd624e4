package experimentstest_test

import (
	"fmt"
	"os"

	"contend/experiments"
	"contend/experiments/experimentstest"
)

func ExampleRecord() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	r, err := experimentstest.Record(dir, `
name = "small"
[machine]
dims = [4, 4]
[workload]
jobs = 5
[runs]
replications = 3
[[axes]]
key = "allocator"
values = ["random", "first-fit"]
`, experiments.Tables{Jobs: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Points), "points,", r.Replications(1), "replications")
	// Output: 2 points, 3 replications
}
