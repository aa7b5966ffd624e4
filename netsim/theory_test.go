package netsim

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// Theory: what every queueing network obeys, whatever its routers are like.

// An ejection channel that N nodes share is a queue with one server, which each
// packet takes for L cycles. Were arrivals Poisson, the mean wait would be that of
// M/D/1 (Pollaczek and Khinchine), ρ·L / (2(1-ρ)) with ρ the channel's load. Of
// Bernoulli trials of N nodes in each cycle, as here, it is ρ·(L - 1/N) / (2(1-ρ)):
// the work found, (ρ²(N-1)/N + ρ(L-1)) / (2(1-ρ)), and that of the packets of the
// same cycle that go first, ρ(N-1)/N/2.
func TestWaitOfOneChannel(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	const flits, nodes, batches = 16, 64, 20
	for _, rho := range []float64{0.3, 0.6} {
		m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{1}, Concentration: nodes}))
		c := Default(m)
		c.PacketFlits, c.BufferFlits, c.RoutingCycles = flits, 2*flits, 0
		n := must.Have(New(c))
		// All go to node 0; the nodes' own channels are never waited for but by
		// packets of the same node, which belong to the queue.
		to := func(topology.Node, *rand.Rand) topology.Node { return 0 }
		tr := started(n, Traffic{Destination: to, Load: rho / nodes, Flits: flits, Self: true}, 11, 12)
		var sum, count float64
		idle := float64(c.ZeroLoadLatency(0, flits))
		n.Watch(func(p *router.Arrival) { sum += float64(p.Delivered-p.Created) - idle; count++ })
		var waits []float64
		for b := range batches + 1 {
			run(t, n, tr, Cycle(b+1)*300_000)
			if b > 0 {
				waits = append(waits, sum/count)
			}
			sum, count = 0, 0
		}
		mean, half := interval99(waits)
		want := rho * (flits - 1.0/nodes) / (2 * (1 - rho))
		if math.Abs(mean-want) > half {
			t.Errorf("at %.1f of its capacity a channel has packets wait %.3f ± %.3f cycles, want %.3f",
				rho, mean, half, want)
		}
	}
}

// interval99 returns the mean of 20 values and half the width of its 99% interval.
func interval99(x []float64) (mean, half float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		half += (v - mean) * (v - mean)
	}
	return mean, 2.861 * math.Sqrt(half/(n-1)/n)
}

// What a channel carries is never more than a flit every F cycles, and a network accepts no more
// than the channels across its middle let through.
func TestChannelLoadBound(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	const warm, until = 2000, 8000
	for _, wrap := range []bool{false, true} {
		c := Default(cube(t, wrap, 6, 6))
		c.VirtualChannels, c.BufferFlits, c.FlitCycles = 2, 4, 2
		n := must.Have(New(c))
		tr := started(n, Traffic{Load: 1, Flits: 8}, 1, 2)
		run(t, n, tr, warm)
		n.ResetUsage()
		run(t, n, tr, until)
		w := n.Wiring()
		for l := range router.Link(w.Links()) {
			// A hold that began before the reset counts as a whole: L flits a virtual channel.
			most := int64(until-warm)/int64(c.FlitCycles) + 8*int64(c.VirtualChannels)
			if got := n.Usage(l).Flits; got > most {
				t.Errorf("%s carries %d flits, at most %d fit", w.Describe(w.First(l)), got, most)
			}
		}
		accepted, cut := float64(n.Totals().Flits)/(until-warm)/36, 6.0 // channels one way
		if wrap {
			cut = 12
		}
		if bound := cut / float64(c.FlitCycles) / (36 * 36 / 4 / 35.0); accepted > bound*1.01 ||
			accepted < bound/10 {
			t.Errorf("accepted %.4f flits per node and cycle, the middle lets %.4f through", accepted, bound)
		}
	}
}
