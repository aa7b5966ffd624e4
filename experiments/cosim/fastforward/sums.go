package fastforward

import (
	"math"

	"contend/experiments/cosim/metrics"
	"contend/netsim"
)

// runSums are sums over a run.
type runSums struct {
	jobs                   int
	simulated, recalled    int     // trajectories
	service, jumped, exact float64 // job cycles
	bounds                 metrics.Mean
	messages               messageSums
	flits                  []float64 // by link
}

// messageSums are netsim.Totals as numbers that need not be whole.
type messageSums struct {
	messages, packets, flits, latency, network, entry, blocked, foreign, hops float64
}

// eachOf returns means over messages, and a message with nothing but itself if there are none.
func eachOf(t netsim.Totals) messageSums {
	n := math.Max(1, float64(t.Messages))
	return messageSums{1, float64(t.Packets) / n, float64(t.Flits) / n,
		float64(t.Latency) / n, float64(t.NetworkLatency) / n, float64(t.EntryWait) / n,
		float64(t.Blocked) / n, float64(t.Foreign) / n, float64(t.Hops) / n}
}

// add adds so many times the sums of a message.
func (s *messageSums) add(each *messageSums, times float64) {
	s.messages += times
	s.packets += times * each.packets
	s.flits += times * each.flits
	s.hops += times * each.hops
	s.addWaits(each, times)
}

// addWaits adds so many times the sums that depend on how long packets wait.
func (s *messageSums) addWaits(each *messageSums, times float64) {
	s.latency += times * each.latency
	s.network += times * each.network
	s.entry += times * each.entry
	s.blocked += times * each.blocked
	s.foreign += times * each.foreign
}

// totals rounds the sums.
func (s *messageSums) totals() netsim.Totals {
	round := func(x float64) int64 { return int64(math.Round(x)) }
	return netsim.Totals{Messages: round(s.messages), Packets: round(s.packets),
		Flits: round(s.flits), Latency: round(s.latency), NetworkLatency: round(s.network),
		EntryWait: round(s.entry), Blocked: round(s.blocked), Foreign: round(s.foreign),
		Hops: round(s.hops)}
}
