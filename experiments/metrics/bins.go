package metrics

import (
	"math"

	"contend/experiments/config"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

const (
	// seriesBins is the greatest number of bins of a time series. A run of more than half as many
	// cycles has more than half as many bins.
	seriesBins = 512
	// binsPerLoad is the number of bins of a time series in a bin of load.csv.
	binsPerLoad = 8
)

// channelBins counts, for each channel and bin of time, the cycles in which the channel carried
// flits. Nobody knows the length of a run in advance. So bins begin one cycle wide, and where a
// flit lies behind the last, each two become one of twice the width. The counts are integers, and
// a bin of the final width holds the same whatever the order of the flits.
//
// channelBins implements router.Recorder.
type channelBins struct {
	links int
	shift uint     // a bin is 1 << shift cycles wide
	busy  []uint32 // cycles, by bin and link; as many bins as flits have reached
	// now returns the current cycle. Flits behind it stay in ahead, since the run may end before.
	now     func() int64
	ahead   []flitsAhead
	countAt int // length of ahead at which those of past cycles are counted
}

// flitsAhead are flits that an engine reported before their cycle.
type flitsAhead struct {
	link         router.Link
	from, cycles int64
}

// minAhead is the least length of ahead at which the flits of past cycles are counted.
const minAhead = 1 << 12

// newChannelBins returns empty bins for a number of channels.
func newChannelBins(links int, now func() int64) *channelBins {
	return &channelBins{links: links, now: now, countAt: minAhead}
}

// Carried implements router.Recorder.
func (b *channelBins) Carried(l router.Link, from, cycles int64) {
	if from+cycles <= b.now() {
		b.count(l, from, cycles)
		return
	}
	if n := len(b.ahead); n > 0 && b.ahead[n-1].link == l &&
		b.ahead[n-1].from+b.ahead[n-1].cycles == from { // the next flit of a packet
		b.ahead[n-1].cycles += cycles
		return
	}
	if b.ahead = append(b.ahead, flitsAhead{l, from, cycles}); len(b.ahead) < b.countAt {
		return
	}
	kept := b.ahead[:0]
	for _, f := range b.ahead {
		if f.from+f.cycles <= b.now() {
			b.count(f.link, f.from, f.cycles)
		} else {
			kept = append(kept, f)
		}
	}
	b.ahead, b.countAt = kept, max(minAhead, 2*len(kept))
}

// countAhead counts the flits ahead up to the end of the run.
func (b *channelBins) countAhead(end int64) {
	for _, f := range b.ahead {
		if cycles := min(f.cycles, end-f.from); cycles > 0 {
			b.count(f.link, f.from, cycles)
		}
	}
	b.ahead = nil
}

// count adds the cycles from one on in which a channel carries flits to their bins.
func (b *channelBins) count(l router.Link, from, cycles int64) {
	for until := from + cycles; from < until; {
		bin := from >> b.shift
		if bin >= seriesBins {
			b.double()
			continue
		}
		end := min(until, (bin+1)<<b.shift)
		i := int(bin)*b.links + int(l)
		if n := (int(bin) + 1) * b.links; n > len(b.busy) {
			b.busy = append(b.busy, make([]uint32, n-len(b.busy))...)
		}
		b.busy[i] = addBusy(b.busy[i], uint64(end-from))
		from = end
	}
}

// double joins each two bins to one of twice the width.
func (b *channelBins) double() {
	bins := len(b.busy) / b.links
	for bin := range bins {
		from, to := b.busy[bin*b.links:][:b.links], b.busy[bin/2*b.links:][:b.links]
		if bin%2 == 0 {
			copy(to, from)
			continue
		}
		for l := range to {
			to[l] = addBusy(to[l], uint64(from[l]))
		}
	}
	b.busy = b.busy[:(bins+1)/2*b.links]
	b.shift++
}

// addBusy adds busy cycles to a count. It panics on an overflow: a channel that is busy for 2^32
// cycles of one bin takes minutes of simulation.
func addBusy(count uint32, more uint64) uint32 {
	sum := uint64(count) + more
	if sum > math.MaxUint32 {
		panic("metrics: a channel is busy for more than 2^32 cycles of one bin of series.csv")
	}
	return uint32(sum)
}

// widen makes bins at least 1 << shift cycles wide.
func (b *channelBins) widen(shift uint) {
	for b.shift < shift {
		b.double()
	}
}

// busyIn returns the cycles in which each channel was busy in a bin, nil if no flit reached the
// bin.
func (b *channelBins) busyIn(bin int) []uint32 {
	if (bin+1)*b.links > len(b.busy) {
		return nil
	}
	return b.busy[bin*b.links:][:b.links]
}

// binsOf returns the width of the bins of a run that ends in a cycle, as a power of two, and their
// number, at most seriesBins.
func binsOf(end scheduler.Cycle) (shift uint, bins int) {
	for end > seriesBins<<shift {
		shift++
	}
	return shift, int((end + 1<<shift - 1) >> shift)
}

// pairSeries samples the states of the chosen queue pairs at the beginning of each bin of
// series.csv. Nobody knows the length of a run in advance. So it samples each cycle first, and
// where a sample would lie behind the last bin, it drops every other one and doubles the period.
type pairSeries struct {
	net     *netsim.Network
	pairs   []watchedPair
	alphas  bool // the control has an alpha
	shift   uint // the period is 1 << shift cycles
	samples []pairSample
	last    netsim.Cycle // of the last samples
}

// watchedPair is a chosen pair with its nodes.
type watchedPair struct {
	config.SeriesPair
	known    bool // the nodes are: of ranks, while the job runs
	from, to topology.Node
	before   int64 // notifications before the job began
}

// pairSample is the state of a pair at the beginning of a bin. Samples have the order of the bins,
// and of the pairs in a bin.
type pairSample struct {
	known bool
	state netsim.PairState
}

// newPairSeries begins to sample pairs of a network, nil without any.
func newPairSeries(list []config.SeriesPair, net *netsim.Network) *pairSeries {
	if len(list) == 0 || net == nil {
		return nil
	}
	s := &pairSeries{net: net}
	_, s.alphas = net.Config().Congestion.(*netsim.DCQCN)
	for _, p := range list {
		w := watchedPair{SeriesPair: p}
		if p.Job == config.NoJob {
			w.watch(net, topology.Node(p.From), topology.Node(p.To))
		}
		s.pairs = append(s.pairs, w)
	}
	net.Sample(s.take)
	return s
}

// watch begins to count the notifications of the pair on two nodes.
func (w *watchedPair) watch(net *netsim.Network, from, to topology.Node) {
	now, _ := net.PairState(from, to)
	w.known, w.from, w.to, w.before = true, from, to, now.Notifications
}

// began notes that a job begins, with the nodes of its ranks.
func (s *pairSeries) began(id scheduler.JobID, nodes []topology.Node) {
	for i := range s.pairs {
		w := &s.pairs[i]
		if w.Job != id || max(w.From, w.To) >= len(nodes) {
			continue
		}
		w.watch(s.net, nodes[w.From], nodes[w.To])
		if s.last == s.net.Now() { // the job runs in the cycle that was sampled
			s.samples[len(s.samples)-len(s.pairs)+i] = s.sample(w)
		}
	}
}

// ended notes that a job ends.
func (s *pairSeries) ended(id scheduler.JobID) {
	for i := range s.pairs {
		if w := &s.pairs[i]; w.Job == id {
			w.known = false
		}
	}
}

// take samples the pairs in a cycle and returns that of the next sample.
func (s *pairSeries) take(now netsim.Cycle) (next netsim.Cycle) {
	if now>>s.shift > seriesBins {
		s.double()
	}
	if now&(1<<s.shift-1) == 0 {
		for i := range s.pairs {
			s.samples = append(s.samples, s.sample(&s.pairs[i]))
		}
		s.last = now
	}
	return (now>>s.shift + 1) << s.shift
}

// sample returns the state of a pair now.
func (s *pairSeries) sample(w *watchedPair) (k pairSample) {
	if k.known = w.known; k.known {
		k.state, _ = s.net.PairState(w.from, w.to)
		k.state.Notifications -= w.before
	}
	return k
}

// double drops every other sample.
func (s *pairSeries) double() {
	n := len(s.pairs)
	kept := s.samples[:0]
	for i := 0; i < len(s.samples); i += 2 * n {
		kept = append(kept, s.samples[i:i+n]...)
	}
	s.samples = kept
	s.shift++
}

// PairState is the state of a chosen pair at the beginning of a bin.
type PairState struct {
	Pair string
	// Known reports whether the pair has nodes then: a pair of ranks while its job runs.
	Known bool
	netsim.PairState
	alphas bool // the congestion control has an alpha
}

// states returns the states of the pairs at the beginning of a bin. Bins are 1 << shift cycles
// wide.
func (s *pairSeries) states(bin int, shift uint) []*PairState {
	first, list := bin<<(shift-s.shift)*len(s.pairs), make([]*PairState, len(s.pairs))
	for k := range list {
		list[k] = &PairState{Pair: s.pairs[k].String(), alphas: s.alphas}
		if i := first + k; i < len(s.samples) {
			list[k].Known, list[k].PairState = s.samples[i].known, s.samples[i].state
		}
	}
	return list
}
