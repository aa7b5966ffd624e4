package routes

import (
	"iter"
	"math"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// UpPort is the rule by which a packet chooses its ports up towards a common ancestor in a tree.
// There is one path down.
type UpPort uint8

// The rules. Under TreeAdaptive a packet takes any port that is free. Under the others it takes one
// port, and waits if its channel is taken.
const (
	// ByDestination is d-mod-k: the digit of the destination that belongs to the level. All packets to
	// a node come down the same path, so packets to different nodes separate early (Zahavi 2010,
	// "D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees").
	ByDestination UpPort = iota
	// BySource is s-mod-k: the digit of the source that belongs to the level.
	BySource
	// Drawn is a port drawn uniformly for each packet and router.
	Drawn
	// ByFlow is a port drawn uniformly for each flow and router: all packets of a flow take one path.
	// Switches do the same when they hash the addresses and ports of a packet, each with its own seed
	// (Hopps, RFC 2992, 2000; equal-cost multi-path, ECMP).
	ByFlow
	// TreeAdaptive is any port up that is free: that of d-mod-k first, then the
	// others in turn.
	TreeAdaptive
)

// TreeUpDown routes on a Tree or a FatTree: up until the destination is below, then down to it.
// Every path is a shortest one. A channel up is followed by channels of higher
// levels and by channels down, one down by lower ones only, so there is no
// cycle of channels with any number of virtual channels, all of which are
// candidates.
//
// Of the parallel links of a bundle a packet takes one by the same rule, up and down: d-mod-k and
// s-mod-k use the next digit, so that a packet takes the same link as on the path back.
type TreeUpDown struct {
	outputs
	choice   UpPort
	seed     uint64
	places   []treePlace // by router
	maxLinks int         // maximum number of links that a packet may choose between at a router
	bundled  bool        // some bundle has several links
	anyLink  bool        // links have failed: see Reroute
	tables   *treeTables // nil without d-mod-k and s-mod-k, or if bundled
	// downs is firstVC for the ports down, with those of a bundle side by side
	downs []router.Channel
}

// treePlace is the place of a router in its tree.
type treePlace struct {
	from, span int32 // first node below, and number of nodes below
	step       int32 // nodes below each port down
	up         int32 // number of ports up
	digit      int32 // number of routers of the level above the same nodes
	first      int32 // first node of the plane
	down       int32 // number of ports down; the ports up come after them
	children   int32 // ports from one link of a bundle down to the next
	bundle     int32 // number of links of a bundle down
	leaf       bool  // the ports down lead to nodes
}

// treeUpDownMakers make TreeUpDown, one for each rule.
var treeUpDownMakers = []router.Maker{
	upDownMaker("d-mod-k", "D-mod-k", "tree, fat-tree: up by the digits of the destination, then down",
		"Zahavi 2010", ByDestination),
	upDownMaker("s-mod-k", "S-mod-k",
		"tree, fat-tree: up by the digits of the source, then down", "", BySource),
	upDownMaker("random", "",
		"tree, fat-tree: up by ports drawn for each packet and router, then down", "", Drawn),
	upDownMaker("ecmp", "ECMP",
		"tree, fat-tree, graph: a shortest path for each flow, of several links one "+
			"by a hash of source, destination and flow", "Hopps, RFC 2992, 2000", ByFlow),
	upDownMaker("adaptive", "",
		"tree, fat-tree: up by any port that is free, that of d-mod-k first, then down", "",
		TreeAdaptive),
}

// upDownMaker returns the maker of the routing with a rule.
func upDownMaker(name, display, doc, source string, choice UpPort) router.Maker {
	return router.Maker{Name: name, Display: display, Doc: doc, Source: source,
		Draws: choice == Drawn || choice == ByFlow, Flows: choice == ByFlow, Suits: isFatTree, Alike: true,
		New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
			return NewTreeUpDown(w, choice, seed), nil
		}}
}

// NewTreeUpDown returns up/down routing over the channels of w, which must be those
// of a Tree or a FatTree. Only ports drawn depend on the seed.
func NewTreeUpDown(w *router.Wiring, choice UpPort, seed uint64) *TreeUpDown {
	t, _ := topology.FatTreeOf(w.Topology)
	x := &TreeUpDown{outputs: newOutputs(w), choice: choice, seed: seed}
	for r := range topology.Router(t.Routers()) {
		level, subtree, _ := t.Place(r)
		span, first, children := t.Span(level), t.Rail(r)*t.Nodes(), t.Children(level)
		at := treePlace{from: int32(first + subtree*span), span: int32(span),
			step: int32(span / children), up: int32(t.UpPorts(level)), digit: int32(t.Width(level)),
			first: int32(first), down: int32(t.DownPorts(level)), children: int32(children),
			bundle: int32(t.DownPorts(level) / children), leaf: level == 0}
		x.places = append(x.places, at)
		x.maxLinks = max(x.maxLinks, int(at.up), int(at.bundle))
		x.bundled = x.bundled || at.bundle > 1
	}
	if x.downs = x.firstVC; x.bundled {
		x.downs = x.sideBySide()
	}
	if choice < Drawn && !x.bundled && x.ports <= math.MaxUint16 {
		x.tables = x.newTreeTables(t)
	}
	return x
}

// Traits implements Described.
func (x *TreeUpDown) Traits() router.Traits {
	t := router.Traits{Choices: int(x.virtual), OneLink: x.choice != TreeAdaptive, Oblivious: true,
		Stateless: true, Flows: x.choice == ByFlow}
	if x.choice == TreeAdaptive {
		t.Choices *= max(1, x.maxLinks)
	}
	t.Choices = max(t.Choices, int(x.ejection))
	return t
}

// links returns the links by which router r forwards packets for a node: total links from the first
// of ports on, apart ports apart. total is 0 if the node is attached to the router.
func (x *TreeUpDown) links(r topology.Router, to topology.Node) (ports []router.Channel, apart,
	total int32) {
	at := &x.places[r]
	ports = x.firstVC[int(r)*x.ports:]
	switch below := int32(to) - at.from; {
	case uint32(below) >= uint32(at.span):
		return ports[at.down:], 1, at.up
	case !at.leaf:
		return ports[below/at.step:], at.children, at.bundle
	}
	return nil, 0, 0
}

// Route implements Routing.
func (x *TreeUpDown) Route(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	return x.offer(dst, r, h, x.choice == TreeAdaptive)
}

// Possible implements Routing: all links where one is drawn.
func (x *TreeUpDown) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	return x.offer(dst, r, h, x.choice >= Drawn || x.anyLink)
}

// Reroute implements Rerouting: by any link up, or of a bundle.
func (x *TreeUpDown) Reroute([]bool) (of, left router.Routing) {
	k := *x
	k.anyLink = true
	return x, &k
}

// courses implements coursed for a routing that Reroute has returned: all links count there.
func (x *TreeUpDown) courses() (router.Routing, func(topology.Router, *router.Header) course) {
	if !x.anyLink {
		return nil, nil
	}
	return x, nil
}

// port returns the index of the port up, or of the link of a bundle, that a packet takes at router
// r, or tries first.
func (x *TreeUpDown) port(r topology.Router, h *router.Header, of int32) int32 {
	at := &x.places[r]
	switch {
	case of == 1:
		return 0
	case x.choice == BySource:
		return (int32(h.Source) - at.first) / at.digit % of
	case x.choice == Drawn:
		return router.Draw(x.seed, h.Packet, int64(r), of)
	case x.choice == ByFlow:
		return router.DrawFlow(x.seed, h, int64(r), of)
	}
	return (int32(h.Destination) - at.first) / at.digit % of
}

// SourceGroup implements Grouping. Only s-mod-k depends on the source: on its digits from this
// level up, and only on the path up; with bundles on the path down too.
func (x *TreeUpDown) SourceGroup(r topology.Router, _ router.Channel, h *router.Header) int32 {
	at := &x.places[r]
	switch below := int32(h.Destination) - at.from; {
	case x.choice != BySource:
		return 0
	case x.bundled:
		return int32(h.Source)
	case uint32(below) < uint32(at.span):
		return 0
	}
	return (int32(h.Source) - at.first) / at.digit
}

// OutputTables implements Tabled.
func (x *TreeUpDown) OutputTables() (router.Routing, *router.OutputTables) {
	switch x.choice {
	case ByFlow: // a router.Packet has no flow
		return x, &router.OutputTables{OutputRun: x.outputRun}
	case TreeAdaptive:
		return x, &router.OutputTables{OutputVC: x.outputVC, OutputLinks: x.outputLinks}
	}
	return x, &router.OutputTables{OutputVC: x.outputVC, OutputRun: x.outputRun}
}

// outputRun returns the VCs that Route offers if the rule is not TreeAdaptive.
func (x *TreeUpDown) outputRun(r topology.Router, _ router.Channel, h *router.Header,
	_ router.View) (first, n router.Channel) {
	ports, apart, total := x.links(r, h.Destination)
	if total == 0 {
		return x.wiring.Ejection(h.Destination), x.ejection
	}
	return ports[x.port(r, h, total)*apart], x.virtual
}

// sideBySide returns the first VCs of the ports of all routers, with the ports of each bundle down
// side by side.
func (x *TreeUpDown) sideBySide() []router.Channel {
	list := slices.Clone(x.firstVC)
	for r := range x.places {
		at := &x.places[r]
		for p := range at.down {
			to := p%at.children*at.bundle + p/at.children
			list[int32(r*x.ports)+to] = x.firstVC[int32(r*x.ports)+p]
		}
	}
	return list
}

// outputLinks returns the links that Route offers with TreeAdaptive: see OutputTables.
func (x *TreeUpDown) outputLinks(r topology.Router, to topology.Node) (links []router.Channel,
	from int) {
	at, ports := &x.places[r], int(r)*x.ports
	below := int32(to) - at.from
	if uint32(below) >= uint32(at.span) {
		links = x.firstVC[ports+int(at.down):][:at.up]
	} else {
		links = x.downs[ports+int(below/at.step*at.bundle):][:at.bundle]
	}
	if len(links) > 1 {
		from = int((int32(to) - at.first) / at.digit % int32(len(links)))
	}
	return links, from
}

// outputVC returns the VC that Route offers packet k if links have one VC and the rule is not
// TreeAdaptive.
func (x *TreeUpDown) outputVC(r topology.Router, _ router.Channel,
	k *router.Packet) router.Channel {
	if x.tables != nil {
		return x.tables.output(uint(r), k.From, k.To)
	}
	ports, apart, total := x.links(r, k.To)
	if total == 0 {
		return x.wiring.Ejection(k.To)
	}
	h := router.Header{Source: k.From, Destination: k.To, Packet: k.Identity}
	return ports[x.port(r, &h, total)*apart]
}

// offer appends the VCs of the link that port returns, or with all set those of all links in turn
// from that link on. It appends the first VC of each link, then the second of each, so that an idle
// link is taken before a busy one is shared.
func (x *TreeUpDown) offer(dst []router.Channel, r topology.Router, h *router.Header,
	all bool) []router.Channel {
	ports, apart, total := x.links(r, h.Destination)
	if total == 0 {
		return x.eject(dst, h.Destination)
	}
	first, n := x.port(r, h, total), int32(1)
	if all {
		n = total
	}
	if all && x.choice != TreeAdaptive { // the order does not depend on the packet
		first = 0
	}
	for v := range x.virtual {
		for i := range n {
			link := first + i
			if link >= total {
				link -= total
			}
			dst = append(dst, ports[link*apart]+v)
		}
	}
	return dst
}

// isFatTree reports whether a topology is a FatTree or a Tree.
func isFatTree(t topology.Topology) bool {
	_, ok := topology.FatTreeOf(t)
	return ok
}

// treeTables has the ports by which packets leave the routers of a tree under d-mod-k and s-mod-k
// if there are no parallel links. The digits of the destination give the same ports, but need
// divisions. The ports for a node depend on the level of a router only, and the ports of a node at
// all levels lie beside each other. BenchmarkTree/4-ary-4-tree/flits=8/light/d-mod-k/worm: 1.3
// times as fast as digits.
type treeTables struct {
	routers  []treeRouter
	ports    []treePorts      // of each node and level of a plane
	firstVC  []router.Channel // first VC that leaves a router by a port
	levels   int32
	bySource bool // the digits of the source choose the ports up
}

// treePorts has the ports by which packets for a node leave the routers of a level, 16 bits each:
// the port down of a router above the node, and in the upper half the port up of any other one.
type treePorts uint32

// treeRouter is the place of a router.
type treeRouter struct {
	from, span int32 // first node below, and number of nodes below
	firstPort  int32 // index of its first port in firstVC
	entry      int32 // index in ports of its level for node 0, which may be of another plane
}

// newTreeTables returns the tables of a tree.
func (x *TreeUpDown) newTreeTables(t *topology.FatTree) *treeTables {
	levels := t.Levels()
	w := &treeTables{routers: make([]treeRouter, len(x.places)),
		ports: make([]treePorts, t.Nodes()*levels), firstVC: x.firstVC, levels: int32(levels),
		bySource: x.choice == BySource}
	for level := range levels {
		at := &x.places[t.At(level, 0, 0)]
		for n := range int32(t.Nodes()) {
			up := at.down + n/at.digit%max(1, at.up)
			w.ports[int(n)*levels+level] = treePorts(n%at.span/at.step | up<<16)
		}
	}
	for r := range x.places {
		at := &x.places[r]
		level, _, _ := t.Place(topology.Router(r))
		w.routers[r] = treeRouter{from: at.from, span: at.span, firstPort: int32(r * x.ports),
			entry: int32(level) - at.first*int32(levels)}
	}
	return w
}

// output returns the VC by which a packet between two nodes leaves router r. It chooses the port
// up or down without a branch, which would be unpredictable. The port down of the lowest routers
// leads to the node.
func (w *treeTables) output(r uint, from, to topology.Node) router.Channel {
	at := &w.routers[r]
	ports := w.ports[at.entry+int32(to)*w.levels]
	if w.bySource {
		ports = ports&0xffff | w.ports[at.entry+int32(from)*w.levels]&^0xffff
	}
	// 16 if the node is not below, otherwise 0
	upper := ^(uint64(uint32(int32(to)-at.from)) - uint64(uint32(at.span))) >> 63 << 4
	return w.firstVC[at.firstPort+int32(ports>>upper&0xffff)]
}

// treeByCredits is up/down routing on a Tree or a FatTree by any port up, as with TreeAdaptive, but
// the router tries the ports in the order of its View: most credits first, see selection. Among
// equal ports the port of d-mod-k comes first and then the others in turn, or with draws a port
// drawn for each packet and router comes first. Down it chooses in the same manner among the links
// of a bundle. TreeAdaptive takes the port of d-mod-k whenever that is free (Gomez, Gilabert,
// Gomez, Lopez and Duato, "Deterministic versus adaptive routing in fat-trees", IPDPS 2007, compare
// the two kinds).
type treeByCredits struct {
	*TreeUpDown
	draws   bool // among equal ports a drawn one comes first
	options selection
}

// treeByCreditsMakers make treeByCredits.
var treeByCreditsMakers = []router.Maker{
	byCreditsMaker("adaptive-credits",
		"tree, fat-tree: up by the port with most credits of those that are free, then down", false),
	byCreditsMaker("adaptive-random",
		"adaptive-credits, but of ports with as many credits one is drawn, not that of d-mod-k", true),
}

// byCreditsMaker returns the maker of treeByCredits.
func byCreditsMaker(name, doc string, draws bool) router.Maker {
	return router.Maker{Name: name, Doc: doc, Draws: draws, Suits: isFatTree, Alike: true,
		New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
			return &treeByCredits{TreeUpDown: NewTreeUpDown(w, TreeAdaptive, seed),
				draws: draws}, nil
		}}
}

// Traits implements Described.
func (x *treeByCredits) Traits() router.Traits {
	t := x.TreeUpDown.Traits()
	t.Oblivious = false
	return t
}

// Route implements Routing.
func (x *treeByCredits) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	ports, apart, total := x.links(r, h.Destination)
	if total < 2 {
		return x.TreeUpDown.Route(dst, r, in, h, v)
	}
	x.options = x.options[:0]
	choice := x.port(r, h, total)
	for i := range total {
		x.options.add(ports[(choice+i)%total*apart], x.virtual)
	}
	x.options.rank(v)
	if x.draws {
		best := router.Draw(x.seed, h.Packet, int64(r), x.options.alike(v))
		x.options[0], x.options[best] = x.options[best], x.options[0]
	}
	return x.options.appendVCs(dst)
}

// Witnesses implements Witnessing: those of TreeAdaptive, which takes the same channels.
func (x *treeByCredits) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	_, headers := x.TreeUpDown.Witnesses()
	return x, headers
}

// treeTwoChoices is up/down routing on a Tree or a FatTree by the better of two drawn ports (the
// power of two choices: Mitzenmacher, IEEE Trans. Parallel and Distributed Systems 12(10), 2001;
// anca of BookSim 2, Jiang et al. 2013). Both are drawn from all ports up for each packet and
// router, so they may be the same. The packet takes the port with more credits over all its virtual
// channels, or the first if they have the same number. Down it chooses in the same manner among the
// links of a bundle.
type treeTwoChoices struct{ *TreeUpDown }

// treeTwoChoicesMaker makes treeTwoChoices.
var treeTwoChoicesMaker = router.Maker{
	Name: "two-choices",
	Doc: "tree, fat-tree: up by that of two ports drawn for each packet and router that has more " +
		"credits, then down",
	Source: "Mitzenmacher 2001",
	Draws:  true,
	Suits:  isFatTree,
	Alike:  true,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return &treeTwoChoices{NewTreeUpDown(w, Drawn, seed)}, nil
	},
}

// Traits implements Described.
func (x *treeTwoChoices) Traits() router.Traits {
	t := x.TreeUpDown.Traits()
	t.Oblivious = false
	return t
}

// Route implements Routing.
func (x *treeTwoChoices) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	ports, apart, total := x.links(r, h.Destination)
	if total < 2 {
		return x.TreeUpDown.Route(dst, r, in, h, v)
	}
	one := ports[router.Draw(x.seed, h.Packet, int64(r), total)*apart]
	other := ports[router.Draw(x.seed, h.Packet, ^int64(r), total)*apart]
	if x.credits(other, v) > x.credits(one, v) {
		one = other
	}
	return router.AppendRun(dst, one, x.virtual)
}

// credits returns the credits of the VCs of a link, of which the first is given.
func (x *treeTwoChoices) credits(first router.Channel, v router.View) (sum int32) {
	for c := first; c < first+x.virtual; c++ {
		sum += v.Credits(c)
	}
	return sum
}

// Witnesses implements Witnessing: those of drawn ports.
func (x *treeTwoChoices) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	_, headers := x.TreeUpDown.Witnesses()
	return x, headers
}
