package netsim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology/topologytest"
)

// BenchmarkFailingLinks reports the time of uniform traffic on a torus whose cables fail and are
// repaired, below saturation and past it, where source queues grow all the time: a failure must not
// cost a search of ways for each message of them.
func BenchmarkFailingLinks(b *testing.B) {
	for _, load := range []float64{0.2, 0.6} {
		for _, cycles := range []Cycle{25_000, 100_000} {
			b.Run(fmt.Sprintf("load=%v/cycles=%d", load, cycles), func(b *testing.B) {
				for b.Loop() {
					c := Default(topologytest.Machine(b, "torus:6x6"))
					c.LinksFail, c.ResendCycles = true, 10_000
					n := must.Have(New(c))
					n.ExpectRepairs(true)
					tr := started(n, Traffic{Destination: Uniform(36), Load: load, Flits: 8}, 1, 1)
					failCables(b, n, tr, cycles)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cycles), "ns/cycle")
			})
		}
	}
}

// failCables runs traffic in which a drawn cable fails every 270 cycles, for 500 cycles.
func failCables(t testing.TB, n *Network, tr *Traffic, until Cycle) {
	rng, w := rand.New(rand.NewPCG(3, 3)), n.Wiring()
	var down [][]router.Link
	for at := Cycle(270); at < until; at += 270 {
		must.Do(tr.Run(n, at))
		if len(down) == 2 {
			n.Repair(down[0]...)
			down = down[1:]
		}
		var links []router.Link
		for l := router.Link(rng.IntN(w.Links())); links == nil; l = router.Link(rng.IntN(w.Links())) {
			if w.Kind(l) == router.Network {
				links = both(n, w.Leaves(l), w.Enters(w.First(l)))
			}
		}
		n.Fail(links...)
		down = append(down, links)
	}
	must.Do(tr.Run(n, until))
}
