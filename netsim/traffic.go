package netsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/router/topology"
)

// Traffic is a synthetic open-loop load on a bare network. Every node creates messages regardless
// of the state of the network; the time between two messages of a node is drawn from the geometric
// distribution (a Bernoulli trial a cycle).
type Traffic struct {
	// Destination draws the destination of a message of node n. A destination
	// of n itself means that the node is silent, unless Self is set.
	Destination func(n topology.Node, rng *rand.Rand) topology.Node
	// Load is the offered load in flits per node and cycle, the mean over all nodes.
	Load float64
	// Rates are the loads of the nodes in units of Load, with a mean of 1. nil means equal loads.
	Rates []float64
	// Flits is the length of a message.
	Flits int32
	// Lengths, if set, are the lengths of messages in place of Flits: each message draws
	// one. The index of its length is the User of the message.
	Lengths []Length
	// Bursts, if set, lets nodes create messages in bursts only.
	Bursts Bursts
	// Self lets nodes send messages to themselves, through their routers.
	Self bool

	// Count, if set, counts the messages created in its cycles.
	Count Window

	rng     *rand.Rand
	nodes   int64     // number of nodes
	dues    dues      // their next messages
	scale   float64   // ln(1 - p) for a message with probability p a cycle; 0 where p is 1
	scales  []float64 // the same of each node, with Rates
	classes []float64 // cumulated shares of Lengths, if there are several
	periods *periods  // of nodes that create messages in bursts
}

// Window counts the messages sent from cycle From to before cycle Until.
type Window struct {
	From, Until Cycle   // the first cycle that counts, and the first after the window
	N           int64   // messages sent
	ByLength    []int64 // the same for each of Traffic.Lengths; empty without them
	ByFlow      Flows   // flits sent; nil if they do not count
}

// Flows are the flits from one node to another.
type Flows map[[2]topology.Node]int64

// Start draws the time of every node's first message. Check must accept the traffic.
func (t *Traffic) Start(nodes int, rng *rand.Rand) {
	t.rng, t.dues, t.scale, t.nodes = rng, nil, logOfMiss(t.probability()), int64(nodes)
	t.scales, t.classes, t.periods = nil, nil, nil
	for _, rate := range t.Rates {
		t.scales = append(t.scales, logOfMiss(t.probability()*rate))
	}
	if t.Lengths != nil {
		t.Count.ByLength = make([]int64, len(t.Lengths))
		var shares []float64
		for _, l := range t.Lengths {
			shares = append(shares, l.Share)
		}
		t.classes, _ = cumulated(shares)
	}
	if t.Bursts.Cycles > 0 {
		t.periods = newPeriods(t.Bursts, nodes, rng)
	}
	for n := range topology.Node(nodes) {
		if t.Load > 0 && (t.Rates == nil || t.Rates[n] > 0) {
			t.dues = append(t.dues, (t.gap(n)-1)*t.nodes+int64(n))
		}
	}
	for i := len(t.dues)/2 - 1; i >= 0; i-- {
		t.dues.sink(i)
	}
}

// MeanFlits returns the mean length of a message in flits.
func (t *Traffic) MeanFlits() float64 {
	if t.Lengths == nil {
		return float64(t.Flits)
	}
	sum, weight := 0.0, 0.0
	for _, l := range t.Lengths {
		sum, weight = sum+l.Share*float64(l.Flits), weight+l.Share
	}
	return sum / weight
}

// probability returns the probability that a node with the mean load creates a message in a cycle,
// or in a cycle of a burst.
func (t *Traffic) probability() float64 {
	p := t.Load / t.MeanFlits()
	if t.Bursts.Cycles > 0 {
		p /= t.Bursts.Share
	}
	return p
}

// logOfMiss returns the argument of geometric for a probability p: ln(1 - p), and 0 if p is 1 or
// more.
func logOfMiss(p float64) float64 {
	if p < 1 {
		return math.Log1p(-p)
	}
	return 0
}

// geometric draws the number of trials up to the first success, capped at a number of cycles longer
// than any run.
func geometric(logOfMiss float64, rng *rand.Rand) Cycle {
	if logOfMiss == 0 {
		return 1
	}
	return 1 + Cycle(min(1<<40, math.Log1p(-rng.Float64())/logOfMiss))
}

// gap draws the time between two messages of a node.
func (t *Traffic) gap(n topology.Node) Cycle {
	scale := t.scale
	if t.scales != nil {
		scale = t.scales[n]
	}
	gap := geometric(scale, t.rng)
	if t.periods != nil {
		gap = t.periods.cyclesFor(n, gap, t.rng)
	}
	return min(gap, 1<<38) // no run is as long; dues multiplies it by the number of nodes
}

// Run runs the traffic on network n until a cycle, counted from the start of the traffic at cycle
// 0.
func (t *Traffic) Run(n *Network, until Cycle) error {
	for {
		next, from := until, topology.Node(none)
		if len(t.dues) > 0 {
			next, from = t.dues.first(t.nodes)
			next = min(until, next)
		}
		for n.Now() < next {
			if _, _, err := n.Advance(next); err != nil {
				return err
			}
		}
		if next >= until {
			return nil
		}
		for due := next; due == next; due, from = t.dues.first(t.nodes) {
			if to := t.Destination(from, t.rng); to != from || t.Self {
				t.send(n, from, to)
			}
			t.dues[0] += t.gap(from) * t.nodes
			t.dues.sink(0)
		}
	}
}

// send sends a message now, of a length that it draws if there are several.
func (t *Traffic) send(n *Network, from, to topology.Node) {
	m, class := Message{From: from, To: to, Flits: t.Flits}, 0
	if t.Lengths != nil {
		if len(t.classes) > 1 {
			class = drawShare(t.classes, t.rng)
		}
		m.Flits, m.User = t.Lengths[class].Flits, int32(class)
	}
	n.Send(m)
	if now := n.Now(); now >= t.Count.From && now < t.Count.Until {
		t.Count.N++
		if t.Count.ByFlow != nil {
			t.Count.ByFlow[[2]topology.Node{from, to}] += int64(m.Flits)
		}
		if t.Lengths != nil {
			t.Count.ByLength[class]++
		}
	}
}

// dues is a heap of the next messages of all nodes that send: the first is due first, and of
// several in one cycle that of the lowest node. An entry is the cycle, times the number of nodes,
// plus the node.
type dues []int64

// first returns the cycle and the node of the first message, of a number of nodes.
func (d dues) first(nodes int64) (Cycle, topology.Node) {
	return d[0] / nodes, topology.Node(d[0] % nodes)
}

// sink moves an entry behind those that come before it.
func (d dues) sink(i int) {
	k := d[i]
	for {
		below := 2*i + 1
		if below+1 < len(d) { // the lower one, without a branch
			below += int(uint64(d[below+1]-d[below]) >> 63)
		}
		if below >= len(d) || d[below] >= k {
			d[i] = k
			return
		}
		d[i], i = d[below], below
	}
}

// Bursts lets every node create messages in periods only, independently of other nodes.
// A node is a Markov chain of two states: in each cycle of a burst it creates a message
// with the same probability, between bursts it creates none, and the lengths of both kinds
// of periods are geometric (Dally and Towles 2004, sec. 24.2: a Markov modulated
// process; injection_process on_off of BookSim 2). The mean load is the same as without
// bursts. The zero value means no bursts.
type Bursts struct {
	// Cycles is the mean length of a burst in cycles, at least 1; 0 means no bursts.
	Cycles float64
	// Share is the share of time in bursts, above 0 and below 1.
	Share float64
}

// Length is one of several lengths of messages.
type Length struct {
	// Flits is the length, at least 1.
	Flits int32
	// Share is the weight of the length among messages, above 0: a message has the length with a
	// probability of Share over the sum of all shares.
	Share float64
}

// minBurstMessages is the minimum mean number of messages of a node in a burst. The bursts between
// two messages are drawn one by one.
const minBurstMessages = 1e-6

// Check returns an error if sources cannot create the traffic: its lengths, bursts and load.
func (t *Traffic) Check() error {
	if t.Lengths == nil && t.Flits < 1 {
		return fmt.Errorf("messages of %d flits: give at least 1", t.Flits)
	}
	for i, l := range t.Lengths {
		if l.Flits < 1 || !(l.Share > 0) {
			return fmt.Errorf("messages of %d flits with the weight %v: give at least 1 flit and a weight "+
				"above 0", l.Flits, l.Share)
		}
		if slices.ContainsFunc(t.Lengths[:i], func(o Length) bool { return o.Flits == l.Flits }) {
			return fmt.Errorf("messages of %d flits occur twice", l.Flits)
		}
	}
	p := t.probability()
	if b := t.Bursts; b.Cycles != 0 {
		if err := b.check(); err != nil {
			return err
		}
		if t.Load > 0 && p*b.Cycles < minBurstMessages {
			return fmt.Errorf("the load %.4g has %.2g messages of a node in a burst: take longer bursts or "+
				"a greater load, so that there are %v", t.Load, p*b.Cycles, minBurstMessages)
		}
	}
	if highest := t.MaxLoad(); t.Load > highest {
		return fmt.Errorf("the load %.4g needs more than a message a cycle of a node: give at most %.4g",
			t.Load, highest)
	}
	return nil
}

// MaxLoad returns the maximum load that the sources can offer, in flits per node and cycle: a
// message of a node in each cycle, within bursts.
func (t *Traffic) MaxLoad() float64 {
	load := t.MeanFlits()
	if t.Bursts.Cycles > 0 {
		load *= t.Bursts.Share
	}
	if t.Rates != nil {
		load /= slices.Max(t.Rates)
	}
	return load
}

// check returns an error if no source has such bursts.
func (b Bursts) check() error {
	switch {
	case !(b.Cycles >= 1) || !(b.Share > 0 && b.Share < 1):
		return fmt.Errorf("bursts of %v cycles in %v of the time: give at least 1 cycle, and a share "+
			"above 0 and below 1", b.Cycles, b.Share)
	case b.Cycles*(1-b.Share)/b.Share < 1:
		return fmt.Errorf("bursts of %v cycles in %v of the time have pauses of less than a cycle: take "+
			"longer bursts, or a share of at most %.3g", b.Cycles, b.Share, b.Cycles/(b.Cycles+1))
	}
	return nil
}

// periods is the state of the bursts and pauses of all nodes.
type periods struct {
	end   float64 // logOfMiss of the probability that a burst ends in a cycle
	begin float64 // logOfMiss of the probability that a burst begins in a cycle
	left  []Cycle // by node: cycles left of its burst, or of the next one
}

// newPeriods draws the state of the nodes at the start. A node is in a burst with the probability
// of the share of time in bursts. The rest of a period has the distribution of a whole one.
func newPeriods(b Bursts, nodes int, rng *rand.Rand) *periods {
	p := &periods{end: logOfMiss(1 / b.Cycles),
		begin: logOfMiss(b.Share / (1 - b.Share) / b.Cycles), left: make([]Cycle, nodes)}
	for n := range p.left {
		if rng.Float64() < b.Share {
			p.left[n] = geometric(p.end, rng)
		}
	}
	return p
}

// cyclesFor returns the number of cycles in which node n spends the given number on in bursts.
func (p *periods) cyclesFor(n topology.Node, on Cycle, rng *rand.Rand) (cycles Cycle) {
	for on > p.left[n] {
		on -= p.left[n]
		cycles += p.left[n] + geometric(p.begin, rng)
		p.left[n] = geometric(p.end, rng)
		if cycles > 1<<40 { // beyond the end of any run
			return cycles
		}
	}
	p.left[n] -= on
	return cycles + on
}

// cumulated returns the sum of the weights up to each, divided by the sum of all, and the sum of
// all.
func cumulated(weights []float64) (sums []float64, sum float64) {
	for _, w := range weights {
		sum += w
		sums = append(sums, sum)
	}
	for i := range sums {
		sums[i] /= sum
	}
	return sums, sum
}

// drawShare draws an index with the probabilities of cumulated shares, of which the last is 1.
func drawShare(cumulated []float64, rng *rand.Rand) int {
	i, found := slices.BinarySearch(cumulated, rng.Float64())
	if found { // the draw belongs to the share that begins there
		i++
	}
	return min(i, len(cumulated)-1)
}
