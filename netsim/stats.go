package netsim

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
