package deadlock_test

import (
	"fmt"
	"iter"
	"maps"
	"testing"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology/topologytest"
)

// Under a routing with ranks every dependency ascends, and the packets that the check follows cause
// dependencies between all ranks between which any packet causes one.
func TestRanksAscend(t *testing.T) {
	ascents := 0
	for _, m := range witnessed(t) {
		for _, k := range routes.Builtin() {
			for more := range 3 {
				if !k.Suits(m.Topology) || branches(k.Name) && m.Nodes() > maxBranching {
					continue
				}
				w, x := over(t, k, m.Topology, more)
				ranking, ok := x.(deadlock.Ranking)
				if !ok {
					continue
				}
				name := fmt.Sprintf("%s on %s with %d more", k.Name, m.name, more)
				_, rank, headers := ranking.Ranks()
				pairs := func(next [][]router.Channel) map[[2]int]bool {
					found := map[[2]int]bool{}
					for c, list := range next {
						for _, d := range list {
							from, to := w.LinkOf(router.Channel(c)), w.LinkOf(d)
							if w.Kind(from) == router.Network && w.Kind(to) == router.Network {
								found[[2]int{rank(router.Channel(c)), rank(d)}] = true
							}
						}
					}
					return found
				}
				all := pairs(deadlock.Dependencies(w, x))
				for k := range all {
					ascents++
					if k[0] >= k[1] {
						t.Errorf("%s: a channel of rank %d follows one of rank %d", name, k[1], k[0])
					}
				}
				followed, err := deadlock.Followed(w, x, headers)
				if got := pairs(followed); err != nil || !maps.Equal(got, all) {
					t.Errorf("%s: the packets followed have the ranks %v, all packets %v, error %v", name, got,
						all, err)
				}
			}
		}
	}
	if ascents < 200 {
		t.Errorf("only %d ascents", ascents)
	}
}

// unranked is a routing whose ranks do not ascend.
type unranked struct{ router.Routing }

// Ranks implements Ranking.
func (x unranked) Ranks() (router.Routing, func(router.Channel) int, iter.Seq[router.Header]) {
	_, _, list := x.Routing.(deadlock.Ranking).Ranks()
	return x, func(router.Channel) int { return 1 }, list
}

// The check of a large machine refuses a routing whose channels do not ascend in rank.
func TestRanksThatDoNotAscendAreRefused(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a8h4p4")
	w := router.NewWiring(m, 3, 1)
	for _, k := range routes.Builtin() {
		if !k.Suits(m) || k.VirtualChannels(m) > 3 {
			continue
		}
		x, err := k.New(w, 1)
		if _, ok := x.(deadlock.Ranking); !ok || err != nil {
			continue
		}
		if err := deadlock.CheckDeadlock(w, x); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		if err := deadlock.CheckDeadlock(w, unranked{x}); err == nil {
			t.Errorf("%s: the ranks are flat, and the check accepts it", k.Name)
		}
	}
}
