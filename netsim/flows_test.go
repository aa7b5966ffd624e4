package netsim

import (
	"fmt"
	"math"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// flowWays collects the links of packets, by their numbers.
type flowWays struct {
	w    *router.Wiring
	ways map[int64]string
}

func (f *flowWays) Sent(_ int64, c router.Channel, packet int64, index int32, _ int64) {
	if index == 0 {
		f.ways[packet] += fmt.Sprintf(" %d", f.w.LinkOf(c))
	}
}

// All packets of a flow take one path, in every engine, and flows between the same nodes take
// several.
func TestPacketsOfAFlowTakeOnePath(t *testing.T) {
	const messages, packets = 24, 3
	for _, engine := range []string{"cycle", "worm"} {
		for _, perPair := range []int{1, 4, FlowPerMessage} {
			c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{2, 2, 3}, Parents: []int{2}}))
			c.Routing, c.Engine, c.FlowsPerPair, c.RoutingSeed = "ecmp", engine, perPair, 7
			c.FlitByFlit = true
			n := must.Have(New(c))
			f := &flowWays{n.Wiring(), map[int64]string{}}
			n.Trace(f)
			for range messages {
				n.Send(Message{From: 0, To: 11, Flits: int32(packets * c.PacketFlits)})
			}
			drain(t, n)
			paths := map[string]bool{}
			for i := range messages {
				flow := i
				if perPair > 0 {
					flow %= perPair
				}
				for k := range packets {
					way, first := f.ways[int64(i*packets+k)], f.ways[int64(flow*packets)]
					if way != first || way == "" {
						t.Fatalf("%s, %d flows: packet %d of message %d takes%s, its flow%s", engine,
							perPair, k, i, way, first)
					}
					paths[way] = true
				}
			}
			want := map[int][2]int{1: {1, 1}, 4: {2, 4}, FlowPerMessage: {4, 4}}[perPair]
			if k := len(paths); k < want[0] || k > want[1] {
				t.Errorf("%s: %d flows take %d paths, want %d to %d", engine, perPair, k, want[0], want[1])
			}
		}
	}
}

// meanMaximum returns the mean of the most balls in a bin when each of so many balls is thrown
// into one of some bins: the chance that no bin has more than k is n!/m^n times the coefficient of
// x^n in (1 + x + x^2/2! + ... + x^k/k!)^m.
func meanMaximum(balls, bins int) (mean float64) {
	for most := range balls {
		power := make([]float64, balls+1) // the coefficients of the power so far
		power[0] = 1
		for range bins {
			next := make([]float64, balls+1)
			for n := range next {
				factorial := 1.0
				for j := 0; j <= min(n, most); j++ {
					factorial *= max(1, float64(j))
					next[n] += power[n-j] / factorial
				}
			}
			power = next
		}
		chance := power[balls]
		for i := range balls {
			chance *= float64(i+1) / float64(bins)
		}
		mean += 1 - chance
	}
	return mean
}

// Flows of a permutation on a fat tree of two levels fall on the links up of their switch as balls
// into bins: the busiest link of 16 has 3.08 flows of 16 on average. More flows between two nodes
// spread their messages, but do not make all links alike.
func TestFlowsCollideAsBallsInBins(t *testing.T) {
	for _, k := range []struct {
		perPair, messages int
		want              string // of flows on the busiest link
	}{{1, 1, "3.08"}, {1, 4, "3.08"}, {4, 4, "7.88"}, {FlowPerMessage, 4, "7.88"}} {
		flows := 1
		if k.perPair != 1 {
			flows = k.messages
		}
		want := meanMaximum(16*flows, 16)
		if got := fmt.Sprintf("%.2f", want); got != k.want {
			t.Errorf("%d balls in 16 bins: a mean maximum of %s, want %s", 16*flows, got, k.want)
		}
		var sum, squares, samples float64
		for seed := range uint64(20) {
			c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{16, 16}}))
			c.Routing, c.FlowsPerPair, c.RoutingSeed = "ecmp", k.perPair, seed
			n := must.Have(New(c))
			for range k.messages {
				for i := range topology.Node(256) {
					n.Send(Message{From: i, To: (i + 16) % 256, Flits: 2})
				}
			}
			drain(t, n)
			most := map[topology.Router]int64{}
			for l := range router.Link(n.Wiring().Links()) {
				if from, _ := n.Wiring().Ends(l); n.Wiring().Kind(l) == router.Network && from.Router < 16 {
					most[from.Router] = max(most[from.Router], n.Usage(l).Flits)
				}
			}
			for _, flits := range most {
				x := float64(flits) / 2 / float64(k.messages/flows)
				sum, squares, samples = sum+x, squares+x*x, samples+1
			}
		}
		mean := sum / samples
		off := math.Sqrt((squares/samples - mean*mean) / samples)
		if samples != 320 || math.Abs(mean-want) > 3*off {
			t.Errorf("%+v: %v leaves have %.3f ± %.3f flows on their busiest link, want %.3f", k, samples,
				mean, off, want)
		}
	}
}
