package executor

import (
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/router/topology/topologytest"
	"contend/scheduler"
)

// TestKill: a job that is killed in a drawn cycle and begins anew on its nodes, while packets of
// its first run are in the network, sends as many messages as one that is not killed, and another
// job beside it ends.
func TestKill(t *testing.T) {
	for cycle := scheduler.Cycle(1); cycle < 60; cycle += 3 {
		c := netsim.Default(topologytest.Machine(t, "mesh:4x4"))
		c.Drops = true
		x := New(must.Have(netsim.New(c)), []patterns.Config{{Name: "all-to-all"}}, scheduler.Clock{})
		x.Software = Software{Send: 5, Receive: 3}
		x.WorkOf = func(j *scheduler.Job) int64 { return j.Quota }
		received := map[int32]int{}
		ids := map[int32]scheduler.JobID{}
		x.Began = func(slot int32, id scheduler.JobID) { ids[slot], received[slot] = id, 0 }
		x.Delivered = func(slot int32) { received[slot]++ }
		one := &scheduler.Job{ID: 1, Size: 6, Quota: 60, Seed: 1}
		two := &scheduler.Job{ID: 2, Size: 6, Quota: 60, Seed: 2}
		x.Start(one, []topology.Node{0, 1, 2, 3, 4, 5})
		x.Start(two, []topology.Node{6, 7, 8, 9, 10, 11})
		if _, done, err := x.Advance(cycle, nil); err != nil || len(done) > 0 {
			t.Fatal(done, err)
		}
		x.Kill(1)
		x.Start(one, []topology.Node{0, 1, 2, 3, 4, 5})
		var ends []scheduler.JobID
		for len(ends) < 2 {
			_, done, err := x.Advance(1<<30, nil)
			must.Do(err)
			ends = append(ends, done...)
		}
		for slot, n := range received {
			if ids[slot] == 1 && n != 60 && slot != 0 {
				t.Errorf("killed at %d: the second run received %d messages", cycle, n)
			}
		}
		if x.Done != 120 {
			t.Errorf("killed at %d: %d messages are done", cycle, x.Done)
		}
	}
}
