package executor

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
	"contend/scheduler"
)

// drawnByCounter returns the packets of an all-to-all of nine processes on a 4 x 4 mesh in an
// engine, as they arrive, and their senders' counts.
func drawnByCounter(t *testing.T, engine, cut string) (string, []int) {
	t.Helper()
	c := netsim.Default(topologytest.Machine(t, "mesh:4x4"))
	c.Engine, c.PacketFlits, c.BufferFlits, c.VirtualChannels = engine, 8, 1, 1
	net, text, count := must.Have(netsim.New(c)), "", make([]int, 16)
	net.Watch(func(p *router.Arrival) {
		text += fmt.Sprintf("%d-%d at %d, injected %d, first %d; ", p.From, p.To, p.Delivered, p.Injected,
			p.Turn)
		count[p.From]++
	})
	x := New(net, []patterns.Config{{Name: "all-to-all", Cut: cut}}, scheduler.Clock{})
	nodes := []topology.Node{0, 1, 2, 4, 5, 6, 8, 9, 15} // the last one is far from the others
	x.Start(&scheduler.Job{ID: 1, Size: 9, Shape: []int{3, 3}, Quota: 45, Seed: 1}, nodes)
	if _, done, err := x.Advance(scheduler.MaxCycle, nil); err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	return text, count
}

// The processes of a job draw a quota of 45 from one counter in the same way in all engines, and
// the far process draws less than its share.
func TestCounterInAllEngines(t *testing.T) {
	for _, cut := range []string{patterns.CutCounter, patterns.CutCounterBarriers} {
		want, count := drawnByCounter(t, "cycle", cut)
		total := 0
		for _, n := range count {
			total += n
		}
		if total != 45 || count[15] >= 5 {
			t.Errorf("%s: %d messages, %d of the far process", cut, total, count[15])
		}
		for _, engine := range []string{"worm", "auto"} {
			if got, _ := drawnByCounter(t, engine, cut); got != want {
				t.Errorf("%s: engine %s: other packets:\n%s\n%s", cut, engine, got, want)
			}
		}
	}
}
