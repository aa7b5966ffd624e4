package hyperx

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
	"contend/router/deadlock"
)

// newDAL returns the routing on a HyperX with so many virtual channels.
func newDAL(t *testing.T, size string, virtual int) (*topology.HyperX, *router.Wiring, *DAL) {
	t.Helper()
	m := topologytest.Machine(t, "hyperx:"+size).(*topology.HyperX)
	w := router.NewWiring(m, virtual, 1)
	x, err := NewDAL(w, 5)
	if err != nil {
		t.Fatal(err)
	}
	return m, w, x
}

// queues is a router all of whose buffers ahead are empty, with queues in front of its links.
type queues struct {
	w  *router.Wiring
	of func(l router.Link) int32
}

func (v queues) Free(router.Channel) bool     { return true }
func (v queues) Credits(router.Channel) int32 { return 4 }
func (v queues) Queued(c router.Channel) int32 {
	if l := v.w.LinkOf(c); c == v.w.First(l) {
		return v.of(l)
	}
	return 0
}

// dalWalk follows packets of the routing and counts their detours by coordinates.
type dalWalk struct {
	t        *testing.T
	m        *topology.HyperX
	w        *router.Wiring
	x        *DAL
	adverse  bool  // over the links that the routing offers first, else over all there may be
	detours  []int // in each dimension
	from, to topology.Node
	arrived  int
}

// follow follows a packet that has come by a channel and so many hops.
func (k *dalWalk) follow(in router.Channel, h router.Header, hops int) {
	r := k.w.Enters(in)
	if hops > 2*len(k.detours) {
		k.t.Fatalf("from node %d to node %d: %d hops", k.from, k.to, hops)
	}
	for _, c := range k.next(r, in, &h) {
		if k.w.Kind(k.w.LinkOf(c)) == router.Ejection {
			k.arrive(hops)
			continue
		}
		d := k.along(r, k.w.Enters(c))
		before := k.detours[d]
		k.step(r, k.w.Enters(c), d)
		k.follow(c, h, hops+1)
		k.detours[d] = before
	}
}

// along returns the dimension in which two routers differ.
func (k *dalWalk) along(a, b topology.Router) int {
	d := 0
	for k.m.Coordinate(a, d) == k.m.Coordinate(b, d) {
		d++
	}
	return d
}

// step counts a hop in dimension d.
func (k *dalWalk) step(r, next topology.Router, d int) {
	goal := k.m.Coordinate(k.m.RouterOf(k.to), d)
	if k.m.Coordinate(r, d) == goal {
		k.t.Fatalf("from node %d to node %d: a hop from router %d to %d where the packet is aligned",
			k.from, k.to, r, next)
	}
	if k.m.Coordinate(next, d) != goal {
		k.detours[d]++
	}
	if k.detours[d] > 1 {
		k.t.Fatalf("from node %d to node %d: two detours in dimension %d", k.from, k.to, d)
	}
}

// next returns the channels to follow: all, or the first of those offered where every link to
// the goal's coordinates has a long queue.
func (k *dalWalk) next(r topology.Router, in router.Channel, h *router.Header) []router.Channel {
	if !k.adverse {
		return k.x.Possible(nil, r, in, h)
	}
	goal := k.m.RouterOf(k.to)
	v := queues{k.w, func(l router.Link) int32 {
		_, end := k.w.Ends(l)
		far := end.Router
		if d := k.along(r, far); k.m.Coordinate(far, d) == k.m.Coordinate(goal, d) {
			return 100
		}
		return 0
	}}
	return k.x.Route(nil, r, in, h, v)[:1]
}

// arrive counts the hops of a packet that has arrived.
func (k *dalWalk) arrive(hops int) {
	k.arrived++
	detours, most := 0, 0
	for d, n := range k.m.Dims() {
		detours += k.detours[d]
		a, b := k.m.RouterOf(k.from), k.m.RouterOf(k.to)
		if n > 2 && k.m.Coordinate(a, d) != k.m.Coordinate(b, d) {
			most++
		}
	}
	if want := k.m.Distance(k.from, k.to) + detours; hops != want {
		k.t.Fatalf("from node %d to node %d: %d hops with %d detours", k.from, k.to, hops, detours)
	}
	if k.adverse && detours != most {
		k.t.Fatalf("from node %d to node %d: %d detours, want one in each of %d dimensions",
			k.from, k.to, detours, most)
	}
}

// Whatever routers look like, a packet takes at most one detour in each dimension in which it has
// a way to go, and none where it has not. Where every straight link is full it takes all of
// them.
func TestDALTakesOneDetourADimension(t *testing.T) {
	for _, size := range []string{"5:p2", "4x3:w2p1", "3x2x3:p1", "1x4x2:p1"} {
		for _, adverse := range []bool{false, true} {
			m, w, x := newDAL(t, size, 2)
			for from := range topology.Node(m.Nodes()) {
				for to := range topology.Node(m.Nodes()) {
					k := dalWalk{t: t, m: m, w: w, x: x, adverse: adverse, from: from, to: to,
						detours: make([]int, len(m.Dims()))}
					k.follow(w.Injection(from), router.Header{Source: from, Destination: to, Packet: 9}, 0)
					if k.arrived == 0 {
						t.Fatalf("%s: nothing from node %d arrives at node %d", size, from, to)
					}
				}
			}
		}
	}
}

// noEscapes is the routing without its escape channels.
type noEscapes struct {
	router.Routing
	of *DAL
}

func (x noEscapes) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	all, escape := x.of.Possible(nil, r, in, h), x.of.Escape(nil, r, in, h)
	for _, c := range all {
		if r == x.of.order.hyper.RouterOf(h.Destination) || !slices.Contains(escape, c) {
			dst = append(dst, c)
		}
	}
	return dst
}

// The escape channels are needed, in one dimension of three routers already.
func TestDALNeedsItsEscapes(t *testing.T) {
	for _, size := range []string{"3:p1", "4x3:p2", "3x3x2:p1"} {
		for virtual := 2; virtual <= 4; virtual++ {
			_, w, x := newDAL(t, size, virtual)
			if err := deadlock.CheckDeadlock(w, x); err != nil {
				t.Errorf("%s: %v", size, err)
			}
			var cycle *deadlock.CycleError
			if err := deadlock.CheckDeadlock(w, noEscapes{x, x}); !errors.As(err, &cycle) {
				t.Errorf("dal without escapes on %s has the error %v", size, err)
			}
		}
	}
}

// The routing says what it needs.
func TestDALRefuses(t *testing.T) {
	for _, k := range []struct {
		machine string
		virtual int
		says    string
	}{{"mesh:3x3", 2, "needs a HyperX"}, {"hyperx:3x3", 1, "needs at least 2 virtual channels"},
		{"hyperx:3x3x3x3x3x3x3x3x3:p1", 2, "at most 8 dimensions"}} {
		w := router.NewWiring(topologytest.Machine(t, k.machine), k.virtual, 1)
		if _, err := NewDAL(w, 1); err == nil || !strings.Contains(err.Error(), k.says) {
			t.Errorf("on %s: want %q, got %v", k.machine, k.says, err)
		}
	}
	newDAL(t, "3x3x2x3x3x3x3x3x2x1x3:p1", 2) // eight dimensions of three
}
