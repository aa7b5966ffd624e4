package spec

import (
	"math"
	"strings"
	"unsafe"

	"contend/allocation"
	"contend/allocation/order"
	"contend/scheduler"
)

// What a run keeps, in bytes, next to the places in buffers: see router.Routers,
// router.Wiring and Simulator.Run. A test holds the sum against the heap.
const (
	bytesNode    = 160
	bytesLink    = 80
	bytesChannel = 140 // the check for deadlock included
	bytesQueue   = 32  // of a virtual channel whose flits are moved one by one
	bytesPlace   = 8   // for a flit in such a channel, where its cycle has to be remembered
	BytesJob     = 3 * int64(unsafe.Sizeof(scheduler.Job{}))
)

// Memory estimates how many bytes a run of the spec takes, its log left out: the
// network by its channels and buffers, the jobs that are generated at once, and the table of
// distances, which runs on one machine share.
func (s *Spec) Memory() int64 {
	w := s.wired()
	nodes, links := float64(w.nodes), float64(w.links)
	bytes := nodes*bytesNode + s.distanceTable(w)
	if s.Workload.Source == "lublin" || s.Workload.Source == "cplant-stream" { // others are streams
		bytes += float64(s.Workload.Start+s.Workload.Count()) * float64(BytesJob)
	}
	if s.Job.Run == "messages" {
		n := &s.Network
		ports, perLink := float64(max(1, n.InjectionPorts)), float64(w.channels)
		perNode := float64(n.NodeVirtualChannels)
		if perNode == 0 {
			perNode = perLink
		}
		channels := links*perLink + nodes*(1+ports)*perNode
		bytes += (links+nodes*(1+ports))*bytesLink + channels*bytesChannel
		if perLink > 1 || ports > 1 || !n.closedForm() {
			bytes += channels * bytesQueue
			if !n.prompt() || perLink > 1 && n.InputSpeedup != 1 {
				bytes += channels * float64(bytesPlace*n.BufferFlits)
			}
		}
	}
	return int64(min(bytes, math.MaxInt64/2))
}

// distanceTable estimates the bytes of the table of distances of an allocator or an order.
func (s *Spec) distanceTable(w wired) float64 {
	curve, _, _ := strings.Cut(s.Allocator.Order, "/")
	if !s.countsHops(w) && curve != order.Optimized {
		return 0
	}
	return float64(allocation.TableBytes(w.homes))
}

// countsHops reports whether the allocator counts hops: it does where it finds no lattice.
func (s *Spec) countsHops(w wired) bool {
	switch s.Allocator.Name {
	case "gen-alg", "mm", "mm-inc":
		return !w.lattice
	case "optimal":
		return !w.lattice || !w.single
	}
	return false
}

// closedForm tells whether the keys allow the engine to omit body flits: see
// router.ClosedFormIsExact.
func (n *NetworkSpec) closedForm() bool {
	return n.Engine != "cycle" && n.Switching == "wormhole" && n.PacketFlits%n.BufferFlits == 0 &&
		n.BufferFlits*n.FlitCycles >= n.LinkCycles+n.CreditCycles && n.alike()
}

// prompt tells whether the engine that moves flits one by one remembers no cycles: all links take
// a cycle for a flit and for a credit.
func (n *NetworkSpec) prompt() bool {
	return n.LinkCycles == 1 && n.FlitCycles == 1 && n.CreditCycles == 1 && n.alike() &&
		n.Switching == "wormhole"
}

// alike tells whether the keys give all links the same times.
func (n *NetworkSpec) alike() bool {
	return n.NodeLinkCycles == 0 && n.NodeFlitCycles == 0 && n.NodeCreditCycles == 0 &&
		len(n.ClassLinkCycles)+len(n.ClassFlitCycles) == 0
}
