package metrics

import (
	"math/rand/v2"
	"testing"

	"contend/experiments/cosim/run"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// BenchmarkInterference measures what records of waits and critical paths cost: 16 jobs of
// all-to-all at random places of a mesh, in each engine.
func BenchmarkInterference(b *testing.B) {
	for _, e := range []struct {
		name, engine, routing string
		channels              int
	}{{"closed", "auto", "auto", 1}, {"cycle", "cycle", "auto", 1},
		{"adaptive", "cycle", "minimal-adaptive", 4}} {
		for _, on := range []string{"off", "on"} {
			b.Run(e.name+"/"+on, func(b *testing.B) {
				for b.Loop() {
					c := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{16, 16}})))
					c.Engine, c.Routing, c.VirtualChannels, c.MessageFlits = e.engine, e.routing, e.channels, 16
					net := must.Have(netsim.New(c))
					x := run.New(net, []patterns.Config{{Name: "all-to-all", Flits: 16}}, scheduler.Clock{})
					if on == "on" {
						w := NewInterference(net)
						net.RecordWaits(w)
						chains := &run.Chains{Waited: w.WaitedFor, Ended: w.Path}
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
				}
			})
		}
	}
}
