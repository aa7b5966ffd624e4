package netsim

import (
	"cmp"
	"slices"

	"contend/netsim/topology"
	"contend/router"
)

// sending is one flit sent.
type sending struct {
	Cycle  Cycle
	On     router.Channel
	Packet int64
	Index  int32
}

// tracer collects what an engine sends.
type tracer struct{ sent []sending }

func (t *tracer) Sent(cycle int64, c router.Channel, packet int64, index int32, _ int64) {
	t.sent = append(t.sent, sending{cycle, c, packet, index})
}

// packetRecord is what is measured of one packet.
type packetRecord struct {
	Number                                      int64
	From, To                                    topology.Node
	Length, Hops                                int
	Created, Turn, Injected, Delivered, Blocked Cycle
}

func sortSendings(s []sending) {
	slices.SortFunc(s, func(a, b sending) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.On, b.On))
	})
}
