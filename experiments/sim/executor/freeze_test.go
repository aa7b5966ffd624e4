package executor_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// relay is a graph of tasks: each rank computes, sends to the next and waits for the one before.
func relay(n int, _ []int, _ *rand.Rand) (patterns.Work, error) {
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	for r := range n {
		g.Ranks[r] = []tasks.Task{{Kind: tasks.Calc, Time: int64(50 + 20*r)},
			{Kind: tasks.Send, Peer: patterns.Rank((r + 1) % n), Bytes: 200, After: []int32{0}},
			{Kind: tasks.Receive, Peer: patterns.Rank((r + n - 1) % n)},
			{Kind: tasks.Calc, Time: 30, After: []int32{2}}}
	}
	return tasks.Work{Graph: g}, nil
}

// Jobs whose clocks stand for some cycles, at any time, end later by these cycles, with the same
// waits, whatever their programs.
func TestFrozenJobsEndLater(t *testing.T) {
	mix := []patterns.Config{{Name: "all-to-all", Flits: 16, ComputeCycles: 20},
		{Name: "all-reduce-ring", Bytes: 512, PauseCycles: 15}, {Name: "npb-cg", Class: "S", Scale: 0.1},
		{Name: "relay", Work: relay, Tasks: true},
		{Name: "relay", Work: relay, Tasks: true, RendezvousFlits: 4}}
	stood := 0
	rapid.Check(t, func(r *rapid.T) {
		c := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 2}})))
		c.PacketFlits, c.Engine = 8, rapid.SampledFrom([]string{"auto", "cycle"}).Draw(r, "engine")
		software := rapid.SampledFrom([]executor.Software{{}, {Send: 3, Receive: 5}}).Draw(r, "software")
		var jobs []scheduler.Job
		for id := range scheduler.JobID(2) {
			p := rapid.IntRange(0, len(mix)-1).Draw(r, "pattern")
			per := must.Have(patterns.MessagesPerIteration(mix[p], 4, nil))
			jobs = append(jobs, scheduler.Job{ID: id, Size: 4, Pattern: p, Lead: scheduler.Cycle(40 * id),
				Quota: per * int64(rapid.IntRange(1, 5).Draw(r, "iterations"))})
		}
		nodes := [][]topology.Node{{0, 1, 2, 3}, {4, 5, 6, 7}} // rows, which share no link
		ends, sums := [2][2]scheduler.Cycle{}, [2][2]netsim.Totals{}
		late := scheduler.Cycle(0)
		for k := range 2 {
			x := executor.New(must.Have(netsim.New(c)), mix, scheduler.Clock{CyclesPerSecond: 1})
			x.Software = software
			x.Ended = func(id scheduler.JobID, all netsim.Totals, _ bool) { sums[k][id] = all }
			left, running := 2, [2]bool{true, true}
			advance := func(until scheduler.Cycle) {
				for scheduler.Cycle(x.Net.Now()) < until && left > 0 {
					now, done, err := x.Step(until, nil)
					if err != nil {
						r.Fatal(err)
					}
					for _, id := range done {
						ends[k][id], running[id] = now, false
						left--
					}
				}
			}
			for i := range jobs {
				x.Start(&jobs[i], nodes[i])
			}
			stops := rapid.IntRange(1, 4).Draw(r, "stops")
			for i := 0; k == 1 && i < stops; i++ {
				advance(scheduler.Cycle(x.Net.Now() + rapid.Int64Range(1, 300).Draw(r, "after")))
				if !running[0] || !running[1] {
					break
				}
				cycles := rapid.Int64Range(1, 5000).Draw(r, "cycles")
				other := x.Freeze([]int32{1}, rowOf(x.Net, nodes[1]))
				f := x.Freeze([]int32{0}, rowOf(x.Net, nodes[0]))
				advance(scheduler.Cycle(x.Net.Now() + cycles))
				x.Thaw(f)
				x.Thaw(other)
				late += scheduler.Cycle(cycles)
				stood++
			}
			advance(scheduler.MaxCycle)
		}
		for id := range 2 {
			if ends[1][id] != ends[0][id]+late {
				r.Errorf("job %d ends at %d, %d cycles later at %d", id, ends[0][id], late, ends[1][id])
			}
			if sums[0][id] != sums[1][id] {
				r.Errorf("job %d has %+v, later %+v", id, sums[0][id], sums[1][id])
			}
		}
	})
	if stood < 50 {
		t.Errorf("clocks stood %d times", stood)
	}
}

// rowOf returns the links between, from and to some nodes.
func rowOf(n *netsim.Network, nodes []topology.Node) (links []router.Link) {
	f := n.Footprint()
	for _, from := range nodes {
		for _, to := range nodes {
			f.Links(from, to, func(l router.Link) { links = append(links, l) })
		}
	}
	return links
}
