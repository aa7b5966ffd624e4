package fastforward

import (
	"math"

	"contend/experiments/metrics"
	"contend/netsim"
)

// runSums has the sums of a run.
type runSums struct {
	jobs                int // jobs that sent messages
	simulated, recalled int // trajectories

	// Cycles of jobs: all, those jumped over, of these in exact jumps, and of these in jumps shorter
	// than the period of the phases of their jobs.
	serviceCycles, jumpedCycles, exactCycles, lockedCycles float64

	spreads          [2]spreads   // by component.spreadKind
	lengths          metrics.Mean // lengths of trajectories, in iterations
	epochs           metrics.Mean // ages of components that were dissolved, in cycles
	variance         float64      // of the sum of service times
	blocked, foreign driftSum     // variances of the sums of waits
	messages         messageSums  // of all jobs
	linkFlits        []float64    // flits that crossed links in jumps, by link
}

// messageSums has netsim.Totals that need not be whole numbers, by kind.
type messageSums [sumKinds]float64

// Kinds of sums. Those from latency on depend on how long packets wait.
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

// meansOf returns means over messages, all 0 but for the message itself if there are none.
func meansOf(t netsim.Totals) messageSums {
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

// addWaits adds n messages with these means to the sums that depend on how long packets wait.
func (s *messageSums) addWaits(each *messageSums, n float64) {
	for i := latency; i < sumKinds; i++ {
		s[i] += n * each[i]
	}
}

// rounded returns the sums as whole numbers.
func (s *messageSums) rounded() netsim.Totals {
	round := func(kind int) int64 { return int64(math.Round(s[kind])) }
	return netsim.Totals{Messages: round(messages), Packets: round(packets), Flits: round(flits),
		Latency: round(latency), NetworkLatency: round(network), EntryWait: round(entry),
		Blocked: round(blocked), Foreign: round(foreign), Hops: round(hops)}
}
