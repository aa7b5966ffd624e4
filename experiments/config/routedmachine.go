package config

import (
	"cmp"
	"math"
	"strings"
	"unsafe"

	"contend/allocation"
	"contend/allocation/order"
	"contend/internal/call"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// routedMachine describes a machine with a routing, as far as conditions of keys depend on it.
type routedMachine struct {
	channels    int  // virtual channels of a link, at least 1
	needed      int  // virtual channels that the routing needs, at least 1
	classes     int  // classes of virtual channels, at least 1
	draws       bool // the routing draws
	flows       bool // the routing draws once for each flow
	linkClasses bool // links are of several kinds
	nodes       int
	links       int  // between routers, or more, see linksOf
	homes       int  // routers with nodes
	unused      int  // ports with neither a link nor a node
	lattice     bool // a grid of at most three dimensions
	single      bool // every router has one node
	// outward has bits of the classes of the links of the first router with nodes, where links have
	// classes and all of these lead to routers without nodes; see Spec.flitCyclesOfControls.
	outward uint64
}

// route identifies a machine and a routing with its virtual channels.
type route struct {
	machine  Identity
	routing  string
	channels int
}

// routedMachine describes the machine and the routing of the spec, once for each pair: lash
// computes all paths to count the virtual channels that it needs. CheckMachine refuses a machine
// that cannot be made.
func (s *Spec) routedMachine() routedMachine {
	r := s.Registry.registered()
	key := route{r.identity(&s.Machine), s.routing(), s.Network.VirtualChannels}
	if made, ok := r.routed.Load(key); ok {
		return made.(routedMachine)
	}
	built, err := s.Registry.NewMachine(&s.Machine)
	if err != nil {
		return routedMachine{channels: max(1, key.channels), needed: 1, classes: 1, linkClasses: true}
	}
	made := routedMachineOn(topology.Unwrap(built), key.channels, r.makerOn(topology.Unwrap(built), key))
	r.routed.Store(key, made)
	return made
}

// makerOn returns the maker of a routing on a machine, the zero Maker if none of its name suits.
func (r *Registry) makerOn(t topology.Topology, k route) (m router.Maker) {
	name := k.routing
	if by, ok := t.(topology.Routed); ok && name == "auto" {
		name = by.DefaultRouting(k.channels)
	}
	for _, m := range r.makers(name) {
		if m.Name == name && (m.Suits == nil || m.Suits(t)) {
			return m
		}
	}
	return m
}

// routedMachineOn describes a machine and a routing with a number of virtual channels, 0 for those
// needed.
func routedMachineOn(t topology.Topology, channels int, m router.Maker) routedMachine {
	orOne := func(count func(topology.Topology) int) int {
		if count == nil {
			return 1
		}
		return count(t)
	}
	w := routedMachine{needed: orOne(m.VirtualChannels), classes: orOne(m.Classes),
		flows: m.Flows,
		draws: m.Draws && (m.DrawsOn == nil || m.DrawsOn(t)), nodes: t.Nodes(),
		links: linksOf(t), channels: channels}
	w.unused = max(0, t.Routers()*t.Ports()-w.links-w.nodes)
	if channels == 0 {
		w.channels = w.needed
	}
	_, w.linkClasses = t.(topology.Classed)
	g, isGrid := t.(topology.Grid)
	w.lattice = isGrid && len(g.Dims()) <= 3
	last, homes := topology.Router(-1), map[topology.Router]bool{}
	for n := range topology.Node(t.Nodes()) {
		if r, _ := t.Attach(n); r != last {
			last, homes[r] = r, true
			w.homes++
		}
	}
	w.outward = outwardClasses(t, homes)
	w.single = w.homes == w.nodes && w.nodes == t.Routers()
	return w
}

// outwardClasses returns routedMachine.outward; homes are the routers with nodes.
func outwardClasses(t topology.Topology, homes map[topology.Router]bool) (classes uint64) {
	c, ok := t.(topology.Classed)
	if !ok {
		return 0
	}
	r, _ := t.Attach(0)
	for p := range topology.Port(t.Ports()) {
		to, _, ok := t.Peer(r, p)
		if ok && homes[to] {
			return 0
		}
		if ok {
			classes |= 1 << c.LinkClass(r, p)
		}
	}
	return classes
}

// maxCounted is the number of ports up to which links are counted one by one.
const maxCounted = 1 << 20

// linksOf counts the links between routers. For a large machine it returns an upper bound.
func linksOf(t topology.Topology) int {
	if g, ok := t.(*topology.Graph); ok {
		links := 0
		for r := range topology.Router(g.Routers()) {
			links += g.Links(r)
		}
		return links
	}
	if ports := t.Routers() * t.Ports(); ports > maxCounted {
		return ports - t.Nodes()
	}
	return topology.CountLinks(t)
}

// choosesChannels reports whether a head may find several virtual channels of a channel to
// choose from. Channels to nodes have no classes.
func (s *Spec) choosesChannels() bool {
	w := s.routedMachine()
	several := w.channels > 1 && s.Network.NodeVirtualChannels != 1 || w.channels > w.classes
	return several && s.Network.Arbiter != router.Matching
}

// sharesInputs reports whether several virtual channels share an input port of a
// router.
func (s *Spec) sharesInputs() bool { return s.routedMachine().channels > 1 }

// drawsRoutes reports whether the routing draws.
func (s *Spec) drawsRoutes() bool { return s.routedMachine().draws }

// What a run keeps, in bytes, beside the buffers: see router.Routers,
// router.Wiring and Simulator.Run. A test holds the sum against the heap.
const (
	bytesNode    = 160
	bytesLink    = 80
	bytesChannel = 140 // the check for deadlock included
	bytesQueue   = 56  // of a virtual channel whose flits are moved one by one
	bytesUnused  = 4   // of a port without a link: all routers have as many as the largest
	bytesPlace   = 8   // for a flit in such a channel, where worms are moved flit by flit
	BytesJob     = 3 * int64(unsafe.Sizeof(scheduler.Job{}))
)

// Memory estimates how many bytes a run of the spec takes, its log left out: the
// network by its channels and buffers, the jobs that are generated at once, and the table of
// distances, which runs on one machine share.
func (s *Spec) Memory() int64 {
	w := s.routedMachine()
	nodes, links := float64(w.nodes), float64(w.links)
	bytes := nodes*bytesNode + s.distanceTable(w)
	if s.Workload.Source == "lublin" || s.Workload.Source == "cplant-stream" { // others are streams
		bytes += float64(s.Workload.Start+s.Workload.Count()) * float64(BytesJob)
	}
	if s.Job.Run == "messages" {
		n := &s.Network
		ports, perLink := float64(max(1, n.InjectionPorts)), float64(w.channels)
		perNode := float64(n.NodeVirtualChannels)
		if perNode = cmp.Or(perNode, perLink); linksFail.Holds(s) {
			perLink++ // for escape paths
		}
		channels := links*perLink + nodes*(1+ports)*perNode
		bytes += (links+nodes*(1+ports))*bytesLink + channels*bytesChannel
		bytes += float64(w.unused) * bytesUnused
		if perLink > 1 || ports > 1 || !n.closedForm() {
			bytes += channels * bytesQueue
			if perLink == 1 && ports == 1 && n.Engine != "cycle" && n.Switching == router.Wormhole {
				bytes += channels * float64(bytesPlace*n.BufferFlits)
			}
		}
	}
	return int64(min(bytes, math.MaxInt64/2))
}

// distanceTable estimates the bytes of the table of distances of an allocator or an order.
func (s *Spec) distanceTable(w routedMachine) float64 {
	curve, _, _ := strings.Cut(s.Registry.OrderOf(s.Allocator), "/")
	if !s.countsHops(w) && curve != order.Optimized {
		return 0
	}
	return float64(allocation.TableBytes(w.homes))
}

// countsHops reports whether the allocator counts hops: it does where it finds no lattice.
func (s *Spec) countsHops(w routedMachine) bool {
	switch call.Name(s.Allocator) {
	case "gen-alg", "mm", "mm-inc":
		return !w.lattice
	case "optimal":
		return !w.lattice || !w.single
	}
	return false
}

// closedForm reports whether the keys allow the engine to omit body flits: see
// router.ClosedFormIsExact.
func (n *NetworkSpec) closedForm() bool {
	return n.Engine != "cycle" && n.Switching == router.Wormhole && n.PacketFlits%n.BufferFlits == 0 &&
		n.BufferFlits*n.FlitCycles >= n.LinkCycles+n.CreditCycles && n.equalDelays()
}

// equalDelays reports whether the keys give all links the same times.
func (n *NetworkSpec) equalDelays() bool {
	return n.NodeLinkCycles == 0 && n.NodeFlitCycles == 0 && n.NodeCreditCycles == 0 &&
		n.EjectionCreditCycles == 0 && !n.AtomicVCs &&
		len(n.ClassLinkCycles)+len(n.ClassFlitCycles) == 0
}
