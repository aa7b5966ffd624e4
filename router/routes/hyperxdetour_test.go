package routes

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routertest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// onHyperX returns a routing on a HyperX by its name, with so many virtual channels.
func onHyperX(t *testing.T, size, name string, virtual int) (*topology.HyperX, *router.Wiring,
	router.Routing) {
	t.Helper()
	m := topologytest.Machine(t, "hyperx:"+size)
	w := router.NewWiring(m, virtual, 1)
	for _, k := range Builtin() {
		if k.Name == name && k.Suits(m) {
			x := must.Have(k.New(w, 5))
			return m.(*topology.HyperX), w, x
		}
	}
	t.Fatalf("no routing %s on a HyperX", name)
	return nil, nil, nil
}

// Packets for the nodes of a router take each of the parallel links to it as often, where all
// are free.
func TestParallelLinksAreShared(t *testing.T) {
	m, w, x := onHyperX(t, "3x2:w3p6", "dimension-order", 2)
	for _, to := range []topology.Router{1, 2, 3} {
		count := map[router.Link]int{}
		for n := range topology.Node(m.Nodes()) {
			if m.RouterOf(n) == to {
				h := router.Header{Source: 0, Destination: n}
				count[w.LinkOf(x.Route(nil, 0, w.Injection(0), &h, nil)[0])]++
			}
		}
		for l, n := range count {
			if len(count) != 3 || n != 2 {
				t.Errorf("to router %d %d of 6 packets take link %d of %d", to, n, l, len(count))
			}
		}
	}
}

// UGAL sends a packet straight where the queue times the hops of that way is no more than on the
// detour that was drawn, and so always where nothing waits. Of parallel links the shortest queue
// counts. Where both ways begin on one link the mean queues of the virtual channels count that the
// packet may take on each: on the straight way all, on a detour the lower half.
func TestUGALWeighsQueuesAndHops(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []string{"5:p1", "3x3:p1", "3x3x2:w2p1"} {
		m, w, x := onHyperX(t, size, "ugal", 3)
		ugal, detours, shared := x.(*hyperxDetour), 0, 0
		for p := range int64(4000) {
			from, to := topology.Router(rng.IntN(m.Routers())), topology.Router(rng.IntN(m.Routers()))
			via := topology.Router(router.Draw(ugal.seed, p, 0, int32(m.Routers())))
			if from == to || via == from {
				continue
			}
			seed, most := rng.Uint64(), rng.Int32N(9)+1
			v := credited{queues{w, func(router.Link) int32 { return 0 }}, func(c router.Channel) int32 {
				if w.Kind(w.LinkOf(c)) == router.Ejection {
					return 9
				}
				return 9 - router.Draw(seed, int64(c), 0, most)
			}}
			same := ugal.order.links(from, to)[0] == ugal.order.links(from, via)[0]
			queue := func(goal topology.Router, channels router.Channel) float64 {
				least := math.Inf(1)
				for _, first := range ugal.order.links(from, goal) {
					sum := 0.0
					for c := first; c < first+channels; c++ {
						sum += float64(9 - v.credits(c))
					}
					if same {
						sum /= float64(channels)
					}
					least = min(least, sum)
				}
				return least
			}
			lower := router.Channel(3)
			if same {
				lower = 1
			}
			apart := func(a, b topology.Router) float64 { return float64(m.Hops(a, b)) }
			straight := queue(to, 3)*apart(from, to) <= queue(via, lower)*(apart(from, via)+apart(via, to))
			h := router.Header{Source: topology.Node(from), Destination: topology.Node(to), Packet: p}
			x.Route(nil, from, w.Injection(h.Source), &h, v)
			if got := h.Phase == homeward; got != straight {
				t.Fatalf("%s: from router %d to %d over %d: straight is %v", size, from, to, via, got)
			}
			if !straight {
				detours++
			}
			if same {
				shared++
			}
		}
		if detours < 100 || shared < 50 {
			t.Errorf("%s: %d detours and %d ways over one link say little", size, detours, shared)
		}
	}
}

// credited is a router whose free channels have credits.
type credited struct {
	queues
	credits func(c router.Channel) int32
}

func (v credited) Credits(c router.Channel) int32 { return v.credits(c) }

// Minimal-adaptive routing first offers the link with most credits, whatever its dimension.
func TestHyperAdaptiveTakesMostCredits(t *testing.T) {
	m, w, x := onHyperX(t, "3x4x3:p1", "minimal-adaptive", 3)
	h := router.Header{Source: 0, Destination: topology.Node(m.At(2, 3, 1))}
	for d, want := range []topology.Router{m.At(2, 0, 0), m.At(0, 3, 0), m.At(0, 0, 1)} {
		v := credited{queues{w, func(router.Link) int32 { return 0 }}, func(c router.Channel) int32 {
			if w.Enters(c) == want {
				return 3
			}
			return 2
		}}
		got := x.Route(nil, 0, w.Injection(0), &h, v)
		if w.Enters(got[0]) != want || len(got) != 3*2+1 {
			t.Errorf("most credits in dimension %d: router %d comes first of %d channels", d,
				w.Enters(got[0]), len(got))
		}
	}
}

// newDAL returns the routing on a HyperX with so many virtual channels.
func newDAL(t *testing.T, size string, virtual int) (*topology.HyperX, *router.Wiring,
	*dalRouting) {
	t.Helper()
	m := topologytest.Machine(t, "hyperx:"+size).(*topology.HyperX)
	w := router.NewWiring(m, virtual, 1)
	x := must.Have(newDALRouting(w, 5))
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

// Whatever routers look like, a packet takes at most one detour in each dimension in which it has
// a way to go.
func TestDALTakesOneDetourADimension(t *testing.T) {
	for _, size := range []string{"5:p2", "4x3:w2p1", "3x2x3:p1", "1x4x2:p1"} {
		m, w, x := newDAL(t, size, 2)
		most := 0
		for _, n := range m.Dims() {
			most += min(n-1, 2)
		}
		if err := routertest.Check(w, x, routertest.Options{MaxHops: most}); err != nil {
			t.Errorf("%s: %v", size, err)
		}
	}
}

// The routing remembers detours in eight dimensions of three or more routers, and refuses nine.
func TestDALRefusesNineDimensions(t *testing.T) {
	w := router.NewWiring(topologytest.Machine(t, "hyperx:3x3x3x3x3x3x3x3x3:p1"), 2, 1)
	_, err := newDALRouting(w, 1)
	if err == nil || !strings.Contains(err.Error(), "at most 8 dimensions") {
		t.Error(err)
	}
	newDAL(t, "3x3x2x3x3x3x3x3x2x1x3:p1", 2) // eight dimensions of three
}

// weighed is a link with what a packet weighs it by.
type weighed struct {
	link   router.Link
	weight int32
	detour bool
}

// wanted returns the links that a packet at router r is to be offered, in order but for detours
// of equal weight, if it has taken its detours in some dimensions. It is the rule in plain words.
func wanted(m *topology.HyperX, w *router.Wiring, r, goal topology.Router, taken []bool,
	v queues) []weighed {
	var straight, over []weighed
	left := int32(0)
	for d := range m.Dims() {
		if m.Coordinate(r, d) != m.Coordinate(goal, d) {
			left++
		}
	}
	for p := range topology.Port(w.Topology.Ports()) {
		far, _, ok := m.Peer(r, p)
		if !ok {
			continue
		}
		d := 0
		for m.Coordinate(r, d) == m.Coordinate(far, d) {
			d++
		}
		l, _ := w.Out(r, p)
		switch q := v.of(l); {
		case m.Coordinate(r, d) == m.Coordinate(goal, d):
		case m.Coordinate(far, d) == m.Coordinate(goal, d):
			straight = append(straight, weighed{l, q * left, false})
		case !taken[d]:
			over = append(over, weighed{l, q * (left + 1), true})
		}
	}
	byWeight := func(a, b weighed) int { return cmp.Compare(a.weight, b.weight) }
	least := slices.MinFunc(straight, byWeight).weight
	for _, k := range over {
		if k.weight < least {
			straight = append(straight, k)
		}
	}
	slices.SortStableFunc(straight, byWeight)
	return straight
}

// The links offered are those that the rule says, in its order; then comes the escape channel.
func TestDALOffersByTheRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	offers, detours := 0, 0
	for _, size := range []string{"6:p1", "4x5:p1", "3x4x3:w2p1"} {
		m, w, x := newDAL(t, size, 3)
		for range 2000 {
			from, to := topology.Node(rng.IntN(m.Nodes())), topology.Node(rng.IntN(m.Nodes()))
			if from == to {
				continue
			}
			seen := map[router.Link]int32{}
			v := queues{w, func(l router.Link) int32 {
				if _, ok := seen[l]; !ok {
					seen[l] = rng.Int32N(6)
				}
				return seen[l]
			}}
			h := router.Header{Source: from, Destination: to, Packet: rng.Int64()}
			taken := make([]bool, len(m.Dims()))
			for d := range taken {
				if x.flag[d] != 0 && rng.IntN(2) == 0 {
					h.Phase, taken[d] = h.Phase|x.flag[d], true
				}
			}
			r := m.RouterOf(from)
			got := x.Route(nil, r, w.Injection(from), &h, v)
			want := wanted(m, w, r, m.RouterOf(to), taken, v)
			var links []weighed
			for i := 0; i < 2*len(want) && i < len(got); i += 2 { // two channels are not for escapes
				l := w.LinkOf(got[i])
				at := slices.IndexFunc(want, func(k weighed) bool { return k.link == l })
				if at < 0 || got[i] != w.First(l)+1 || got[i+1] != w.First(l)+2 {
					t.Fatalf("%s: offers %s", size, w.Describe(got[i]))
				}
				links = append(links, want[at])
			}
			same := len(links) == len(want)
			for i := range want {
				same = same && links[i].weight == want[i].weight && links[i].detour == want[i].detour
				if want[i].detour {
					detours++
				}
			}
			rest := got[2*len(want):]
			if escape := x.Escape(nil, r, w.Injection(from), &h); !same || !slices.Equal(rest, escape) {
				t.Fatalf("%s: from router %d to %d offers %v, want %v", size, r, m.RouterOf(to), links, want)
			}
			offers++
		}
	}
	if offers < 5000 || detours < 1000 {
		t.Errorf("%d offers with %d detours say little", offers, detours)
	}
}
