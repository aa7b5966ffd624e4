package sim_test

import (
	"context"
	"fmt"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/scheduler"
)

// Two jobs of 16 processes take the two halves of a mesh and send messages to their neighbours.
func ExampleSimulator_Run() {
	s := config.DefaultSpec()
	s.Machine.Dims = []int{8, 4}
	s.Allocator = "first-fit"
	s.Workload.Jobs = 2
	s.Workload.Side = scheduler.SideConfig{Distribution: "fixed", Value: 4, Min: 1, Max: 4,
		Outside: "clamp", Round: "none"}
	s.Workload.Interarrival = scheduler.Distribution{Kind: "fixed", Mean: 1}
	s.Job.Pattern = configtest.Mix("ring")
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Messages: 160}
	plan, err := s.Plan()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := new(sim.Simulator).Run(context.Background(), plan, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"jobs", "messages", "finish_time"} {
		value, _ := result.Value(name)
		fmt.Println(name, value, metrics.UnitOf(name, &s))
	}
	// Output:
	// jobs 2 jobs
	// messages 320 messages
	// finish_time 292 cycles
}
