package executor

import (
	"testing"

	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// A job that is abandoned leaves no message behind, whether on its way, computed or at a process,
// and the critical path of the job that has its slot next begins with that job.
func TestAbandonedJobsLeaveNoChains(t *testing.T) {
	for at := int64(1); at < 120; at += 7 {
		net := meshNetwork(t, 4, 1)
		x := New(net, []patterns.Config{{Name: "ring", Flits: 16, ComputeCycles: 20}}, scheduler.Clock{})
		x.Software = Software{Send: 3, Receive: 5}
		paths := 0
		waited := func(p *router.Arrival) []ForJob { return []ForJob{{Job: 9, Cycles: p.Blocked}} }
		c := &Chains{Waited: waited, Ended: func(_ scheduler.JobID, path []Hop) {
			sum := int64(0)
			for _, h := range path {
				sum += h.Computing + h.Software + h.Queue + h.Entry + h.Network + h.Shared
				for _, w := range append(h.Ahead, h.Waits...) {
					sum += w.Cycles
				}
			}
			if want := net.Now() - at; sum != want {
				t.Errorf("abandoned at %d: the path of the next job takes %d cycles, want %d", at, sum, want)
			}
			paths++
		}}
		x.FindChains(c)
		net.Watch(func(p *router.Arrival) { c.Packet(p) })
		x.Start(&scheduler.Job{ID: 1, Size: 4, Quota: 1 << 30}, []topology.Node{0, 1, 2, 3})
		if _, _, err := x.Advance(scheduler.Cycle(at), nil); err != nil {
			t.Fatal(err)
		}
		x.Abandon(0)
		next := &scheduler.Job{ID: 2, Size: 2, Quota: 20}
		x.Start(next, []topology.Node{0, 1})
		if _, _, err := x.Advance(scheduler.MaxCycle, nil); err != nil {
			t.Fatal(err)
		}
		for net.Pending() > 0 {
			if _, _, err := x.Step(scheduler.MaxCycle, nil); err != nil {
				t.Fatal(err)
			}
		}
		if paths != 1 || len(c.free) != len(c.transfer) {
			t.Errorf("abandoned at %d: %d paths, %d of %d transfers are left", at, paths,
				len(c.transfer)-len(c.free), len(c.transfer))
		}
	}
}
