package netsim

import (
	"math"
	"math/rand/v2"

	"contend/router/topology"
)

// Traffic is a synthetic open-loop load on a bare network. Every node creates messages, whatever
// becomes of them; the time between two messages of a node is drawn from the geometric distribution
// (a Bernoulli trial a cycle).
type Traffic struct {
	// Destination draws the destination of a message of node n. A destination
	// of n itself means that the node is silent, unless Self is set.
	Destination func(n topology.Node, rng *rand.Rand) topology.Node
	// Load is the offered load in flits per node and cycle, the mean over all nodes.
	Load float64
	// Rates are the loads of the nodes in units of Load, with a mean of 1. The value nil
	// means that all nodes have the same load.
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
	dues    dues      // the nodes' next messages
	scale   float64   // ln(1 - p) for a message with probability p a cycle; 0 where p is 1
	scales  []float64 // the same of each node, with Rates
	classes []float64 // cumulated shares of Lengths, if there are several
	periods *periods  // of nodes that create messages in bursts
}

// Window counts the messages sent from cycle From to before cycle Until.
type Window struct {
	From, Until Cycle   // the first cycle that counts, and the first after it that does not
	N           int64   // messages sent
	ByLength    []int64 // the same for each of Traffic.Lengths; empty without them
	ByFlow      Flows   // flits sent; nil if they do not count
}

// Flows are the flits from one node to another.
type Flows map[[2]topology.Node]int64

// Start prepares the first message of every node. Check says what it needs.
func (t *Traffic) Start(nodes int, rng *rand.Rand) {
	t.rng, t.dues, t.scale = rng, nil, logOfMiss(t.probability())
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
			t.dues = append(t.dues, due{t.gap(n) - 1, n})
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

// geometric draws the number of trials up to the first that succeeds, at most a number beyond the
// end of any run.
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
	return gap
}

// Run runs the traffic on network n until a cycle, counted from the start of the traffic at cycle
// 0.
func (t *Traffic) Run(n *Network, until Cycle) error {
	for {
		next := until
		if len(t.dues) > 0 {
			next = min(until, t.dues[0].cycle)
		}
		for n.Now() < next {
			if _, _, err := n.Advance(next); err != nil {
				return err
			}
		}
		if next >= until {
			return nil
		}
		for t.dues[0].cycle == next {
			from := t.dues[0].node
			if to := t.Destination(from, t.rng); to != from || t.Self {
				t.send(n, from, to)
			}
			t.dues.putOff(t.gap(from))
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
