package fastforward

import (
	"math"

	"contend/experiments/metrics"
	"contend/netsim"
)

// runSums are sums over a run.
type runSums struct {
	jobs                int
	simulated, recalled int // trajectories

	// Cycles of jobs: all, those jumped over, of these in exact jumps, and of these of jobs of which
	// two kept their phase.
	service, jumped, exact, locked float64

	spreads          [2]spreads   // by component.kind
	lengths          metrics.Mean // iterations of trajectories
	epochs           metrics.Mean // cycles of components
	variance         float64      // of the sum of service times
	blocked, foreign driftSum     // variances of these sums
	messages         messageSums
	flits            []float64 // by link
}

// messageSums are netsim.Totals as numbers that need not be whole.
type messageSums [sumKinds]float64

// The sums from latency on depend on how long packets wait.
const (
	messages = iota
	packets
	flits
	hops
	latency
	network
	entry
	blocked
	foreign
	sumKinds
)

// eachOf returns means over messages, and a message with nothing but itself if there are none.
func eachOf(t netsim.Totals) messageSums {
	each := messageSums{0, float64(t.Packets), float64(t.Flits), float64(t.Hops), float64(t.Latency),
		float64(t.NetworkLatency), float64(t.EntryWait), float64(t.Blocked), float64(t.Foreign)}
	for i := range each {
		each[i] /= max(1, float64(t.Messages))
	}
	each[messages] = 1
	return each
}

// add adds n messages with these means.
func (s *messageSums) add(each *messageSums, n float64) {
	for i := range latency {
		s[i] += n * each[i]
	}
	s.addWaits(each, n)
}

// addWaits adds n messages to the sums that depend on how long packets wait.
func (s *messageSums) addWaits(each *messageSums, n float64) {
	for i := latency; i < sumKinds; i++ {
		s[i] += n * each[i]
	}
}

// totals rounds the sums.
func (s *messageSums) totals() netsim.Totals {
	round := func(kind int) int64 { return int64(math.Round(s[kind])) }
	return netsim.Totals{Messages: round(messages), Packets: round(packets), Flits: round(flits),
		Latency: round(latency), NetworkLatency: round(network), EntryWait: round(entry),
		Blocked: round(blocked), Foreign: round(foreign), Hops: round(hops)}
}
