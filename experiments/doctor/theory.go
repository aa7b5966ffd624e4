package doctor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
)

// conservation runs networks from empty to empty. Every flit that was sent arrives.
// The number of packets in the network, summed over cycles, equals the time in it,
// summed over packets (Little's law, multiplied by time).
func (p Parts) conservation(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "packets",
		Compared: "flits sent, carried and delivered, and Little's law, " +
			"on 19 networks from empty to empty"}
	var worst int64
	for _, m := range smallMachines() {
		least, err := netsim.Default(m.machine).Resolved() // its routing needs as many
		if err != nil {
			return f, err
		}
		for _, v := range []int{1, 2, 4} {
			if v < least.VirtualChannels {
				continue
			}
			c := netsim.Default(m.machine)
			c.VirtualChannels, c.BufferFlits, c.FlitCycles = v, 4, 1+v%2
			if err := p.conserved(&f, &worst, m.name, c); err != nil {
				return f, err
			}
			if ctx.Err() != nil {
				return f, ctx.Err()
			}
		}
	}
	f.Worst = fmt.Sprintf("worst difference %d", worst)
	return f, nil
}

// conserved checks one network with messages of 20 flits, in packets of 8, 8 and 4.
func (p Parts) conserved(f *Finding, worst *int64, name string, c netsim.Config) error {
	const flits, sending = 20, 3000
	n, err := netsim.New(c)
	if err != nil {
		return err
	}
	var times, area, created, delivered, hops int64
	n.Watch(func(a *router.Arrival) {
		times += a.Delivered - a.Created
		delivered++
		hops += int64(a.Hops) * int64(a.Length)
	})
	rng, nodes := rand.New(rand.NewPCG(7, 8)), c.Topology.Nodes()
	for cycle := netsim.Cycle(0); n.Pending() > 0 || cycle < sending; cycle++ {
		if cycle < sending && rng.IntN(4) == 0 {
			n.Send(netsim.Message{From: topology.Node(rng.IntN(nodes)),
				To: topology.Node(rng.IntN(nodes)), Flits: flits})
			created += 3
		}
		area += created - delivered
		if _, _, err := n.Advance(cycle + 1); err != nil {
			return err
		}
	}
	carried := map[router.Kind]int64{}
	for l := range router.Link(n.Wiring().Links()) {
		carried[n.Wiring().Kind(l)] += n.Usage(l).Flits
	}
	f.Cases += int(created)
	sent := created / 3 * flits
	for _, k := range []struct {
		what      string
		got, want int64
	}{
		{"packets delivered", delivered, created},
		{"flits injected", carried[router.Injection], sent},
		{"flits ejected", carried[router.Ejection], sent},
		{"flits between routers", carried[router.Network], hops},
		{"packets summed over cycles", area, p.PacketCycles(times)},
	} {
		*worst = max(*worst, k.got-k.want, k.want-k.got)
		if k.got != k.want {
			f.blame("%s, %d virtual channels: %s: %d, want %d", name, c.VirtualChannels, k.what,
				k.got, k.want)
		}
	}
	return nil
}

// waitOfOneChannel returns the mean wait in cycles for a channel that N nodes share.
// With Poisson arrivals it is that of M/D/1 (Pollaczek and Khinchine), ρL / (2(1-ρ)).
// With a Bernoulli trial of each node in each cycle, L - 1/N replaces L.
func waitOfOneChannel(load float64, flits, nodes int) float64 {
	return load * (float64(flits) - 1/float64(nodes)) / (2 * (1 - load))
}

// queueing makes all nodes of one router send to one of them.
func (p Parts) queueing(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "packets", Compared: "mean wait for one channel at loads of 0.3 and 0.6 " +
		"against M/D/1, within the 99% interval of 20 batches"}
	worst := 0.0
	for _, load := range []float64{0.3, 0.6} {
		const flits, nodes = 16, 64
		waits, packets, err := sharedChannel(ctx, load, flits, nodes)
		if err != nil {
			return f, err
		}
		mean, half := interval99(waits)
		want := p.Wait(load, flits, nodes)
		worst = max(worst, math.Abs(mean/want-1))
		f.Cases += packets
		if !(math.Abs(mean-want) <= half) {
			f.blame("at a load of %.1f packets wait %.3f ± %.3f cycles, want %.3f", load, mean,
				half, want)
		}
	}
	f.Worst = fmt.Sprintf("worst difference %.1f%%", 100*worst)
	return f, nil
}

// sharedChannel returns the mean waits of 20 batches and the number of packets.
func sharedChannel(ctx context.Context, load float64, flits, nodes int) ([]float64, int, error) {
	m, err := topology.NewCube(topology.CubeConfig{Dims: []int{1}, Concentration: nodes})
	if err != nil {
		return nil, 0, err
	}
	c := netsim.Default(m)
	c.PacketFlits, c.BufferFlits, c.RoutingCycles, c.MessageFlits = flits, flits, 0, flits
	n, err := netsim.New(c)
	if err != nil {
		return nil, 0, err
	}
	to := func(topology.Node, *rand.Rand) topology.Node { return 0 }
	t := netsim.Traffic{Destination: to, Load: load / float64(nodes), Flits: int32(flits),
		Self: true}
	t.Start(nodes, rand.New(rand.NewPCG(11, 12)))
	var sum, idle netsim.Cycle = 0, c.ZeroLoadLatency(0, flits)
	count, all := 0, 0
	n.Watch(func(a *router.Arrival) { sum += a.Delivered - a.Created - idle; count++ })
	var waits []float64
	for b := range 21 { // the first warms up
		if err := t.Run(n, netsim.Cycle(b+1)*100_000); err != nil {
			return nil, 0, err
		}
		if b > 0 {
			waits = append(waits, float64(sum)/float64(count))
			all += count
		}
		sum, count = 0, 0
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	return waits, all, nil
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
