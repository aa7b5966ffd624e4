package netsim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"contend/router/topology"
)

// Flow is an entry of a Matrix: the messages from one node to another.
type Flow struct {
	// From sends to To. Both are the same node for messages to itself.
	From, To topology.Node
	// Weight is proportional to the number of messages, at least 0.
	Weight float64
}

// Matrix has the weights of messages between nodes. A pair occurs at most once; missing pairs have
// the weight 0.
type Matrix []Flow

// onMatrix returns traffic in the proportions of a matrix. It leaves out weights on the diagonal
// unless nodes send to themselves.
func onMatrix(p TrafficPattern, s trafficSite) (Destinations, error) {
	nodes := s.machine.Nodes()
	to, weights := make([][]topology.Node, nodes), make([][]float64, nodes)
	rates := make([]float64, nodes)
	total := 0.0
	for _, f := range p.Matrix {
		if f.From < 0 || f.To < 0 || int(max(f.From, f.To)) >= nodes {
			return Destinations{}, fmt.Errorf("matrix traffic has a weight from node %d to node %d, and "+
				"the machine has the nodes 0 to %d", f.From, f.To, nodes-1)
		}
		if f.Weight > 0 && (s.self || f.From != f.To) {
			total += f.Weight
			to[f.From], weights[f.From] = append(to[f.From], f.To), append(weights[f.From], f.Weight)
		}
	}
	if !(total > 0) {
		return Destinations{}, fmt.Errorf("matrix traffic has no weight above 0 between two nodes")
	}
	if math.IsInf(total, 1) {
		return Destinations{}, fmt.Errorf("matrix traffic has weights whose sum is no number: divide " +
			"all of them by the greatest")
	}
	for n := range nodes {
		weights[n], rates[n] = cumulated(weights[n])
		rates[n] *= float64(nodes) / total
	}
	return Destinations{Rates: rates, To: func(n topology.Node, rng *rand.Rand) topology.Node {
		return to[n][drawShare(weights[n], rng)]
	}}, nil
}
