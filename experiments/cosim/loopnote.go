package cosim

import (
	"fmt"

	"contend/experiments/spec"
	"contend/internal/decimal"
)

// noticeable is the share of its bandwidth below which a link is said to be held up by credits. A
// network saturates where its busiest links do, and with wormhole switching and one virtual
// channel contention alone lets those carry between a quarter and a half of their bandwidth. Below
// a quarter it is the buffers that decide. The limit is fitted: at a half, a network of the study
// booksim would be noted.
const noticeable = 0.25

// LoopNote says how much of their bandwidth the buffers let the links of a plan's network carry,
// "" where that is at least a quarter.
func LoopNote(plan *spec.Plan) string {
	if plan.Workload.Source != spec.SourceTraffic && plan.Job.Run == spec.RunFixed {
		return ""
	}
	k, err := plan.Network.CreditLoop()
	if err != nil || k.Share >= noticeable {
		return "" // what is wrong with a network is said where it is built
	}
	links := fmt.Sprintf("the virtual channel of links of %d cycles carries", k.Link)
	if k.Channels > 1 {
		links = fmt.Sprintf("the %d virtual channels of links of %d cycles carry", k.Channels, k.Link)
	}
	return fmt.Sprintf("%s = %d: a place in a buffer is free again %d cycles after a flit was sent "+
		"to it, so %s at most %s%% of the bandwidth; with %d flits one packet can have all of it",
		spec.FieldBufferFlits, plan.Network.BufferFlits, k.Link+k.Credit, links,
		decimal.Significant(100*k.Share, 2), k.Enough)
}
