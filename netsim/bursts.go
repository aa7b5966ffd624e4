package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/router/topology"
)

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

// periods has the bursts and pauses of all nodes.
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

// cyclesFor returns the number of cycles until node n has spent on cycles in bursts.
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
