package netsim

import (
	"fmt"
	"runtime"
	"testing"

	"contend/internal/must"
	"contend/internal/processortime"
	"contend/netsim/topology"
	"contend/router"
)

// bisectionBound is the uniform load, in flits per node and cycle, that fills
// the middle channels of a square mesh. With the default FIFOs of two flits and
// one virtual channel packets of 8 flits saturate at 0.24 of it, whatever the
// side: the load named saturation is just beyond that.
func bisectionBound(side int) float64 { return 4 / float64(side) }

// BenchmarkCalibration reports the processor time of a step that cannot begin before the last
// has ended, a multiplication and an addition. It tells by how much others slow a processor down.
func BenchmarkCalibration(b *testing.B) {
	const steps = 1 << 20
	used, x := processortime.Used(), uint64(b.N)
	for b.Loop() {
		for range steps {
			x = x*6364136223846793005 + 1442695040888963407
		}
	}
	used = processortime.Used() - used
	if x == 0 {
		b.Log("the steps have led to 0")
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(b.N)/steps, "cpu-ns/step")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkUniform reports the cost of moving one flit over one channel, on the clock and in
// processor time, injection and ejection included, on square meshes under uniform traffic.
func BenchmarkUniform(b *testing.B) {
	for _, side := range []int{8, 16, 64} {
		for _, load := range []struct {
			name  string
			share float64 // of the bisection bound
		}{{"light", 0.025}, {"half", 0.12}, {"saturation", 0.25}} {
			for _, flits := range []int{8, 64} {
				for _, engine := range []string{"cycle", "worm"} {
					b.Run(fmt.Sprintf("%dx%d/flits=%d/%s/%s", side, side, flits, load.name, engine),
						func(b *testing.B) {
							benchUniform(b, side, flits, load.share*bisectionBound(side), engine)
						})
				}
			}
		}
	}
}

func benchUniform(b *testing.B, side, flits int, load float64, engine string) {
	t := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{side, side}}))
	benchTraffic(b, t, flits, load, engine, "auto")
}

// BenchmarkTree reports the same of a 4-ary 4-tree of 256 nodes. Under uniform
// traffic and with the default FIFOs it saturates at 0.19 flits per node and
// cycle with d-mod-k and 0.26 with adaptive routing where packets have 8 flits,
// at 0.31 and 0.34 where they have 64: half is about half of the first.
func BenchmarkTree(b *testing.B) {
	for _, load := range []struct {
		name  string
		flits float64 // per node and cycle
	}{{"light", 0.02}, {"half", 0.1}, {"saturation", 0.2}} {
		for _, flits := range []int{8, 64} {
			for _, routing := range []string{"d-mod-k", "adaptive"} {
				for _, engine := range []string{"cycle", "worm"} {
					b.Run(fmt.Sprintf("4-ary-4-tree/flits=%d/%s/%s/%s", flits, load.name, routing, engine),
						func(b *testing.B) {
							benchTraffic(b, tree(b, 4, 4), flits, load.flits, engine, routing)
						})
				}
			}
		}
	}
}

// BenchmarkVirtualChannels reports the same of a square mesh with four virtual
// channels, at half of what it saturates at with packets of 8 flits, by how one is
// selected.
func BenchmarkVirtualChannels(b *testing.B) {
	t := cube(b, false, 16, 16)
	for _, flits := range []int{1, 8} {
		for _, how := range vcSelects {
			b.Run(fmt.Sprintf("16x16/V=4/flits=%d/%s", flits, vcNames[how]), func(b *testing.B) {
				c := Default(t)
				c.VirtualChannels, c.VCSelect = 4, how
				benchNetwork(b, c, flits, 0.1)
			})
		}
	}
}

// BenchmarkTorus reports the same of tori with datelines and two virtual channels a link, at
// about half of what they saturate at with packets of 8 flits.
func BenchmarkTorus(b *testing.B) {
	for _, k := range []struct {
		name string
		dims []int
		load float64
	}{{"16x16", []int{16, 16}, 0.04}, {"8x8x8", []int{8, 8, 8}, 0.07}} {
		b.Run(k.name+"/V=2/flits=8", func(b *testing.B) {
			c := Default(cube(b, true, k.dims...))
			c.VirtualChannels = 2
			benchNetwork(b, c, 8, k.load)
		})
	}
}

func benchTraffic(b *testing.B, t topology.Topology, flits int, load float64, engine,
	routing string) {
	c := Default(t)
	c.Engine, c.Routing = engine, routing
	benchNetwork(b, c, flits, load)
}

// benchNetwork measures a network under uniform traffic of packets of one length.
func benchNetwork(b *testing.B, c Config, flits int, load float64) {
	t := c.Topology
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c.PacketFlits, c.MessageFlits = flits, flits
	n := must.Have(New(c))
	runtime.ReadMemStats(&after)
	tr := started(n, Traffic{Load: load, Flits: int32(flits)}, 1, 2)
	run(b, n, tr, 2000)
	n.ResetUsage()
	start, used := n.Now(), processortime.Used()
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		run(b, n, tr, n.Now()+500)
	}
	b.StopTimer()
	used = processortime.Used() - used
	hops := n.Totals().Hops*int64(flits) + 2*n.Totals().Flits
	s := b.Elapsed().Seconds()
	b.ReportMetric(s*1e9/float64(hops), "ns/flit-hop")
	b.ReportMetric(float64(used.Nanoseconds())/float64(hops), "cpu-ns/flit-hop")
	b.ReportMetric(float64(n.Now()-start)/s, "cycles/s")
	b.ReportMetric(float64(n.Totals().Flits)/float64(n.Now()-start)/float64(t.Nodes()), "accepted")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(t.Routers()), "B/router")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCrossbar reports the same with packets of 8 flits, round-robin selection,
// by what nodes' channels and headers do.
func BenchmarkCrossbar(b *testing.B) {
	for _, k := range []struct {
		name   string
		nodes  int
		yields bool
	}{{"plain", 1, false}, {"node-virtual-channels", 0, false}, {"headers-yield", 1, true}, {"both",
		0, true}} {
		b.Run("16x16/V=4/flits=8/"+k.name, func(b *testing.B) {
			c := Default(cube(b, false, 16, 16))
			c.VirtualChannels, c.VCSelect = 4, router.SelectRoundRobin
			c.NodeVirtualChannels, c.HeadersYield = k.nodes, k.yields
			benchNetwork(b, c, 8, 0.1)
		})
	}
}
