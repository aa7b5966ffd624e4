package export_test

import (
	"fmt"
	"os"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/export"
	"contend/experiments/study"
)

func ExampleWriteWide() {
	const text = `
name = "small"
[machine]
dims = [4, 4]
[workload]
jobs = 5
side.max = 2
[job]
run = "fixed"
[allocator]
name = "mbs"
[[axes]]
key = "workload.system_load"
values = [1.0, 4.0]
`
	names := metrics.Builtin().Names()
	st, err := study.Parse("small.toml", text, names)
	if err != nil {
		fmt.Println(err)
		return
	}
	folder := experiments.NewMemory("example")
	results, err := folder.Results(st, names)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range export.WideTable(results).Columns {
		fmt.Println(c.Name, c.Type, c.Nullable)
	}
	if err := export.WriteWide(results, os.Stdout); err != nil { // no run is finished
		fmt.Println(err)
	}
	// Output:
	// workload.system_load number false
	// replication integer false
	// hash string false
	// time_unit string false
	// workload.system_load,replication,hash,time_unit
}
