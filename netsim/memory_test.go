package netsim

import (
	"runtime"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

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
