package sim

import (
	"fmt"
	"math"
	"strings"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/netsim"
	"contend/router"
)

// LinkNote returns a note on the share of a link's bandwidth that the routers of a plan's network
// can use, on what limits it, and on what would raise it. It returns "" where they can use all of
// it, to half a percent.
func LinkNote(plan *config.Plan) string {
	if plan.Workload.Source != config.SourceTraffic && plan.Job.Run == config.RunFixed {
		return ""
	}
	k, err := plan.Network.LinkShare()
	if err != nil || k.Share >= maxNotedShare {
		return "" // what is wrong with a network is said where it is built
	}
	link := "a link"
	if k.Kind == router.Injection {
		link = "a link from a node"
	}
	if k.Channels > 1 {
		link += fmt.Sprintf(", over its %d virtual channels", k.Channels)
	}
	return fmt.Sprintf("the routers of this run carry at most %s of %s: a packet of %d flits takes "+
		"%s cycles or more of a virtual channel, since %s; %s", shareText(k.Share), link, k.Packet,
		decimal.Significant(math.Ceil(k.Cycles), 2), limitText(plan, k), remedyText(k))
}

// maxNotedShare is the share of a link above which there is no note.
const maxNotedShare = 0.995

// shareText writes a share with two digits.
func shareText(share float64) string { return decimal.Significant(share, 2) }

// limitText says what limits the share of a link: the credit loop or the routing of the next head.
func limitText(plan *config.Plan, k netsim.LinkShare) string {
	if k.Share < k.Best {
		return fmt.Sprintf("a place in a buffer is free again %d cycles after a flit was sent to it "+
			"(%s = %d)", k.Link+k.Credit, config.FieldBufferFlits, plan.Network.BufferFlits)
	}
	return fmt.Sprintf("a head flit is routed once the tail before it has left the buffer "+
		"(%s = %d)", config.FieldRoutingCycles, plan.Network.RoutingCycles)
}

// maxChannels is the greatest network.virtual_channels.
const maxChannels = 64

// remedyText names the buffers and the number of virtual channels that would raise the share.
func remedyText(k netsim.LinkShare) string {
	var by []string
	if k.Share < k.Best {
		by = append(by, fmt.Sprintf("buffers of %d flits carry %s", k.Buffer, shareText(k.Best)))
	}
	field := config.FieldVirtualChannels
	if k.Kind == router.Injection {
		field = config.FieldNodeChannels
	}
	if k.Enough <= maxChannels {
		by = append(by, fmt.Sprintf("%s = %d carries all of it", field, k.Enough))
	}
	if len(by) == 0 {
		return "longer packets carry more"
	}
	return strings.Join(by, ", and ")
}
