package netsim

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"contend/internal/must"
	"contend/internal/processortime"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
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

// measure reports the cost of moving one flit over one channel, on the clock and in processor time,
// injection and ejection included, under uniform traffic.
func measure(b *testing.B, name string, m topology.Topology, flits int, load float64,
	change func(c *Config), failed ...float64) {
	b.Run(name, func(b *testing.B) {
		c := Default(m)
		change(&c)
		benchNetwork(b, c, flits, load, failed...)
	})
}

// BenchmarkUniform reports that on square meshes.
func BenchmarkUniform(b *testing.B) {
	for _, side := range []int{8, 16, 64} {
		for _, load := range []struct {
			name  string
			share float64 // of the bisection bound
		}{{"light", 0.025}, {"half", 0.12}, {"saturation", 0.25}} {
			for _, flits := range []int{8, 64} {
				for _, engine := range []string{"cycle", "worm"} {
					measure(b, fmt.Sprintf("%dx%d/flits=%d/%s/%s", side, side, flits, load.name, engine),
						cube(b, false, side, side), flits, load.share*bisectionBound(side),
						func(c *Config) { c.Engine = engine })
				}
			}
		}
	}
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
			for _, routing := range []string{"d-mod-k", "random", "adaptive"} {
				for _, engine := range []string{"cycle", "worm"} {
					measure(b, fmt.Sprintf("4-ary-4-tree/flits=%d/%s/%s/%s", flits, load.name, routing, engine),
						tree(b, 4, 4), flits, load.flits,
						func(c *Config) { c.Engine, c.Routing = engine, routing })
				}
			}
		}
	}
}

// BenchmarkVirtualChannels reports the same of a square mesh with four virtual
// channels, at half of what it saturates at with packets of 8 flits, by how one is
// selected.
func BenchmarkVirtualChannels(b *testing.B) {
	for _, flits := range []int{1, 8} {
		for how, name := range vcNames {
			measure(b, fmt.Sprintf("16x16/V=4/flits=%d/%s", flits, name), cube(b, false, 16, 16), flits, 0.1,
				func(c *Config) { c.VirtualChannels, c.VCSelect = 4, how })
		}
	}
}

// BenchmarkTorus reports the same of tori with datelines and two virtual channels a link, at
// about half of what they saturate at with packets of 8 flits.
func BenchmarkTorus(b *testing.B) {
	two := func(c *Config) { c.VirtualChannels = 2 }
	measure(b, "16x16/V=2/flits=8", cube(b, true, 16, 16), 8, 0.04, two)
	measure(b, "8x8x8/V=2/flits=8", cube(b, true, 8, 8, 8), 8, 0.07, two)
}

// BenchmarkCrossbar reports the same with packets of 8 flits, round-robin selection,
// by what nodes' channels and heads do.
func BenchmarkCrossbar(b *testing.B) {
	for _, k := range []struct {
		name   string
		nodes  int
		yields bool
		islip  router.SwitchAllocator
	}{{"plain", 1, false, 0}, {"node-virtual-channels", 0, false, 0}, {"headers-yield", 1, true, 0},
		{"both", 0, true, 0}, {"islip", 0, true, router.ISLIP}} {
		measure(b, "16x16/V=4/flits=8/"+k.name, cube(b, false, 16, 16), 8, 0.1, func(c *Config) {
			c.VirtualChannels, c.VCSelect = 4, router.SelectRoundRobin
			c.NodeVirtualChannels, c.HeadersYield, c.SwitchAllocator = k.nodes, k.yields, k.islip
		})
	}
}

// BenchmarkWholePackets reports the same of packets of 64 flits that hold their links, on networks
// with several virtual channels, and of packets whose flits take turns.
func BenchmarkWholePackets(b *testing.B) {
	dragonfly := must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 8,
		GlobalLinks: 4, Concentration: 4}))
	hyperx := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: []int{8, 8, 8},
		Concentration: 4}))
	tree := fatTree(b, topology.FatTreeConfig{Children: []int{32, 32}, Parents: []int{32}})
	for _, k := range []struct {
		name     string
		machine  topology.Topology
		routing  string
		channels int
		load     float64
		failed   float64 // share of the cables
	}{{"dragonfly-1056/minimal/light", dragonfly, "minimal", 4, 0.3, 0},
		{"dragonfly-1056/ugal-l/light", dragonfly, "ugal-l", 5, 0.3, 0},
		{"dragonfly-1056/ugal-l/heavy", dragonfly, "ugal-l", 5, 0.7, 0},
		{"hyperx-2048/dal/half", hyperx, "dal", 4, 0.5, 0},
		{"dragonfly-1056/ugal-l/light/2%-failed", dragonfly, "ugal-l", 5, 0.3, 0.02},
		{"hyperx-2048/dal/half/2%-failed", hyperx, "dal", 4, 0.5, 0.02},
		{"fat-tree-1024/adaptive/heavy/2%-failed", tree, "adaptive", 2, 0.7, 0.02},
		{"fat-tree-1024/adaptive/heavy", tree, "adaptive", 2, 0.7, 0}} {
		for i, way := range []string{"packet", "cycle", "flits take turns"} {
			measure(b, k.name+"/"+way, k.machine, 64, k.load, func(c *Config) {
				c.Engine, c.Routing = "cycle", k.routing
				c.VirtualChannels, c.NodeVirtualChannels = k.channels, 0
				c.Switching, c.PacketsHoldLinks, c.InputSpeedup = router.VirtualCutThrough, i < 2, 2
				if i == 0 {
					c.Engine = "packet"
				}
				c.BufferFlits, c.LinkCycles, c.CreditCycles = 128, 6, 3
				c.LinksFail = k.failed > 0
			}, k.failed)
		}
	}
}

// BenchmarkLargeMachines reports the same on machines of up to 100,000 nodes, with the links of
// HPE Slingshot-11, below saturation, and the memory in use in the end.
func BenchmarkLargeMachines(b *testing.B) {
	dragonfly := func(routers, links int) topology.Topology {
		return must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: routers,
			GlobalLinks: links, Concentration: links}))
	}
	tree := fatTree(b, topology.FatTreeConfig{Children: []int{46, 46, 46}, Parents: []int{46, 46}})
	for _, k := range []struct {
		machine topology.Topology
		routing string
	}{{dragonfly(8, 4), "minimal"}, {dragonfly(16, 8), "minimal"}, {dragonfly(26, 13), "minimal"},
		{dragonfly(8, 4), "ugal-l"}, {dragonfly(16, 8), "ugal-l"}, {dragonfly(26, 13), "ugal-l"},
		{tree, "d-mod-k"}} {
		name := fmt.Sprintf("%d-nodes/%s", k.machine.Nodes(), k.routing)
		measure(b, name, k.machine, 64, 0.3, func(c *Config) {
			c.Engine, c.Routing, c.VirtualChannels, c.NodeVirtualChannels = "packet", k.routing, 8, 0
			c.Switching, c.PacketsHoldLinks, c.InputSpeedup = router.VirtualCutThrough, true, 2
			c.BufferFlits, c.LinkCycles, c.CreditCycles, c.RoutingCycles = 256, 148, 11, 1
		})
	}
}

// BenchmarkGraph reports the same of a drawn graph of 256 routers under up/down routing, far below
// saturation.
func BenchmarkGraph(b *testing.B) {
	for _, engine := range []string{"cycle", "worm"} {
		measure(b, "flits=8/light/"+engine, topologytest.DrawnGraph(b, 1, 256, 512), 8, 0.005,
			func(c *Config) { c.Engine = engine })
	}
}

// BenchmarkThreads reports the cycles a second of large machines by the clock, of one thread and of
// two, which take turns of 100 cycles, and the median of the ratios. Links of the dragonflies
// between groups take 102 cycles, others 12.
func BenchmarkThreads(b *testing.B) {
	dragonfly := func(routers, links int) topology.Topology {
		return must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: routers,
			GlobalLinks: links, Concentration: links}))
	}
	for _, k := range []struct {
		name     string
		machine  topology.Topology
		channels int
		load     float64
		long     bool // links between groups
	}{{"mesh 64x64, V=4", cube(b, false, 64, 64), 4, 0.03, false},
		{"dragonfly of 1056", dragonfly(8, 4), 2, 0.3, true},
		{"dragonfly of 16512", dragonfly(16, 8), 2, 0.1, true}} {
		b.Run(k.name, func(b *testing.B) {
			c := Default(k.machine)
			c.VirtualChannels, c.MessageFlits = k.channels, 8
			if k.long {
				c.ClassLinkCycles, c.BufferFlits = []int{12, 102}, 256
			}
			var networks [2]*Network
			var traffic [2]*Traffic
			for i := range networks {
				c.Threads = i + 1
				networks[i] = must.Have(New(c))
				traffic[i] = started(networks[i], Traffic{Load: k.load, Flits: 8}, 1, 2)
				run(b, networks[i], traffic[i], 1000)
			}
			var times [2][]float64
			var ratios []float64
			for b.Loop() {
				for i, n := range networks {
					start := time.Now()
					run(b, n, traffic[i], n.Now()+100)
					times[i] = append(times[i], time.Since(start).Seconds())
				}
				last := len(times[0]) - 1
				ratios = append(ratios, times[0][last]/times[1][last])
			}
			median := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
			b.ReportMetric(100/median(times[0]), "cycles/s")
			b.ReportMetric(100/median(times[1]), "cycles/s-two")
			b.ReportMetric(median(ratios), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// benchNetwork measures a network under uniform traffic of packets of one length.
func benchNetwork(b *testing.B, c Config, flits int, load float64, failed ...float64) {
	t := c.Topology
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c.PacketFlits, c.MessageFlits = flits, flits
	n := must.Have(New(c))
	runtime.ReadMemStats(&after)
	if len(failed) > 0 && failed[0] > 0 {
		failShare(n, failed[0])
	}
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
	b.ReportMetric(heapBytes()/1e6, "MB")
	hops := n.Totals().Hops*int64(flits) + 2*n.Totals().Flits
	s := b.Elapsed().Seconds()
	b.ReportMetric(s*1e9/float64(hops), "ns/flit-hop")
	b.ReportMetric(float64(used.Nanoseconds())/float64(hops), "cpu-ns/flit-hop")
	b.ReportMetric(float64(n.Now()-start)/s, "cycles/s")
	b.ReportMetric(float64(n.Totals().Flits)/float64(n.Now()-start)/float64(t.Nodes()), "accepted")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(t.Routers()), "B/router")
	b.ReportMetric(0, "ns/op")
	runtime.KeepAlive(n)
}

// BenchmarkWorms reports the same of worms that the closed form does not cover: packets whose
// lengths are no multiples of the depth of buffers, on a mesh of single and of deep buffers and on
// a tree with the links of HDR InfiniBand, at about half of what they saturate at.
func BenchmarkWorms(b *testing.B) {
	for _, k := range []struct{ flits, buffer int }{{12, 1}, {9, 2}, {9, 4}, {12, 8}, {64, 48}} {
		measure(b, fmt.Sprintf("16x16/flits=%d/buffer=%d", k.flits, k.buffer), cube(b, false, 16, 16),
			k.flits, 0.1, func(c *Config) { c.Engine, c.BufferFlits = "worm", k.buffer })
	}
	for _, load := range []float64{0.1, 0.3} {
		measure(b, fmt.Sprintf("4-ary-4-tree/hdr/load=%v", load), tree(b, 4, 4), 64, load,
			func(c *Config) {
				c.Engine, c.BufferFlits, c.LinkCycles, c.CreditCycles, c.RoutingCycles =
					"worm", 128, 62, 11, 1
				c.PacketFlits, c.MessageFlits = 64, 64
			})
	}
}

func heapBytes() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// A router of a mesh, of a tree of four ports each way, or of a torus of two dimensions with two
// virtual channels takes less than 2 KB with its part of the wiring and of the routing, one of a
// torus of three dimensions, with 16 channels to it and from its node, a quarter more.
func TestMemoryOfARouter(t *testing.T) {
	if slow {
		return // the checks of the build tag invariants take memory
	}
	tree := must.Have(topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 6}))
	for _, k := range []struct {
		name          string
		machine       topology.Topology
		virtual, most int // virtual channels of a link; bytes a router
	}{
		{"mesh", cube(t, false, 64, 64), 1, 2048},
		{"tree", tree, 1, 2048},
		{"torus of two dimensions", cube(t, true, 64, 64), 2, 2048},
		{"torus of three dimensions", cube(t, true, 16, 16, 16), 2, 2560},
	} {
		for _, engine := range []string{"cycle", "auto"} {
			c := Default(k.machine)
			c.VirtualChannels, c.Engine, c.MessageMultiple = k.virtual, engine, c.PacketFlits
			before := heapBytes()
			n := must.Have(New(c))
			each := (heapBytes() - before) / float64(k.machine.Routers())
			t.Logf("%s, engine %s: %.0f bytes a router", k.name, engine, each)
			if each > float64(k.most) || each < 200 {
				t.Errorf("%s, engine %s: %.0f bytes a router, at most %d are allowed", k.name, engine, each,
					k.most)
			}
			runtime.KeepAlive(n)
		}
	}
}

// A packet that waits or is in flight takes less than 200 bytes.
func TestMemory(t *testing.T) {
	if slow {
		return // the checks of the build tag invariants take memory
	}
	m := cube(t, false, 64, 64)
	n := must.Have(New(Default(m)))
	idle := heapBytes()
	const each = 16
	for range each {
		for i := range topology.Node(m.Nodes()) {
			n.Send(Message{From: i, To: topology.Node(m.Nodes()) - 1 - i, Flits: 8})
		}
	}
	advance(t, n, 20)
	packets := n.Pending()
	if packets < each*m.Nodes()*9/10 {
		t.Fatalf("only %d packets pending", packets)
	}
	if perPacket := (heapBytes() - idle) / float64(packets); perPacket > 200 || perPacket < 20 {
		t.Errorf("%.0f bytes a packet", perPacket)
	}
	runtime.KeepAlive(n)
}

// In the steady state no engine allocates memory.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if slow {
		return // the checks of the build tag invariants allocate
	}
	networks := map[string]Config{"mesh": Default(cube(t, false, 8, 8))}
	for _, routing := range treeRoutings {
		c := Default(tree(t, 4, 3))
		c.Routing = routing
		networks[routing] = c
	}
	for name, c := range networks {
		for i, engine := range engines {
			c.MessageFlits = 8
			n := must.Have(New(engine(c)))
			tr := started(n, Traffic{Load: 0.06, Flits: 8}, 1, 2)
			run(t, n, tr, 20_000)
			before := n.Totals().Packets
			allocs := testing.AllocsPerRun(10, func() { run(t, n, tr, n.Now()+2000) })
			if packets := n.Totals().Packets - before; packets < 5000 || allocs > 10 {
				t.Errorf("%s, engine %d: %.0f allocations in 2000 cycles (%d packets in all)", name, i, allocs,
					packets)
			}
		}
	}
}

// BenchmarkFailingLinks reports the time of uniform traffic on a torus whose cables fail and are
// repaired, below saturation and past it, where source queues grow all the time: a failure must not
// cost a search of ways for each message of them.
func BenchmarkFailingLinks(b *testing.B) {
	for _, load := range []float64{0.2, 0.6} {
		for _, cycles := range []Cycle{25_000, 100_000} {
			b.Run(fmt.Sprintf("load=%v/cycles=%d", load, cycles), func(b *testing.B) {
				for b.Loop() {
					c := Default(topologytest.Machine(b, "torus:6x6"))
					c.LinksFail, c.ResendCycles = true, 10_000
					n := must.Have(New(c))
					n.ExpectRepairs(true)
					tr := started(n, Traffic{Destination: Uniform(36), Load: load, Flits: 8}, 1, 1)
					failCables(b, n, tr, cycles)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cycles), "ns/cycle")
			})
		}
	}
}

// failShare lets a drawn share of the cables fail.
func failShare(n *Network, share float64) {
	var cables, failed []router.Link
	w := n.Wiring()
	for l := range router.Link(w.Links()) {
		if from, to := w.Ends(l); w.Kind(l) == router.Network && from.Router < to.Router {
			cables = append(cables, l)
		}
	}
	rng := rand.New(rand.NewPCG(5, 5))
	rng.Shuffle(len(cables), func(i, k int) { cables[i], cables[k] = cables[k], cables[i] })
	for _, l := range cables[:int(share*float64(len(cables)))] {
		_, to := w.Ends(l)
		back, _ := w.Out(to.Router, to.Port)
		failed = append(failed, l, back)
	}
	n.Fail(failed...)
}

// failCables runs traffic in which a drawn cable fails every 270 cycles, for 500 cycles.
func failCables(t testing.TB, n *Network, tr *Traffic, until Cycle) {
	rng, w := rand.New(rand.NewPCG(3, 3)), n.Wiring()
	var down [][]router.Link
	for at := Cycle(270); at < until; at += 270 {
		must.Do(tr.Run(n, at))
		if len(down) == 2 {
			n.Repair(down[0]...)
			down = down[1:]
		}
		var links []router.Link
		for l := router.Link(rng.IntN(w.Links())); links == nil; l = router.Link(rng.IntN(w.Links())) {
			if w.Kind(l) == router.Network {
				links = both(n, w.Leaves(l), w.Enters(w.First(l)))
			}
		}
		n.Fail(links...)
		down = append(down, links)
	}
	must.Do(tr.Run(n, until))
}
