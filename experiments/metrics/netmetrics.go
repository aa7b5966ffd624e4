package metrics

import (
	"math"

	"contend/netsim"
	"contend/router"
)

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
	addFailures(add, net)
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
	CongestionMetrics(net, add)
	add("flit_hops", hops)
	if cycles := k.Cycles / pace; channels > 0 && cycles > 0 {
		add("channel_utilization", 100*busy/float64(channels)/cycles)
		add("max_channel_utilization", 100*busiest/cycles)
	}
}

// addFailures adds the metrics of links that failed in a network.
func addFailures(add func(string, float64), net *netsim.Network) {
	if !net.Config().LinksFail {
		return
	}
	f := net.Failures()
	add("packets_lost", float64(f.Lost))
	add("packets_resent", float64(f.Resent))
	if f.Rerouted > 0 {
		add("reroute_time", float64(f.RerouteCycles)/float64(f.Rerouted))
	}
}

// AddFailures adds the metrics of links that failed in a network.
func (r *Result) AddFailures(net *netsim.Network) {
	addFailures(func(name string, value float64) {
		r.Metrics = append(r.Metrics, Metric{name, value})
	}, net)
}

// CongestionMetrics adds the metrics of congestion control, if the network has one.
func CongestionMetrics(net *netsim.Network, add func(string, float64)) {
	t, ok := net.Congestion()
	if !ok {
		return
	}
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
