package routes

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/router"
	"contend/router/topology"
)

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
