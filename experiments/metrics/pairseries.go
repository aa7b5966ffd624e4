package metrics

import (
	"contend/experiments/config"
	"contend/netsim"
	"contend/router/topology"
	"contend/scheduler"
)

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
