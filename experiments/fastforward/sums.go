package fastforward

import (
	"math"

	"contend/netsim"
)

// runSums has the sums of a run.
type runSums struct {
	jobs                int // jobs that sent messages
	simulated, recalled int // forecasts

	// Cycles of jobs: all, those jumped over, of these in exact jumps, and those in other phases than
	// in a run without jumps.
	serviceCycles, jumpedCycles, exactCycles, unsureCycles float64

	drawnVariance float64     // of the sum of service times, from drawIteration
	messages      messageSums // of all jobs
	sure          messageSums // of these, while the jobs were in the phases of a run without jumps
	// onePeriod is the sum over exact jumps of what a job sends in a period of several iterations: a
	// jump may end within one, where packets need not wait as in the mean of it.
	onePeriod messageSums
	linkFlits []float64 // flits that crossed links in jumps, by link
}

// messageSums has netsim.Totals that need not be whole numbers, by kind.
type messageSums [sumKinds]float64

// Kinds of sums.
const (
	messageSum = iota
	packetSum
	flitSum
	hopSum
	latencySum
	networkSum
	entrySum
	blocked
	foreign
	sumKinds
)

// sumsOf returns totals as sums.
func sumsOf(t netsim.Totals) messageSums {
	return messageSums{float64(t.Messages), float64(t.Packets), float64(t.Flits), float64(t.Hops),
		float64(t.Latency), float64(t.NetworkLatency), float64(t.EntryWait), float64(t.Blocked),
		float64(t.Foreign)}
}

// meansOf returns means over messages.
func meansOf(t netsim.Totals) (means messageSums) {
	all := sumsOf(t)
	means.add(&all, 1/max(1, all[messageSum]))
	return means
}

// add adds n times some sums.
func (s *messageSums) add(x *messageSums, n float64) {
	for i := range s {
		s[i] += n * x[i]
	}
}

// rounded returns the sums as whole numbers.
func (s *messageSums) rounded() netsim.Totals {
	round := func(kind int) int64 { return int64(math.Round(s[kind])) }
	return netsim.Totals{Messages: round(messageSum), Packets: round(packetSum), Flits: round(flitSum),
		Latency: round(latencySum), NetworkLatency: round(networkSum), EntryWait: round(entrySum),
		Blocked: round(blocked), Foreign: round(foreign), Hops: round(hopSum)}
}
