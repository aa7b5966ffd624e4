package routes

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
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
