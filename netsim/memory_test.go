package netsim

import (
	"runtime"
	"testing"

	"contend/netsim/topology"
)

func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// A 64x64 mesh takes less than 4 KB a router, and a packet that waits or is in
// flight less than 200 bytes.
func TestMemory(t *testing.T) {
	if slow {
		t.Skip("the checks of the build tag invariants take memory")
	}
	m := cube(t, false, 64, 64)
	empty := heap()
	n, err := New(Default(m))
	if err != nil {
		t.Fatal(err)
	}
	idle := heap()
	if perRouter := (idle - empty) / float64(m.Routers()); perRouter > 4096 || perRouter < 100 {
		t.Errorf("%.0f bytes a router", perRouter)
	}
	const each = 16
	for range each {
		for i := range topology.Node(m.Nodes()) {
			n.Send(Message{From: i, To: topology.Node(m.Nodes()) - 1 - i, Flits: 8})
		}
	}
	if _, _, err := n.Advance(20); err != nil {
		t.Fatal(err)
	}
	packets := n.Pending()
	if packets < each*m.Nodes()*9/10 {
		t.Fatalf("only %d packets pending", packets)
	}
	if perPacket := (heap() - idle) / float64(packets); perPacket > 200 || perPacket < 20 {
		t.Errorf("%.0f bytes a packet", perPacket)
	}
	runtime.KeepAlive(n)
}
