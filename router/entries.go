package router

import (
	"contend/internal/heap"
	"contend/router/topology"
)

// Entry is a message that has left its source queue: the head of its last packet has been sent.
type Entry struct {
	Cycle  int64         // the one after: the next message of the node may be first in the queue
	Node   topology.Node // Offer.From
	Job    int32         // Offer.Job
	User   int32         // Offer.User
	Number int64         // of its last packet
}

// Before implements heap.Heap. The order does not depend on the engine.
func (e Entry) Before(o Entry) bool {
	return e.Cycle < o.Cycle || e.Cycle == o.Cycle && e.Number < o.Number
}

// entries holds the entries that are not reported yet. An engine may know them ahead of their time.
type entries struct{ heap.Heap[Entry] }

// ReportEntries makes Advance return in the cycles of entries too, those of messages offered from
// now on.
func (b *Routers) ReportEntries() {
	for _, p := range b.partsOf() {
		if p.entries == nil {
			p.entries = &entries{}
		}
	}
}

// Entries appends the entries up to the present cycle that are not reported yet, by cycle and then
// in the order of offers.
func (b *Routers) Entries(dst []Entry) []Entry {
	for p := b.nextEntry(); p != nil && p.entries.Heap[0].Cycle <= b.now; p = b.nextEntry() {
		dst = append(dst, p.entries.Pop())
	}
	return dst
}

// nextEntry returns the part that has the next entry, or nil if none has one.
func (b *Routers) nextEntry() (next *Routers) {
	if b.entries == nil {
		return nil
	}
	for _, p := range b.partsOf() {
		if len(p.entries.Heap) > 0 &&
			(next == nil || p.entries.Heap[0].Before(next.entries.Heap[0])) {
			next = p
		}
	}
	return next
}

// until returns the cycle in which Advance returns at the latest.
func (b *Routers) until(cycle int64) int64 {
	if b.failing != nil && b.losesPackets() {
		cycle = min(cycle, b.now+1)
	}
	if p := b.nextEntry(); p != nil {
		return min(cycle, p.entries.Heap[0].Cycle)
	}
	return cycle
}

// enter notes that message e of a node leaves the source queue in a cycle.
func (b *Routers) enter(node topology.Node, e *entry, cycle int64) {
	if b.entries != nil {
		b.entries.Push(Entry{cycle + 1, node, e.job, e.user, e.number})
	}
}
