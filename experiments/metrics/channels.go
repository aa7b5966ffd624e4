package metrics

import (
	"math"
	"slices"

	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// Channel says where a physical channel is.
type Channel struct {
	// Link is the number of the channel.
	Link router.Link
	// Kind is injection, network or ejection.
	Kind string
	// From and To are the routers at the ends. At a node, they are that on which it hangs.
	From, To topology.Router
	// FromPort and ToPort are the ports of these routers.
	FromPort, ToPort topology.Port
	// Node is the node of an injection or ejection channel, and otherwise -1.
	Node topology.Node
}

// Channels returns the channels of a network, in order of number.
func Channels(w *router.Wiring) []Channel {
	list := make([]Channel, w.Links())
	for l := range list {
		from, to := w.Ends(router.Link(l))
		list[l] = Channel{router.Link(l), "network", from.Router, to.Router, from.Port, to.Port, -1}
		switch c := &list[l]; w.Kind(c.Link) {
		case router.Injection:
			c.Kind, c.Node = "injection", from.Node
		case router.Ejection:
			c.Kind, c.Node = "ejection", to.Node
		}
	}
	return list
}

// channelColumns are the columns that name the channel of a row.
func channelColumns[R any](of func(*R) *Channel) []column[R] {
	return []column[R]{
		integers("link", "", "number of the channel", func(r *R) router.Link { return of(r).Link }),
		texts("kind", "injection, network or ejection", func(r *R) string { return of(r).Kind }),
		integers("from_router", "", "router it leaves",
			func(r *R) topology.Router { return of(r).From }),
		integers("from_port", "", "output port there",
			func(r *R) topology.Port { return of(r).FromPort }),
		integers("to_router", "", "router it enters", func(r *R) topology.Router { return of(r).To }),
		integers("to_port", "", "input port there", func(r *R) topology.Port { return of(r).ToPort }),
		integersIf("node", "", "node of an injection or ejection channel",
			func(r *R) (topology.Node, bool) { return of(r).Node, of(r).Node >= 0 }),
	}
}

// LinkRow is a row of links.csv: what a channel carried in a run.
type LinkRow struct {
	Channel
	router.Usage
	// FlitCycles is the time that a flit takes, and Cycles the length of the run.
	FlitCycles, Cycles int64
}

// LinkTable is links.csv.
var LinkTable = withColumns(RowTable{Name: "links", Row: "physical channel", Key: []string{"link"},
	Wanted: func(x *Records) bool { return x.Links }},
	func(x *Records) []LinkRow { return x.LinkRows },
	slices.Concat(channelColumns(func(r *LinkRow) *Channel { return &r.Channel }), []column[LinkRow]{
		integers("flits", "flits", "flits carried", func(r *LinkRow) int64 { return r.Flits }),
		numbers("utilization_percent", "%", "share of the run in which it carried flits",
			func(r *LinkRow) float64 { return 100 * float64(r.busy()) / float64(max(1, r.Cycles)) }),
		integers("held_cycles", "cycles",
			"time a packet held a virtual channel of it, summed over virtual channels",
			func(r *LinkRow) int64 { return r.Held }),
		integers("stalled_cycles", "cycles", "the part of it in which no flit was sent",
			func(r *LinkRow) int64 { return r.Held - r.busy() }),
		integers("waited_own_cycles", "cycles",
			"time ready head flits waited for it while a packet of their own job held it",
			func(r *LinkRow) int64 { return r.Own }),
		integers("waited_foreign_cycles", "cycles", "the same while a packet of another job held it",
			func(r *LinkRow) int64 { return r.Foreign }),
	})...)

// busy returns the time in which the channel carried flits.
func (r *LinkRow) busy() int64 { return r.Flits * r.FlitCycles }

// LinkRows returns a row for each channel of a network.
func LinkRows(net *netsim.Network) (rows []LinkRow) {
	timings := net.LinkTimings()
	for _, c := range Channels(net.Wiring()) {
		rows = append(rows, LinkRow{c, net.Usage(c.Link), int64(timings[c.Link].Flit), net.Now()})
	}
	return rows
}

// Carried is what a network has carried in a run.
type Carried struct {
	Net    *netsim.Network
	Totals netsim.Totals
	Flits  func(router.Link) float64
	Cycles float64 // length of the run
}

// CarriedBy returns what a network carried that simulated every flit of a run.
func CarriedBy(net *netsim.Network) *Carried {
	return &Carried{Net: net, Totals: net.Totals(), Cycles: float64(net.Now()),
		Flits: func(l router.Link) float64 { return float64(net.Usage(l).Flits) }}
}

// metrics adds the metrics of packets and channels.
func (k *Carried) metrics(add func(string, float64)) {
	t, net := k.Totals, k.Net
	n := float64(t.Packets)
	if n == 0 {
		n = math.NaN()
	}
	blocked, foreign := float64(t.Blocked), float64(t.Foreign)
	add("packet_blocking_time", blocked/n)
	add("foreign_blocking_time", foreign/n)
	add("network_latency", float64(t.NetworkLatency)/n)
	add("latency", float64(t.Latency)/n)
	add("entry_blocking_time", (blocked+float64(t.EntryWait))/n)
	add("entry_latency", float64(t.NetworkLatency+t.EntryWait)/n)
	add("source_wait", float64(t.SourceWait())/n)
	add("mean_hops", float64(t.Hops)/n)
	add("messages", float64(t.Messages))
	add("packets", float64(t.Packets))
	k.addFailures(add)
	var hops, busy, busiest float64
	channels := 0
	w, timings, pace := net.Wiring(), net.LinkTimings(), float64(net.Config().FlitCycles)
	for l := range router.Link(w.Links()) {
		flits := k.Flits(l)
		hops += flits
		if w.Kind(l) == router.Network {
			share := float64(flits * (float64(timings[l].Flit) / pace)) // as if all links were of one width
			busy += share
			busiest = max(busiest, share)
			channels++
		}
	}
	jumped := net.Totals()
	jumped = t.Minus(&jumped)
	CongestionMetrics(net, &jumped, add)
	add("flit_hops", hops)
	if cycles := k.Cycles / pace; channels > 0 && cycles > 0 {
		add("channel_utilization", 100*busy/float64(channels)/cycles)
		add("max_channel_utilization", 100*busiest/cycles)
	}
}

// addFailures adds the metrics of links that failed.
func (k *Carried) addFailures(add func(string, float64)) {
	net := k.Net
	if !net.Config().LinksFail {
		return
	}
	f := net.Failures()
	add("packets_lost", float64(f.Lost))
	add("packets_resent", float64(f.Resent))
	add("packets_on_escape_paths", float64(k.Totals.OnEscapePaths))
	onEscapePaths, _ := net.EscapePairs()
	add("pairs_on_escape_paths", 100*onEscapePaths)
	if f.Rerouted > 0 {
		add("reroute_time", float64(f.RerouteCycles)/float64(f.Rerouted))
	}
}

// AddFailures adds the metrics of links that failed in a network.
func (r *Result) AddFailures(net *netsim.Network) {
	CarriedBy(net).addFailures(func(name string, value float64) {
		r.Metrics = append(r.Metrics, Metric{name, value})
	})
}

// CongestionMetrics adds the metrics of congestion control, if the network has one, with those of
// jumps over time.
func CongestionMetrics(net *netsim.Network, jumped *netsim.Totals, add func(string, float64)) {
	t, ok := net.Congestion()
	if !ok {
		return
	}
	t.Packets, t.Marked = t.Packets+jumped.Packets, t.Marked+jumped.Marked
	t.Notifications, t.Rests = t.Notifications+jumped.Notifications, t.Rests+jumped.Rests
	n := float64(t.Packets)
	if n == 0 {
		n = math.NaN()
	}
	if t.Marks {
		add("marked_packets", 100*float64(t.Marked)/n)
	}
	add("notifications", float64(t.Notifications))
	add("rate_wait", float64(t.Rests)/n)
	if t.QueueFlits > 0 {
		add("marking_queue", t.QueueFlits)
	}
}
