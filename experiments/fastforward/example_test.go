package fastforward

import (
	"fmt"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// The timeline of the package documentation: job 1 sends round a ring of four processes, and job 2
// comes and goes beside it on the same line of nodes.
func Example() {
	line := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{8}}))
	n := must.Have(netsim.New(netsim.Default(line)))
	x := New(n, []patterns.Config{{Name: "ring"}}, scheduler.Clock{}, Config{Tolerance: 0.1},
		executor.Software{})
	jobs := []started{
		{0, scheduler.Job{ID: 1, Size: 4, Quota: 4 * 1000}, []topology.Node{0, 2, 4, 6}},
		{10000, scheduler.Job{ID: 2, Size: 4, Quota: 4 * 300}, []topology.Node{1, 3, 5, 7}},
	}
	told := ""
	for now, ended := scheduler.Cycle(0), 0; ended < len(jobs); now++ {
		for _, j := range jobs {
			if j.at == now {
				fmt.Printf("%d: job %d starts\n", now, j.job.ID)
				x.Start(&j.job, j.nodes)
			}
		}
		_, done, err := x.Advance(now+1, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, id := range done {
			fmt.Printf("%d: job %d ends\n", now+1, id)
			ended++
		}
		state := ""
		for _, c := range x.components {
			for _, k := range c.jobs {
				state += fmt.Sprintf(" job %d", k.job.ID)
			}
			if c.jump == nil {
				state += " simulated"
			} else {
				state += fmt.Sprintf(" jump until %d, exact: %v", c.jump.end, c.jump.exact)
			}
		}
		if state != told && state != "" {
			fmt.Printf("%d:%s\n", now+1, state)
			told = state
		}
	}
	fmt.Println("forecasts from simulation:", x.sums.simulated, "recalled:", x.sums.recalled)
	// Output:
	// 0: job 1 starts
	// 1: job 1 simulated
	// 30: job 1 jump until 28942, exact: true
	// 10000: job 2 starts
	// 10001: job 1 job 2 simulated
	// 10126: job 1 job 2 jump until 19533, exact: true
	// 19533: job 1 job 2 simulated
	// 19597: job 2 ends
	// 19597: job 1 simulated
	// 19646: job 1 jump until 29853, exact: true
	// 29853: job 1 simulated
	// 29911: job 1 ends
	// forecasts from simulation: 3 recalled: 0
}
