package routes

import (
	"fmt"
	"iter"
	"slices"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// layers is a routing on any connected graph along shortest paths, which are spread over layers of
// virtual channels so that no layer has a cycle (Skeie, Lysne and Theiss, "Layered shortest path
// (LASH) routing in irregular system area networks", IPDPS 2002). Between two routers all packets
// take one path; a hash of router and destination's router chooses among several shortest paths.
// The pairs of routers come in the order of their numbers, and the path of each goes into the first
// layer in which it closes no cycle.
type layers struct {
	fixedRule
	outputs
	graph  *topology.Graph
	home   []topology.Router // of each node
	toward [][]topology.Port // toward[to][r] is the port of router r towards router to
	layers [][]uint8         // layers[to][r] is the layer of packets from router r to router to
	count  router.Channel    // number of layers
}

// maxLayers is the maximum number of layers: the maximum number of VCs of a link.
const maxLayers = 64

// layerRouters is the maximum number of routers of a graph. Layers take five bytes for each pair of
// routers, and time that grows faster than the number of pairs: see BenchmarkLayers.
const layerRouters = 2048

// lastLayered has the paths and layers of the last graph.
var lastLayered lastGraph[*layers]

// lashMaker makes layers.
var lashMaker = router.Maker{
	Name: "lash", Display: "LASH",
	Doc: "graph: shortest paths, of several one by a hash, spread over layers of virtual " +
		"channels, as few as a greedy search finds",
	Source:          "Skeie et al. 2002",
	Suits:           isKind[*topology.Graph],
	VirtualChannels: forLayers,
	New:             func(w *router.Wiring, _ uint64) (router.Routing, error) { return newLayers(w) },
}

// newLayers returns layered shortest-path routing over the channels of w, which must be
// those of a Graph and at least as many a link as there are layers.
func newLayers(w *router.Wiring) (*layers, error) {
	t := w.Topology.(*topology.Graph)
	if t.Routers() > layerRouters {
		return nil, fmt.Errorf("layered shortest-path routing needs a graph of at most %d routers, "+
			"not %d", layerRouters, t.Routers())
	}
	x := *layered(t)
	if x.count > maxLayers {
		return nil, fmt.Errorf("layered shortest-path routing needs more than %d layers", maxLayers)
	}
	x.outputs = newOutputs(w)
	maxLayer := (x.virtual + x.count - 1) / x.count // VCs of the largest layer
	x.maxChoices, x.nextRange = max(maxLayer, x.ejection), x.next
	return &x, nil
}

// forLayers returns the VCs that the routing needs: one for each layer.
func forLayers(t topology.Topology) int {
	k, ok := t.(*topology.Graph)
	if !ok || k.Routers() > layerRouters {
		return 1
	}
	return int(min(layered(k).count, maxLayers))
}

// layered returns the paths of a graph and their layers, which do not depend on a wiring.
func layered(t *topology.Graph) *layers { return lastLayered.of(t, findLayers) }

// findLayers finds the paths of a graph and their layers.
func findLayers(t *topology.Graph) *layers {
	n := topology.Router(t.Routers())
	x := &layers{graph: t, home: homesOf(t), count: 1}
	first := make([]int32, n+1) // first channel that leaves each router, of its first port
	for r := range n {
		first[r+1] = first[r] + int32(t.Links(r))
	}
	list := []*layer{newLayer(int(first[n]))}
	for to := range n {
		ports := towards(t, to)
		x.toward, x.layers = append(x.toward, ports), append(x.layers, make([]uint8, n))
		for from := range n {
			if from != to && ports[from] == none {
				continue
			}
			var path []int32
			for r := from; r != to; r, _, _ = t.Peer(r, ports[r]) {
				path = append(path, first[r]+int32(ports[r]))
			}
			k := slices.IndexFunc(list, func(k *layer) bool { return k.addPath(path) })
			if k < 0 && len(list) < maxLayers {
				list = append(list, newLayer(int(first[n])))
				k = len(list) - 1
				list[k].addPath(path)
			}
			if k < 0 {
				x.count = maxLayers + 1
				return x
			}
			x.layers[to][from] = uint8(k)
		}
	}
	x.count = router.Channel(len(list))
	return x
}

// towards returns, for each router, the port by which a shortest path to router to leaves it, or
// none if there is no path.
func towards(t *topology.Graph, to topology.Router) []topology.Port {
	hops := make([]uint16, t.Routers())
	t.HopsFrom(to, hops)
	ports, near := make([]topology.Port, len(hops)), []topology.Port(nil)
	for r := range topology.Router(len(hops)) {
		near = nearer(near[:0], t, r, hops)
		if ports[r] = none; len(near) > 0 {
			ports[r] = near[router.Draw(0, int64(to), int64(r), int32(len(near)))]
		}
	}
	return ports
}

// next returns the channels that a packet may take from router r: n from first on.
func (x *layers) next(r topology.Router, _ router.Channel, h *router.Header) (first,
	n router.Channel) {
	to := x.home[h.Destination]
	if r == to {
		return x.wiring.Ejection(h.Destination), x.ejection
	}
	low, high := classRange(x.virtual, router.Channel(x.layer(h)), x.count)
	return x.out(r, x.toward[to][r]) + low, high - low
}

// layer returns the layer of a packet.
func (x *layers) layer(h *router.Header) uint8 {
	return x.layers[x.home[h.Destination]][x.home[h.Source]]
}

// SourceGroup implements Grouping: the layer of a packet.
func (x *layers) SourceGroup(_ topology.Router, _ router.Channel, h *router.Header) int32 {
	return int32(x.layer(h))
}

// Witnesses implements Witnessing: packets between each two routers.
func (x *layers) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.RouterPairs(x.wiring, x)
}

// layer is a set of dependencies between channels without a cycle.
type layer struct {
	next    [][]int32 // by channel: the channels that follow it
	closing [][]int32 // by channel: channels that must not follow it, since they would close a cycle
	seen    []int32   // by channel: the last search that reached it
	search  int32     // number of the last search
	stack   []int32   // scratch of leads
	added   []int32   // scratch of addPath: channels with a new dependency
}

// newLayer returns an empty layer.
func newLayer(channels int) *layer {
	return &layer{next: make([][]int32, channels), closing: make([][]int32, channels),
		seen: make([]int32, channels)}
}

// addPath adds the dependencies of a path over some channels. If they would close a cycle it adds
// none and reports false. A dependency that alone closes a cycle will always do so, because
// dependencies are never removed. The list closing has these dependencies and refuses most paths
// without a search.
func (k *layer) addPath(path []int32) bool {
	for i := range len(path) - 1 {
		if slices.Contains(k.closing[path[i]], path[i+1]) {
			return false
		}
	}
	k.added = k.added[:0]
	for i := range len(path) - 1 {
		a, b := path[i], path[i+1]
		if slices.Contains(k.next[a], b) {
			continue
		}
		if k.leads(b, a) {
			for _, a := range k.added {
				k.next[a] = k.next[a][:len(k.next[a])-1]
			}
			if len(k.added) == 0 || k.leads(b, a) {
				k.closing[a] = append(k.closing[a], b)
			}
			return false
		}
		k.next[a] = append(k.next[a], b)
		k.added = append(k.added, a)
	}
	return true
}

// leads reports whether dependencies lead from channel a to channel b.
func (k *layer) leads(a, b int32) bool {
	k.search++
	k.stack = append(k.stack[:0], a)
	for len(k.stack) > 0 {
		c := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		if c == b {
			return true
		}
		for _, d := range k.next[c] {
			if k.seen[d] != k.search {
				k.seen[d] = k.search
				k.stack = append(k.stack, d)
			}
		}
	}
	return false
}
