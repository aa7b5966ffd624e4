package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// pipeline is a graph of four ranks that pass blocks on, as stages of a pipeline do. Rank 0 begins
// the next iteration before the last rank has ended this one. Each rank also sends to itself.
func pipeline(int, []int, *rand.Rand) (patterns.Work, error) {
	g := &tasks.Graph{Ranks: make([][]tasks.Task, 4)}
	for r := range g.Ranks {
		list := []tasks.Task{{Kind: tasks.Send, Peer: patterns.Rank(r), Tag: 9, Bytes: 64},
			{Kind: tasks.Receive, Peer: patterns.Rank(r), Tag: 9}}
		for block := range int32(3) {
			at := int32(len(list))
			if r > 0 {
				list = append(list, tasks.Task{Kind: tasks.Receive, Peer: patterns.Rank(r - 1), Tag: block})
			}
			list = append(list, tasks.Task{Kind: tasks.Calc, Time: 300})
			if r > 0 {
				list[at+1].After = []int32{at}
			}
			if r < 3 {
				list = append(list, tasks.Task{Kind: tasks.Send, Peer: patterns.Rank(r + 1), Tag: block,
					Bytes: 1024, After: []int32{int32(len(list) - 1)}})
			}
		}
		g.Ranks[r] = list
	}
	return tasks.Work{Graph: g}, nil
}

// Jobs that run graphs of tasks jump: they end near the cycle of the full simulation, have sent the
// same messages, with and without rendezvous, and most flits are not simulated.
func TestTasksJump(t *testing.T) {
	for _, rendezvous := range []int64{0, 16} {
		mix := []patterns.Config{{Name: "pipeline", Work: pipeline, Tasks: true,
			RendezvousFlits: rendezvous}, {Name: "ring", Flits: 64}}
		var jobs []started
		for id := range scheduler.JobID(3) {
			s := started{at: scheduler.Cycle(5000 * id), job: scheduler.Job{ID: id + 1, Size: 4, Seed: 1,
				Quota: int64(9+4)*500 + int64(id)*1300, Pattern: int(id / 2)}}
			for i := range 4 {
				s.nodes = append(s.nodes, topology.Node(int(id)+3*i))
			}
			jobs = append(jobs, s)
		}
		x := executor.New(grid(t, 4), mix, clock)
		sums := map[scheduler.JobID]netsim.Totals{}
		x.Ended = func(id scheduler.JobID, all netsim.Totals, _ bool) { sums[id] = all }
		full := drive(t, x, jobs)
		e := New(grid(t, 4), mix, clock, Config{Tolerance: 0.05}, executor.Software{})
		e.Ended = func(id scheduler.JobID, all netsim.Totals, _ bool) {
			if all.Messages != sums[id].Messages || all.Flits != sums[id].Flits {
				t.Errorf("rendezvous %d: job %d has sent %+v, in full %+v", rendezvous, id, all, sums[id])
			}
		}
		jumped := drive(t, e, jobs)
		for _, j := range jobs {
			service := float64(full[j.job.ID] - j.at)
			if off := float64(jumped[j.job.ID]-j.at)/service - 1; math.Abs(off) > 0.02 {
				t.Errorf("rendezvous %d: the time of job %d is off by %.3f", rendezvous, j.job.ID, off)
			}
		}
		hops, all := int64(0), int64(0)
		for l := range router.Link(x.Net.Wiring().Links()) {
			hops, all = hops+e.full.Net.Usage(l).Flits, all+x.Net.Usage(l).Flits
		}
		if hops > all/2 {
			t.Errorf("rendezvous %d: %d of %d flit hops are simulated", rendezvous, hops, all)
		}
	}
}
