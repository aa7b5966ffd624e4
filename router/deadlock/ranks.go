package deadlock

import (
	"iter"

	"contend/router"
)

// Ranking is a Routing that ranks the channels between routers so that those of each packet ascend.
// Then dependencies form no cycle (Dally and Seitz 1987). On large machines the deadlock check
// follows some packets only, and refuses the routing if the channels of one of them do not ascend.
type Ranking interface {
	// Ranks returns the routing that the ranks belong to, as Witnesses does, the rank of a channel
	// between routers, and the headers of the packets to follow. These show each rule by which the
	// routing chooses channels: any other packet takes channels of the same ranks as one of them does,
	// hop by hop.
	Ranks() (of router.Routing, rank func(c router.Channel) int, headers iter.Seq[router.Header])
}

// ranks returns the ranks of a routing and the packets to follow, nil if the check may not rely on
// ranks.
func ranks(w *router.Wiring, x router.Routing) (func(c router.Channel) int,
	iter.Seq[router.Header]) {
	if k, ok := x.(Ranking); ok && isLarge(w, x) {
		if of, rank, headers := k.Ranks(); of == x {
			return rank, headers
		}
	}
	return nil, nil
}

// ascends refuses the routing unless the channels that a packet may take next rank above the one
// that it holds.
func (k *walk) ascends(at step) {
	if k.wiring.Kind(k.wiring.LinkOf(at.c)) != router.Network {
		return
	}
	for _, d := range k.out {
		if k.wiring.Enters(d) != none && k.rank(d) <= k.rank(at.c) {
			k.refuse(at, "Possible lists %s, which does not rank above it", k.name(d))
		}
	}
}
