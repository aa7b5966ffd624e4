package netsim

import "contend/router"

// Totals are sums over delivered messages, in cycles, flits and packets.
type Totals struct {
	// Messages, Packets and Flits count those delivered.
	Messages, Packets, Flits int64
	// Latency is from creation to delivery, NetworkLatency from the
	// injection of the head; summed over packets.
	Latency, NetworkLatency Cycle
	// EntryWait is the part of the source wait in which a packet's turn had come and the router had no
	// place for its head.
	EntryWait Cycle
	// Blocked is the time that ready heads waited; Foreign the part of it for packets of other jobs.
	Blocked, Foreign Cycle
	// Hops are the network channels taken, summed over packets.
	Hops int64
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
}

// Minus returns the increase of the totals since u.
func (t Totals) Minus(u *Totals) Totals {
	return Totals{Messages: t.Messages - u.Messages, Packets: t.Packets - u.Packets,
		Flits: t.Flits - u.Flits, Latency: t.Latency - u.Latency,
		NetworkLatency: t.NetworkLatency - u.NetworkLatency, EntryWait: t.EntryWait - u.EntryWait,
		Blocked: t.Blocked - u.Blocked, Foreign: t.Foreign - u.Foreign, Hops: t.Hops - u.Hops}
}

// SourceWait returns the time that packets spent in source queues.
func (t Totals) SourceWait() Cycle { return t.Latency - t.NetworkLatency }

// sampler is called at chosen cycles.
type sampler struct {
	next Cycle
	take func(now Cycle) (next Cycle)
}

// Sample calls take now, and then during Advance in the cycle that the previous call returned,
// which must be later. The calls may read the network and must not change it.
func (n *Network) Sample(take func(now Cycle) (next Cycle)) {
	n.sampler = &sampler{take(n.Now()), take}
}

// until returns the cycle up to which the routers may advance.
func (s *sampler) until(cycle Cycle) Cycle { return min(cycle, s.next) }

// serve takes the sample of a cycle if it is due.
func (s *sampler) serve(now Cycle) {
	if now >= s.next {
		s.next = s.take(now)
	}
}

// Comparable reports whether Snapshot covers the whole state of the network, if its routing draws
// nothing.
func (n *Network) Comparable() bool {
	return n.failing == nil && !n.config.slows() && n.pairs == nil &&
		n.rails.isCountless() && n.routers.Comparable()
}

// Snapshot takes a snapshot of links and of the packets of jobs. Packets of these jobs must use
// these links only, and packets of other jobs none of them. Both lists must have the same order in
// all snapshots; links ascend.
func (n *Network) Snapshot(s *router.Snapshot, links []router.Link, jobs []int32) {
	s.Reset()
	n.routers.Snapshot(s, links, jobs)
	for _, m := range s.Messages {
		k := &n.messages[m]
		s.Words = append(s.Words, int64(k.missing), int64(k.Flits))
	}
}
