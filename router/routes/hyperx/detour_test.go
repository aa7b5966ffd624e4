package hyperx

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
	"contend/router/routes/frame"
)

// onHyperX returns a routing on a HyperX by its name, with so many virtual channels.
func onHyperX(t *testing.T, size, name string, virtual int) (*topology.HyperX, *router.Wiring,
	router.Routing) {
	t.Helper()
	m := topologytest.Machine(t, "hyperx:"+size)
	w := router.NewWiring(m, virtual, 1)
	for _, k := range Makers() {
		if k.Name == name {
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

// hopsApart returns the number of coordinates in which two routers differ.
func hopsApart(m *topology.HyperX, a, b topology.Router) (n int32) {
	for d := range m.Dims() {
		if m.Coordinate(a, d) != m.Coordinate(b, d) {
			n++
		}
	}
	return n
}

// UGAL sends a packet straight where the queue times the hops of that way is no more than on the
// detour that was drawn, and so always where nothing waits. Of parallel links the shortest queue
// counts.
func TestUGALWeighsQueuesAndHops(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []string{"5:p1", "3x3:p1", "3x3x2:w2p1"} {
		m, w, x := onHyperX(t, size, "ugal", 2)
		ugal, detours := x.(*Detour), 0
		for p := range int64(3000) {
			from, to := topology.Router(rng.IntN(m.Routers())), topology.Router(rng.IntN(m.Routers()))
			via := topology.Router(router.Draw(ugal.seed, p, 0, int32(m.Routers())))
			if from == to || via == from {
				continue
			}
			seed, most := rng.Uint64(), rng.Int32N(9)+1
			v := queues{w, func(l router.Link) int32 { return router.Draw(seed, int64(l), 0, most) }}
			queue := func(goal topology.Router) int32 {
				links := ugal.order.links(from, goal)
				least := v.of(w.LinkOf(links[0]))
				for _, first := range links[1:] {
					least = min(least, v.of(w.LinkOf(first)))
				}
				return least
			}
			h := router.Header{Source: topology.Node(from), Destination: topology.Node(to), Packet: p}
			x.Route(nil, from, w.Injection(h.Source), &h, v)
			straight := queue(to)*hopsApart(m, from, to) <=
				queue(via)*(hopsApart(m, from, via)+hopsApart(m, via, to))
			if ugal.order.links(from, to)[0] == ugal.order.links(from, via)[0] {
				continue // the queues of their virtual channels count
			}
			if !straight {
				detours++
			}
			if got := h.Phase == frame.Homeward; got != straight {
				t.Fatalf("%s: from router %d to %d over %d: straight is %v", size, from, to, via, got)
			}
		}
		if detours < 100 {
			t.Errorf("%s: %d detours say little", size, detours)
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

// Where both ways begin on one link UGAL compares the mean queues of the virtual channels that it
// may take on each: on the straight way all of those that ascend, on a detour the lowest.
func TestUGALComparesMeansOnOneLink(t *testing.T) {
	m, w, routing := onHyperX(t, "3x3:p1", "ugal", 3)
	x, rng, compared, detours := routing.(*Detour), rand.New(rand.NewPCG(5, 6)), 0, 0
	for range 4000 {
		goal, via := topology.Router(rng.IntN(m.Nodes())), topology.Router(rng.IntN(m.Routers()))
		if goal == 0 || via == 0 || x.order.links(0, goal)[0] != x.order.links(0, via)[0] {
			continue
		}
		first, queue := x.order.links(0, goal)[0], make([]int32, w.Channels())
		v := credited{queues{w, func(router.Link) int32 { return 0 }},
			func(c router.Channel) int32 { return 9 - queue[c] }}
		for c := first; c < first+3; c++ {
			queue[c] = rng.Int32N(9)
		}
		low := float64(queue[first])
		mean := (low + float64(queue[first+1]) + float64(queue[first+2])) / 3
		want := float64(hopsApart(m, 0, goal))*mean <=
			float64(hopsApart(m, 0, via)+hopsApart(m, via, goal))*low
		if got := x.straight(0, via, goal, v); got != want {
			t.Fatalf("to %d over %d with queues %v: straight is %v", goal, via, queue[first:first+3], got)
		}
		if compared++; !want {
			detours++
		}
	}
	if compared < 100 || detours < 30 {
		t.Errorf("%d detours of %d say little", detours, compared)
	}
}
