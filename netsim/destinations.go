package netsim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"contend/internal/call"
	"contend/router/topology"
)

// TrafficPattern describes the destinations of open-loop traffic. The zero values of its parameters
// mean their defaults.
type TrafficPattern struct {
	// Name is the name of one of TrafficKinds.
	Name string
	// HotNodes are the hot nodes of hotspot, each once; nil means the middle of the machine.
	HotNodes []topology.Node
	// Share is the share of messages that go to hot nodes, above 0 and at most 1; 0 means
	// HotspotShare.
	Share float64
	// Ahead is the distance in groups from a source to its destinations under adversarial traffic, at
	// least 1; 0 means 1. Trees have no groups.
	Ahead int
	// Senders is the number of nodes that send under incast traffic; 0 means all but node 0. Victim
	// is the share of the messages of node 1 that go to the last node, at least 0 and below 1.
	Senders int
	Victim  float64
	// File names the file with the weights of matrix traffic, and Digest has the first hexadecimal
	// digits of the SHA-256 of its bytes, which must match; "" matches any file.
	File, Digest string
	// Matrix has the weights of matrix traffic.
	Matrix Matrix
}

// HotspotShare is the default share of messages that go to the hot node under hotspot
// traffic; the others are uniform (Pfister and Norton 1985).
const HotspotShare = 0.05

// Destinations draws the destinations of messages on a machine.
type Destinations struct {
	// To draws the destination of a message of node n. A destination of n itself means
	// that the node is silent, unless Traffic.Self is set.
	To func(n topology.Node, rng *rand.Rand) topology.Node
	// Rates are the loads of the nodes: see Traffic. nil means equal loads.
	Rates []float64
}

// TrafficKind documents a kind of traffic.
type TrafficKind struct {
	// Name is the name in studies, Doc a line on where messages go, and Source the paper or program
	// that defines the kind.
	Name, Doc, Source string
	// Display is the name that figures and tables print. If it is empty, they print the words of
	// Name.
	Display string
	// Self reports whether, on every machine that the kind suits, some node may send to itself.
	// Traffic.Self acts on these kinds only. Under other kinds a node that would send to itself is
	// silent, such as the middle of a grid with odd sides under bit-complement.
	Self bool
	// Drawn reports whether the destinations of a run are drawn before it starts, by the
	// stream that On takes.
	Drawn bool

	parameters []call.Parameter
	// on returns the destinations on a site.
	on func(p TrafficPattern, s trafficSite) (Destinations, error)
}

// trafficSite is the machine on which destinations are chosen, with the stream of draws.
type trafficSite struct {
	machine topology.Topology
	self    bool       // nodes also send to themselves
	draw    *rand.Rand // of Drawn kinds
}

// TrafficKinds lists the kinds of traffic.
func TrafficKinds() []TrafficKind {
	const dally = "Dally and Towles 2004, sec. 3.2"
	return []TrafficKind{
		{Name: "uniform", Doc: "to all other nodes alike, or to all nodes with messages to itself",
			Source: dally, Self: true, on: onUniform},
		{Name: "transpose", Doc: "on a grid or HyperX that looks the same so, to the router with the " +
			"coordinates in reverse order", Source: dally, Self: true, on: onLattice},
		{Name: "bit-complement", Display: "Bit-complement",
			Doc: "on a grid x to X-1-x in every dimension; on other machines of " +
				"2^b nodes, to the node whose number has all bits inverted", Source: dally, on: onComplement},
		{Name: "bit-reverse", Display: "Bit-reverse",
			Doc: "on machines of 2^b nodes, to the node whose number has the bits " +
				"in reverse order", Source: dally, Self: true, on: onBits},
		{Name: "shuffle", Doc: "on machines of 2^b nodes, to the node whose number has the bits " +
			"rotated left by one", Source: dally, Self: true, on: onBits},
		{Name: "bit-transpose", Display: "Bit-transpose",
			Doc: "on machines of 2^b nodes, b even, to the node whose number has " +
				"the halves of its bits exchanged", Source: dally + "; transpose of BookSim 2", Self: true,
			on: onBits},
		{Name: "neighbour", Doc: "on a grid or HyperX, x to x+1 round every dimension",
			Source: dally, on: onLattice},
		{Name: "tornado", Doc: "on a grid or HyperX, half-way round less one in every dimension",
			Source: dally, on: onLattice},
		{Name: "hotspot", Doc: "a share of all messages to hot nodes alike, the others uniform",
			Source: "Pfister and Norton 1985", Self: true, on: onHotspot,
			parameters: hotspotParameters},
		{Name: "adversarial", Doc: "on machines of groups, to the nodes of the next group alike, " +
			"which is the worst case of minimal routing if all pairs of groups have as many links; " +
			"on a HyperX each coordinate of the dimension with the fewest parallel links, and of these " +
			"the shortest, is a group; on a tree all nodes of a leaf to as many " +
			"nodes of other leaves, for which d-mod-k takes the same port up as far as each node can " +
			"get no more than it sends",
			Source: "Kim et al. 2008; bad_dragon of BookSim 2; on trees after Rodriguez et " +
				"al. 2009",
			on: onAdversarial, parameters: adversarialParameters},
		{Name: "incast", Doc: "from some nodes to node 0, all alike; with victim node 1 sends to the " +
			"last node too", on: onIncast,
			parameters: incastParameters},
		{Name: "permutation", Doc: "to one node, which gets from one: a permutation of all nodes, " +
			"drawn for each replication", Source: "randperm of BookSim 2", Self: true, Drawn: true,
			on: onPermutation},
		{Name: "matrix", Doc: "to nodes with the weights of a CSV file with the columns from, to and " +
			"weight; a node's load is proportional to the sum of its weights", Self: true, on: onMatrix,
			parameters: matrixParameters},
	}
}

// TrafficNames lists the names of TrafficKinds.
func TrafficNames() []string {
	var names []string
	for _, k := range TrafficKinds() {
		names = append(names, k.Name)
	}
	return names
}

// Kind returns the kind of the pattern.
func (p TrafficPattern) Kind() (TrafficKind, bool) {
	kinds := TrafficKinds()
	i := slices.IndexFunc(kinds, func(k TrafficKind) bool { return k.Name == p.Name })
	if i < 0 {
		return TrafficKind{}, false
	}
	return kinds[i], true
}

// On returns the destinations on a machine. With self, nodes send messages to themselves if the
// pattern says so. The stream draws the parts of the pattern that stay the same for a whole run;
// only kinds with Drawn need one.
func (p TrafficPattern) On(machine topology.Topology, self bool,
	draw *rand.Rand) (Destinations, error) {
	if machine.Nodes() < 2 {
		return Destinations{}, fmt.Errorf("traffic needs at least two nodes")
	}
	k, ok := p.Kind()
	if !ok {
		return Destinations{}, fmt.Errorf("unknown traffic %q: there are %s", p.Name,
			strings.Join(TrafficNames(), ", "))
	}
	if k.Drawn && draw == nil {
		return Destinations{}, fmt.Errorf("%s traffic is drawn, and there is no stream", p.Name)
	}
	return k.on(p, trafficSite{machine, self, draw})
}

// Uniform returns the destinations of uniform traffic: all nodes but the source, with equal
// probability. There must be at least two nodes.
func Uniform(nodes int) func(topology.Node, *rand.Rand) topology.Node {
	return func(n topology.Node, rng *rand.Rand) topology.Node {
		to := topology.Node(rng.IntN(nodes - 1))
		if to >= n {
			to++
		}
		return to
	}
}

// onUniform returns uniform traffic, to the source itself too if nodes send to themselves.
func onUniform(_ TrafficPattern, s trafficSite) (Destinations, error) {
	nodes := s.machine.Nodes()
	if !s.self {
		return Destinations{To: Uniform(nodes)}, nil
	}
	return Destinations{To: func(_ topology.Node, rng *rand.Rand) topology.Node {
		return topology.Node(rng.IntN(nodes))
	}}, nil
}

// onHotspot returns uniform traffic of which a share goes to hot nodes. Messages of a hot node to
// itself become uniform, unless nodes send to themselves.
func onHotspot(p TrafficPattern, s trafficSite) (Destinations, error) {
	hot, share, nodes := p.HotNodes, p.Share, s.machine.Nodes()
	if hot == nil {
		hot = []topology.Node{middle(s.machine)}
	}
	if share == 0 {
		share = HotspotShare
	}
	for _, n := range hot {
		if n < 0 || int(n) >= nodes {
			return Destinations{}, fmt.Errorf("hotspot traffic has the hot node %d, and the machine "+
				"nodes 0 to %d", n, nodes-1)
		}
	}
	rest, err := onUniform(p, s)
	if err != nil {
		return Destinations{}, err
	}
	return Destinations{To: func(n topology.Node, rng *rand.Rand) topology.Node {
		if rng.Float64() < share {
			to := hot[0]
			if len(hot) > 1 {
				to = hot[rng.IntN(len(hot))]
			}
			if to != n || s.self {
				return to
			}
		}
		return rest.To(n, rng)
	}}, nil
}

// middle returns the node in the middle of a machine.
func middle(machine topology.Topology) topology.Node {
	t, ok := machine.(topology.Grid)
	if !ok || !t.OneNodePerRouter() {
		return topology.Node(machine.Nodes() / 2)
	}
	at := make([]int, len(t.Dims()))
	for d, n := range t.Dims() {
		at[d] = n / 2
	}
	return topology.Node(t.At(at...))
}

// onIncast returns traffic from the first p.Senders nodes after node 0 to node 0, all with one
// weight. Node 1 also sends to the last node, with the weight that makes these the share p.Victim
// of its messages.
func onIncast(p TrafficPattern, s trafficSite) (Destinations, error) {
	last := topology.Node(s.machine.Nodes() - 1)
	senders := cmp.Or(topology.Node(p.Senders), last)
	if senders > last || p.Victim > 0 && senders == last {
		return Destinations{}, fmt.Errorf("incast traffic has %d senders, and the machine %d nodes, of "+
			"which one receives, and another one with a victim", senders, last+1)
	}
	p.Matrix = nil
	for n := topology.Node(1); n <= senders; n++ {
		p.Matrix = append(p.Matrix, Flow{From: n, To: 0, Weight: 1})
	}
	if p.Victim > 0 {
		p.Matrix = append(p.Matrix, Flow{From: 1, To: last, Weight: p.Victim / (1 - p.Victim)})
	}
	return onMatrix(p, s)
}

// onPermutation returns traffic by a drawn permutation of all nodes. Its fixed points, one node on
// average, send to themselves or are silent.
func onPermutation(_ TrafficPattern, s trafficSite) (Destinations, error) {
	to := s.draw.Perm(s.machine.Nodes())
	return Destinations{To: func(n topology.Node, _ *rand.Rand) topology.Node {
		return topology.Node(to[n])
	}}, nil
}

// fixed returns the traffic of a pattern in which each node n sends to node to[n]. It refuses a
// pattern that leaves all nodes silent.
func fixed(p TrafficPattern, s trafficSite, to []topology.Node) (Destinations, error) {
	silent := !s.self
	for n := range topology.Node(len(to)) {
		silent = silent && to[n] == n
	}
	if silent {
		return Destinations{}, fmt.Errorf("%s traffic has each node of this machine send to itself",
			p.Name)
	}
	return Destinations{To: func(n topology.Node, _ *rand.Rand) topology.Node { return to[n] }}, nil
}

// atMiddle is the value of the parameter nodes that means the default hot nodes.
const atMiddle = "middle"

// Parameters of the kinds of traffic.
var hotspotParameters = []call.Parameter{
	{Name: "nodes", Type: call.Word, Default: atMiddle, Choices: []string{atMiddle},
		Read: readHotNodes,
		Doc:  "hot nodes with a / between, such as 0/9"},
	{Name: "share", Type: call.Number, Default: call.FormatNumber(HotspotShare), Above: "0", Max: "1",
		Doc: "share of messages that go to them"},
}

var adversarialParameters = []call.Parameter{{Name: "groups", Type: call.Integer, Default: "1",
	Min: "1", Doc: "how many groups ahead the destinations are"}}

var incastParameters = []call.Parameter{
	{Name: "senders", Type: call.Integer, Default: "0", Min: "0", Max: "1000000000",
		Doc: "how many nodes send; 0: all but node 0"},
	{Name: "victim", Type: call.Number, Default: "0", Min: "0", Below: "1",
		Doc: "share of the messages of node 1 that go to the last node"},
}

var matrixParameters = []call.Parameter{
	{Name: "file", Type: call.File, Doc: "the CSV file"},
	{Name: "sha256", Type: call.Digest, Doc: fmt.Sprintf("the first %d digits of the SHA-256 of the "+
		"file, which a study adds", call.DigestDigits)},
}

// readHotNodes returns the text of hot nodes with their numbers in increasing order.
func readHotNodes(text string) (string, error) {
	nodes, err := hotNodes(text)
	return hotNodesText(nodes), err
}

// hotNodes reads the numbers of hot nodes, separated by /.
func hotNodes(text string) (nodes []topology.Node, err error) {
	for part := range strings.SplitSeq(text, "/") {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("give numbers of nodes with a / between, such as 0/9")
		}
		if slices.Contains(nodes, topology.Node(n)) {
			return nil, fmt.Errorf("give each node once")
		}
		nodes = append(nodes, topology.Node(n))
	}
	slices.Sort(nodes)
	return nodes, nil
}

// hotNodesText returns the text of hot nodes: their numbers, separated by /.
func hotNodesText(nodes []topology.Node) string {
	var list []string
	for _, n := range nodes {
		list = append(list, fmt.Sprint(n))
	}
	return strings.Join(list, "/")
}

// Parameters returns the call of a kind with its parameters, for the documentation.
func (k TrafficKind) Parameters() string { return call.Describe(k.Name, k.parameters) }

// ParseTraffic reads a kind of traffic with its parameters, such as uniform or
// hotspot:nodes=0/9,share=0.2. It does not read the file of a matrix.
func ParseTraffic(text string) (TrafficPattern, error) {
	p := TrafficPattern{Name: call.Name(text)}
	k, ok := p.Kind()
	if !ok {
		return p, fmt.Errorf("unknown traffic %q: there are %s", p.Name,
			strings.Join(TrafficNames(), ", "))
	}
	v, bad := call.Parse(text, k.parameters)
	if bad != nil {
		return p, bad
	}
	if nodes := v.TextOf("nodes"); v.Has("nodes") && nodes != atMiddle {
		p.HotNodes, _ = hotNodes(nodes)
	}
	if v.Has("share") {
		p.Share = v.Float("share")
	}
	if v.Has("groups") {
		p.Ahead = v.Int("groups")
	}
	if v.Has("senders") {
		p.Senders, p.Victim = v.Int("senders"), v.Float("victim")
	}
	p.File, p.Digest = v.TextOf("file"), v.TextOf("sha256")
	return p, nil
}

// String returns the call with the parameters that differ from their defaults. Equal patterns have
// equal texts.
func (p TrafficPattern) String() string {
	k, _ := p.Kind()
	v, _ := call.Parse(p.Name, k.parameters)
	with := func(name, text string, given bool) {
		if given && v.Has(name) {
			v, _ = v.With(name, text)
		}
	}
	with("nodes", hotNodesText(p.HotNodes), p.HotNodes != nil)
	with("share", call.FormatNumber(p.Share), p.Share != 0)
	with("groups", strconv.Itoa(p.Ahead), p.Ahead > 1)
	with("senders", strconv.Itoa(p.Senders), true)
	with("victim", call.FormatNumber(p.Victim), true)
	with("file", p.File, true)
	with("sha256", p.Digest, true)
	return v.String()
}
