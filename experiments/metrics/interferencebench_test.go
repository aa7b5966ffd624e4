package metrics

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/internal/processortime"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// BenchmarkInterference measures what records of waits and critical paths cost: 16 jobs at random
// places of a mesh, in each engine, with messages of one packet. At the heavy load jobs do
// all-to-all at once, at the moderate one they send to random processes after some computing. Runs
// without records and with them take turns. It reports the processor time of a flit over a channel,
// without and with records, and the waits of a packet over a channel.
func BenchmarkInterference(b *testing.B) {
	for _, e := range []struct {
		name, engine, routing string
		channels              int
	}{{"closed", "auto", "auto", 1}, {"cycle", "cycle", "auto", 1},
		{"adaptive", "cycle", "minimal-adaptive", 4}} {
		for _, flits := range []int{16, 64} {
			for _, p := range []patterns.Config{{Name: "all-to-all"}, {Name: "random",
				ComputeCycles: 25 * int64(flits)}} {
				c := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{16, 16}})))
				c.Engine, c.Routing, c.VirtualChannels = e.engine, e.routing, e.channels
				c.MessageFlits, c.PacketFlits = flits, flits
				p.Flits = flits
				b.Run(fmt.Sprintf("%s/flits=%d/%s", e.name, flits, p.Name), func(b *testing.B) {
					var used [2]time.Duration
					var t netsim.Totals
					for b.Loop() {
						for on := range used {
							before := processortime.Used()
							t = runJobs(b, c, p, on > 0)
							used[on] += processortime.Used() - before
						}
					}
					hops := float64(b.N) * float64(t.Hops+2*netsim.Cycle(t.Packets))
					for on, unit := range []string{"ns-off/flit-hop", "ns-on/flit-hop"} {
						b.ReportMetric(float64(used[on])/hops/float64(flits), unit)
					}
					b.ReportMetric(float64(used[1])/float64(used[0]), "on/off")
					b.ReportMetric(float64(t.Blocked)*float64(b.N)/hops, "cycles-waited/hop")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// runJobs runs the jobs, with or without records.
func runJobs(b *testing.B, c netsim.Config, p patterns.Config, records bool) netsim.Totals {
	net := must.Have(netsim.New(c))
	x := executor.New(net, []patterns.Config{p}, scheduler.Clock{})
	if records {
		w := NewInterference(net)
		net.RecordWaits(w)
		chains := &executor.Chains{Waited: w.WaitedFor, Ended: w.Path}
		x.Began = w.Began
		x.FindChains(chains)
		net.Watch(chains.Packet)
	}
	nodes := rand.New(rand.NewPCG(1, 1)).Perm(256)
	for id := range 16 {
		var place []topology.Node
		for _, n := range nodes[id*16:][:16] {
			place = append(place, topology.Node(n))
		}
		x.Start(&scheduler.Job{ID: scheduler.JobID(id), Size: 16, Quota: 16 * 15 * 40}, place)
	}
	for ended := 0; ended < 16; {
		_, done, err := x.Advance(scheduler.MaxCycle, nil)
		if err != nil {
			b.Fatal(err)
		}
		ended += len(done)
	}
	return net.Totals()
}
