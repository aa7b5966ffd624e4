package netsim

import (
	"math"

	"contend/router"
)

// Totals are sums over delivered messages, in cycles, flits and packets.
type Totals struct {
	// Messages, Packets and Flits are the numbers delivered.
	Messages, Packets, Flits int64
	// Latency is the time from the creation of a packet to its delivery, and NetworkLatency the
	// time from the injection of its head to its delivery. Both are summed over packets.
	Latency, NetworkLatency Cycle
	// EntryWait is the part of the wait at sources in which a packet was first in its queue and an
	// injection channel was free, but its head could not be sent yet (rules 1 and 3). It is summed
	// over packets.
	EntryWait Cycle
	// Blocked is the sum over packets of the cycles in which a routed head waited in a buffer for a
	// VC or to be sent. Foreign is the part in which a packet of another job held the requested VC.
	Blocked, Foreign Cycle
	// Hops is the number of network channels taken, summed over packets.
	Hops int64
	// OnEscapePaths is the number of packets that took escape paths, where links had failed.
	OnEscapePaths int64
	// Marked, Notifications and Rests are those of congestion control: see Delivery.
	Marked, Notifications int64
	Rests                 Cycle
}

// AddDelivery adds the measurements of a message.
func (t *Totals) AddDelivery(d *Delivery) {
	t.Messages++
	t.Packets += int64(d.Packets)
	t.Flits += int64(d.Flits)
	t.Latency += d.Latency
	t.NetworkLatency += d.NetworkLatency
	t.EntryWait += d.EntryWait
	t.Blocked += d.Blocked
	t.Foreign += d.Foreign
	t.Hops += d.Hops
	t.OnEscapePaths += int64(d.OnEscapePaths)
	t.Marked += d.Marked
	t.Notifications += d.Notifications
	t.Rests += d.Rests
}

// Minus returns the increase of the totals since u.
func (t Totals) Minus(u *Totals) Totals {
	return Totals{Messages: t.Messages - u.Messages, Packets: t.Packets - u.Packets,
		Flits: t.Flits - u.Flits, Latency: t.Latency - u.Latency,
		NetworkLatency: t.NetworkLatency - u.NetworkLatency, EntryWait: t.EntryWait - u.EntryWait,
		Blocked: t.Blocked - u.Blocked, Foreign: t.Foreign - u.Foreign, Hops: t.Hops - u.Hops,
		Marked: t.Marked - u.Marked, Notifications: t.Notifications - u.Notifications,
		Rests: t.Rests - u.Rests, OnEscapePaths: t.OnEscapePaths - u.OnEscapePaths}
}

// Plus returns the totals and some times those of u, rounded.
func (t Totals) Plus(u *Totals, times float64) Totals {
	sum := func(x, y int64) int64 { return x + int64(math.Round(float64(y)*times)) }
	return Totals{Messages: sum(t.Messages, u.Messages), Packets: sum(t.Packets, u.Packets),
		Flits: sum(t.Flits, u.Flits), Latency: sum(t.Latency, u.Latency),
		NetworkLatency: sum(t.NetworkLatency, u.NetworkLatency),
		EntryWait:      sum(t.EntryWait, u.EntryWait), Blocked: sum(t.Blocked, u.Blocked),
		Foreign: sum(t.Foreign, u.Foreign), Hops: sum(t.Hops, u.Hops),
		Marked: sum(t.Marked, u.Marked), Notifications: sum(t.Notifications, u.Notifications),
		Rests: sum(t.Rests, u.Rests), OnEscapePaths: sum(t.OnEscapePaths, u.OnEscapePaths)}
}

// SourceWait returns the time that packets spent in source queues.
func (t Totals) SourceWait() Cycle { return t.Latency - t.NetworkLatency }

// sampler calls take in the cycles that take itself chooses.
type sampler struct {
	next Cycle                        // cycle of the next call
	take func(now Cycle) (next Cycle) // returns the cycle of the call after this one
}

// Sample calls take at once. During Advance it calls take again in the cycle that the last call
// returned, which must be later than that call. take may read the network and must not change it.
func (n *Network) Sample(take func(now Cycle) (next Cycle)) {
	n.sampler = &sampler{take(n.Now()), take}
}

// until returns the cycle up to which the routers may advance before the next sample: cycle, or an
// earlier sample.
func (s *sampler) until(cycle Cycle) Cycle { return min(cycle, s.next) }

// serve calls take in cycle now if a sample is due.
func (s *sampler) serve(now Cycle) {
	if now >= s.next {
		s.next = s.take(now)
	}
}

// Comparable reports whether Snapshot covers the whole state of the network, apart from the draws
// of a routing. The network then acts alike after two equal snapshots, if its routing draws
// nothing. Links may fail if it is Settled at both and no packet is Recovering, with the same failed
// links. A routing with escape channels draws where dimension order is cut.
func (n *Network) Comparable() bool {
	_, escapes := router.Whole(n.routing).(router.Escaping)
	return !(n.failing != nil && escapes) && !n.config.slows() &&
		n.rails.isCountless() && n.routers.Comparable()
}

// MarksDrawn returns how many marks a draw has decided on some links: see router.MarksDrawn.
func (n *Network) MarksDrawn(links []router.Link) int64 { return n.routers.MarksDrawn(links) }

// Snapshot sets s to the state of links and of the packets of jobs. Packets of these jobs must use
// these links only, and packets of other jobs must use none of them. links ascend. Snapshots are
// comparable if they have the same links and jobs in the same order.
func (n *Network) Snapshot(s *router.Snapshot, links []router.Link, jobs []int32) {
	s.Reset()
	if n.pairs != nil {
		n.pairs.appendTo(s, links)
	}
	n.routers.Snapshot(s, links, jobs)
	for _, m := range s.Messages {
		k := &n.messages[m]
		s.Words = append(s.Words, int64(k.missing), int64(k.Flits))
	}
}
