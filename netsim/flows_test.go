package netsim

import (
	"fmt"
	"maps"
	"math"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
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

// waysOfNode returns the links of the packets of a node, in the order in which it sends them, while
// other nodes send too.
func waysOfNode(t *testing.T, c Config, node topology.Node, others int, again bool) map[int]string {
	t.Helper()
	n := must.Have(New(c))
	f := &flowWays{n.Wiring(), map[int64]string{}}
	n.Trace(f)
	last, own, number := topology.Node(c.Topology.Nodes()-1), map[int]string{}, int64(0)
	send := func(from topology.Node, packets int) {
		n.Send(Message{From: from, To: last - from, Flits: int32(packets * c.PacketFlits)})
		number += int64(packets)
	}
	if again { // a process before it
		send(node, 3)
	}
	n.Begin(node, 77)
	first := map[int]int64{}
	for i := range 12 {
		for k := range others {
			send(node+1+topology.Node(k), 1+k)
		}
		first[i] = number
		send(node, 2)
	}
	drain(t, n)
	for i, k := range first {
		for p := range 2 {
			own[2*i+p] = f.ways[k+int64(p)]
		}
	}
	return own
}

// What a routing draws for a packet depends on its process, its message and its place in that:
// neither on what other nodes send before nor on what another process of the node has sent.
func TestDrawsDependOnTheProcessAlone(t *testing.T) {
	for _, routing := range []string{"random", "ecmp"} {
		for _, perPair := range []int{3, FlowPerMessage} {
			c := Default(fatTree(t, topology.FatTreeConfig{Children: []int{4, 4}, Parents: []int{4}}))
			c.Routing, c.FlowsPerPair = routing, perPair
			c.Engine, c.FlitByFlit = "worm", true
			alone := waysOfNode(t, c, 0, 0, false)
			ways := map[string]bool{}
			for _, way := range alone {
				ways[way] = true
			}
			if len(alone) != 24 || len(ways) < 2 {
				t.Errorf("%s, %d flows: %d packets take %d ways", routing, perPair, len(alone), len(ways))
			}
			for _, k := range []struct {
				others int
				again  bool
			}{{1, false}, {3, false}, {0, true}, {2, true}} {
				if got := waysOfNode(t, c, 0, k.others, k.again); !maps.Equal(got, alone) {
					t.Errorf("%s, %d flows, %+v: ways %v, alone %v", routing, perPair, k, fmt.Sprint(got),
						fmt.Sprint(alone))
				}
			}
		}
	}
}

// aloneIn returns the time of a long message that is alone on a network, and the packets marked.
func aloneIn(t *testing.T, c Config) (time Cycle, marked int64) {
	n := must.Have(New(c))
	advanceTo(t, n, 1_000_000)
	n.Send(Message{From: 1, To: topology.Node(c.Topology.Nodes() - 1), Flits: 3000})
	d := drain(t, n)
	total, _ := n.Congestion()
	return d[0].Delivered - d[0].Created, total.Marked
}

// A flow that is alone takes the time without control, whatever links it crosses: flits on them are
// no queue. What it leaves behind in a router is one flit for each cycle in which a head computes
// its route, where the VCs keep up with the link, and where packets are stored and forwarded one
// packet.
func TestFlowsAloneAreNotHeldBack(t *testing.T) {
	if slow {
		t.Skip("takes minutes with invariants, which other tests of controls check")
	}
	for _, m := range []topology.Topology{tree(t, 4, 1), tree(t, 4, 2), cube(t, false, 4)} {
		for _, link := range []int{1, 40, 200, 781} {
			for _, packet := range []int{1, 16} {
				for k, s := range []router.Switching{router.Wormhole, router.VirtualCutThrough,
					router.StoreAndForward} {
					for _, r := range []int{0, 3} {
						c := Default(m)
						c.LinkCycles, c.CreditCycles, c.PacketFlits = link, link, packet
						c.BufferFlits, c.Switching, c.RoutingCycles = 2*link+2*packet, s, r
						c.VirtualChannels, c.InputSpeedup = 1+r, k
						burst := r
						if s == router.StoreAndForward {
							burst = max(r, packet)
						}
						checkAlone(t, c, burst)
					}
				}
			}
		}
	}
}

// checkAlone checks that no control that marks behind more than a burst holds a flow back.
func checkAlone(t *testing.T, c Config, burst int) {
	t.Helper()
	want, _ := aloneIn(t, c)
	for _, control := range []CongestionControl{nil,
		&DCQCN{MarkFrom: burst, MarkTo: burst, MarkShare: 1, CNPCycles: 90, AlphaCycles: 70,
			TimerCycles: 60, CounterFlits: 150, Gain: 0.2, Recovery: 2, Additive: 0.02, Hyper: 0.05,
			Least: 0.05},
		&IBCCA{MarkFrom: burst, Increase: 2, Limit: 9, TimerCycles: 70, DelayStep: 0.5},
		&Throttle{Outstanding: 1, Senders: 2, Smallest: 1},
	} {
		c.SourceQueues, c.Congestion = QueuePerDestination, control
		if time, marked := aloneIn(t, c); time != want || marked > 0 {
			t.Errorf("%T: links of %d cycles, packets of %d flits, switching %d: %d of them marked, %d "+
				"cycles in place of %d", control, c.LinkCycles, c.PacketFlits, c.Switching, marked, time,
				want)
		}
	}
}

// In every engine a message is reported in the cycle after its last head was sent, each once, in
// the order of cycles; a network without reports has the same packets.
func TestEntries(t *testing.T) {
	for _, engine := range []string{"cycle", "worm", "auto"} {
		var want []router.Arrival
		for _, reports := range []bool{false, true} {
			c := Default(topologytest.Machine(t, "mesh:4x4"))
			c.Engine, c.PacketFlits, c.BufferFlits, c.VirtualChannels = engine, 4, 1, 1
			net := must.Have(New(c))
			if reports {
				net.ReportEntries()
			}
			sent, entered, arrived := map[int32]Cycle{}, map[int32]Cycle{}, []router.Arrival{}
			net.Watch(func(p *router.Arrival) {
				sent[p.User] = max(sent[p.User], p.Injected)
				arrived = append(arrived, *p)
			})
			for i := range int32(48) {
				net.Send(Message{From: topology.Node(i % 16), To: topology.Node(i * 7 % 16), Flits: 1 + i%9,
					User: i})
			}
			for net.Pending() > 0 {
				now, _, err := net.Advance(1 << 20)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range net.Entries() {
					if e.Cycle != now || e.Node != topology.Node(e.User%16) {
						t.Errorf("%s: in cycle %d: %+v", engine, now, e)
					}
					entered[e.User] = e.Cycle
				}
			}
			if !reports {
				want = arrived
				continue
			}
			if len(entered) != 48 || len(arrived) != len(want) {
				t.Errorf("%s: %d messages entered, %d packets arrived, want 48 and %d", engine,
					len(entered), len(arrived), len(want))
			}
			for i := range arrived {
				if arrived[i] != want[i] {
					t.Errorf("%s: packet %+v, without reports %+v", engine, arrived[i], want[i])
				}
			}
			for user, cycle := range sent {
				if entered[user] != cycle+1 {
					t.Errorf("%s: message %d entered in %d, its last head was sent in %d", engine, user,
						entered[user], cycle)
				}
			}
		}
	}
}
