package netsim

import (
	"math"

	"contend/router"
	"contend/router/topology"
)

// FlowPerMessage is the value of Config.FlowsPerPair that makes every message a flow of its own.
const FlowPerMessage = 0

// flows numbers the flows of messages, for routings that give each flow a path. A flow models a
// queue pair of two network interfaces, or a TCP connection. A process that begins at a node opens
// new flows.
type flows struct {
	perPair int32                         // flows of two interfaces, or FlowPerMessage
	turns   map[[2]topology.Node]flowTurn // by two interfaces: the flow of their next message
}

// flowTurn is the next flow of a process.
type flowTurn struct {
	process uint64 // identity
	next    int32  // flow of its next message
}

// newFlows returns the flows of a network. reads reports whether its routing reads them.
func newFlows(perPair int, reads bool) flows {
	if !reads {
		perPair = 1
	}
	return flows{perPair: int32(perPair), turns: map[[2]topology.Node]flowTurn{}}
}

// next returns the flow of the next message of a process between two interfaces. It takes the flows
// in turn. identity is the identity of the message's first packet.
func (f *flows) next(from, to topology.Node, process uint64, identity int64) int32 {
	switch f.perPair {
	case 1:
		return 0
	case FlowPerMessage:
		return int32(identity & math.MaxInt32)
	}
	ends := [2]topology.Node{from, to}
	turn := f.turns[ends]
	if turn.process != process {
		turn = flowTurn{process: process}
	}
	f.turns[ends] = flowTurn{process, (turn.next + 1) % f.perPair}
	return turn.next
}

// process is the sender of the messages of a node. Routings draw by its identity, the number of the
// message among its messages, and the number of the packet in the message. So draws do not depend
// on the messages of other processes or on time.
type process struct {
	id   uint64 // identity
	sent int64  // messages sent
}

// newProcesses returns one process for each node, named after it.
func newProcesses(nodes int) []process {
	list := make([]process, nodes)
	for i := range list {
		list[i].id = uint64(i)
	}
	return list
}

// next counts a message and returns the identity of its first packet.
func (p *process) next() int64 {
	p.sent++
	return router.Identity(p.id, p.sent-1)
}

// Begin starts a process at a node, which sends the messages of the node from now on. Draws and
// flows of its packets depend on its identity and its messages alone. Before the first Begin the
// identity is the number of the node.
func (n *Network) Begin(node topology.Node, id uint64) { n.processes[node] = process{id: id} }

// RailChoice is the rule by which a message takes one of several network interfaces of its node.
// All packets of the message take it, and arrive at the interface of the same number, since no link
// joins the planes of two interfaces.
type RailChoice uint8

// The rules.
const (
	// RailInTurn gives the messages of a node its interfaces in turn.
	RailInTurn RailChoice = iota
	// RailByDestination takes the interface whose number is the destination's number modulo the number
	// of interfaces: all messages to a node arrive at one interface.
	RailByDestination
	// RailByPair gives the messages from one node to another the interfaces in turn. So messages of
	// the k-th processor of a host go to the k-th of another one, on a fabric whose planes join
	// interfaces of one number ("rail-optimised").
	RailByPair
	// RailByMessage is Message.Rail.
	RailByMessage
	// RailByHost takes the first interface between nodes whose first interfaces are attached to one
	// router, and another one between others: of these the one whose number is the destination's number
	// modulo theirs. The first is that of a network inside hosts, such as NVLink.
	RailByHost
)

// Names are the names of the constants in a study, in their order.
func (RailChoice) Names() []string {
	return []string{"round-robin", "destination", "pair", "message", "host"}
}

// rails chooses the network interfaces of messages. In package router each interface is a node.
type rails struct {
	count  int           // interfaces of a node
	nodes  topology.Node // nodes of the machine
	choice RailChoice
	next   []uint8           // RailInTurn, by node: the interface of its next message
	pairs  rotation          // RailByPair
	hosts  []topology.Router // RailByHost, by node: the router of its first interface
}

// newRails returns the rule for the nodes of a topology.
func newRails(t topology.Topology, choice RailChoice) rails {
	k := rails{count: topology.Rails(t), nodes: topology.Node(t.Nodes()), choice: choice}
	k.pairs.of = int32(k.count)
	if k.count > 1 && choice == RailInTurn {
		k.next = make([]uint8, k.nodes)
	}
	if k.count > 1 && choice == RailByHost {
		k.hosts = make([]topology.Router, k.nodes)
		for n := range k.hosts {
			k.hosts[n], _ = topology.AttachRail(t, topology.Node(n), 0)
		}
	}
	return k
}

// offset returns the number that, added to the node of a message, gives the network interface that
// the message takes.
func (k *rails) offset(m *Message) topology.Node {
	from, to := m.From, m.To
	switch {
	case k.count == 1:
		return 0
	case k.choice == RailByMessage:
		return topology.Node(m.Rail) % topology.Node(k.count) * k.nodes
	case k.choice == RailByDestination:
		return to % topology.Node(k.count) * k.nodes
	case k.choice == RailByPair:
		return topology.Node(k.pairs.next(from, to)) * k.nodes
	case k.choice == RailByHost && k.hosts[from] == k.hosts[to]:
		return 0
	case k.choice == RailByHost:
		return (1 + to%topology.Node(k.count-1)) * k.nodes
	}
	rail := k.next[from]
	k.next[from] = uint8((int(rail) + 1) % k.count)
	return topology.Node(rail) * k.nodes
}

// isCountless reports whether the choice is independent of the number of messages sent before.
func (k *rails) isCountless() bool {
	return k.count == 1 || k.choice != RailInTurn && k.choice != RailByPair
}

// rotation numbers the messages from one node to another in turn.
type rotation struct {
	of    int32                      // length of a turn
	taken map[[2]topology.Node]int32 // by two nodes: the number of their next message
}

// next returns the number of the next message, from 0 to of-1.
func (t *rotation) next(from, to topology.Node) int32 {
	if t.taken == nil {
		t.taken = map[[2]topology.Node]int32{}
	}
	ends := [2]topology.Node{from, to}
	next := t.taken[ends]
	t.taken[ends] = (next + 1) % t.of
	return next
}

// nodesOf replaces the interfaces of an arrival by their nodes.
func (k *rails) nodesOf(p *router.Arrival) {
	if k.count > 1 {
		p.From, p.To = p.From%k.nodes, p.To%k.nodes
	}
}
