package metrics

import (
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/netsim"
	"contend/router/topology"
	"contend/scheduler"
)

// crossing is a network of one switch with three nodes, links of one cycle and packets of four
// flits, under a control.
func crossing(t *testing.T, control netsim.CongestionControl) *netsim.Network {
	t.Helper()
	c := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{1}, Concentration: 3})))
	c.PacketFlits, c.BufferFlits, c.RoutingCycles = 4, 8, 0
	c.SourceQueues, c.Congestion = netsim.QueuePerDestination, control
	return must.Have(netsim.New(c))
}

// slow is a control of which one notification reaches each source.
var slow = netsim.DCQCN{MarkShare: 1, CNPCycles: 1 << 40, AlphaCycles: 20, TimerCycles: 10,
	CounterFlits: 1000, Gain: 0.25, Recovery: 5, Additive: 0.001, Hyper: 0.01, Least: 0.01}

// step advances to a cycle.
func step(t *testing.T, n *netsim.Network, until netsim.Cycle) {
	t.Helper()
	for n.Now() < until {
		if _, _, err := n.Advance(until); err != nil {
			t.Fatal(err)
		}
	}
}

// send lets nodes 1 and 2 send flits to node 0.
func send(n *netsim.Network, flits int32) {
	for k := range topology.Node(2) {
		n.Send(netsim.Message{From: k + 1, To: 0, Flits: flits})
	}
}

// The state of a pair by hand: two nodes send to one over links of one cycle. In each cycle two
// flits come to the switch and one leaves. The head of the first packet leaves in cycle 1, with the
// other one behind it, and is marked; the tail arrives in cycle 5, and the notification is back
// after two links more. It halves the rate, and alpha = (1-g)·1 + g stays 1. Then each T = 10
// cycles half of what is missing comes back, and after K = 20 cycles alpha is 1-g.
func TestPairSeriesByHand(t *testing.T) {
	n := crossing(t, &slow)
	s := newPairSeries([]config.SeriesPair{must.Have(config.ParseSeriesPair("1>0")),
		must.Have(config.ParseSeriesPair("0>2"))}, n)
	send(n, 40)
	step(t, n, 60)
	for cycle, want := range map[int][]string{
		0: {"1", "1", "0", "0"}, 1: {"1", "1", "0"}, 2: {"1", "1", "0", "1"},
		3: {"1", "1", "0", "2"}, 6: {"1", "1", "0", "5"}, 7: {"0.5", "1", "1", "6"},
		16: {"0.5", "1", "1"}, 17: {"0.75", "1", "1"}, 26: {"0.75", "1", "1"},
		27: {"0.875", "0.75", "1"}, 37: {"0.9375", "0.75", "1"}, 46: {"0.9375", "0.75", "1"},
		47: {"0.96875", "0.5625", "1"},
	} {
		rows := pairCells(s.states(cycle, 0))
		if got := rows[0]; got[0] != "1>0" || !slices.Equal(got[1:1+len(want)], want) {
			t.Errorf("cycle %d: %q, want %q", cycle, got, want)
		}
		if got := rows[1]; !slices.Equal(got, []string{"0>2", "1", "1", "0", "0"}) {
			t.Errorf("cycle %d: a pair without messages is %q", cycle, got)
		}
	}
}

// pairCells returns the cells of states in the columns about pairs.
func pairCells(states []*PairState) (rows [][]string) {
	list := make([]SeriesRow, len(states))
	for i, p := range states {
		list[i].Pair = p
	}
	for _, row := range configtest.Texts(SeriesTable.Rows(&Records{SeriesRows: list})) {
		rows = append(rows, row[len(row)-len(PairColumns()):])
	}
	return rows
}

// Samples are the states of a run that is read each cycle, whatever its length and whenever it
// begins, and bins of any width have that at their beginning.
func TestPairSeriesAtAnyLength(t *testing.T) {
	list := []config.SeriesPair{must.Have(config.ParseSeriesPair("2>0")),
		must.Have(config.ParseSeriesPair("1>0"))}
	control := slow
	control.CNPCycles, control.MarkTo = 90, 3
	for _, c := range []struct {
		begin netsim.Cycle
		flits int32
	}{{0, 12}, {0, 245}, {0, 256}, {0, 2000}, {700, 1500}, {5000, 300}, {511, 9}, {513, 900},
		{100_000, 3000}} {
		n, each := crossing(t, &control), crossing(t, &control)
		s := newPairSeries(list, n)
		var want []netsim.PairState
		for n.Now() < c.begin {
			step(t, n, c.begin)
		}
		send(n, c.flits)
		for n.Pending() > 0 {
			step(t, n, n.Now()+97)
		}
		end := n.Now()
		for each.Now() <= end {
			if each.Now() == c.begin {
				send(each, c.flits)
			}
			for _, p := range list {
				k, _ := each.PairState(topology.Node(p.From), topology.Node(p.To))
				want = append(want, k)
			}
			step(t, each, each.Now()+1)
		}
		shift, bins := binsOf(scheduler.Cycle(end))
		if bins > seriesBins || s.shift > shift {
			t.Fatalf("%v: %d bins of %d cycles, and samples each %d", c, bins, 1<<shift, 1<<s.shift)
		}
		for bin := range bins {
			for i, p := range s.states(bin, shift) {
				if w := want[bin<<shift*len(list)+i]; p.PairState != w || !p.Known || !p.alphas {
					t.Fatalf("%v: bin %d of %d cycles: %+v, want %+v", c, bin, 1<<shift, p, w)
				}
			}
		}
	}
}

// A run that ends just behind the last bin has all its samples, and the next cycle none too many.
func TestPairSeriesAtTheLastBin(t *testing.T) {
	for _, end := range []netsim.Cycle{1, 511, 512, 513, 1023, 1024, 1025, 1 << 20} {
		n := crossing(t, &slow)
		s := newPairSeries([]config.SeriesPair{must.Have(config.ParseSeriesPair("1>0"))}, n)
		send(n, 12)
		step(t, n, end)
		shift, bins := binsOf(scheduler.Cycle(end))
		if last := s.states(bins-1, max(shift, s.shift))[0]; s.shift > shift || !last.Known {
			t.Errorf("cycle %d: bins of %d cycles, samples each %d, and the last is %+v", end, 1<<shift,
				1<<s.shift, last)
		}
	}
}

// A pair of ranks is that of their nodes while the job runs, and counts notifications from its
// start. Without dcqcn there is no alpha.
func TestPairSeriesOfRanks(t *testing.T) {
	n := crossing(t, &netsim.IBCCA{Increase: 1, Limit: 4, TimerCycles: 10, DelayStep: 1})
	s := newPairSeries([]config.SeriesPair{must.Have(config.ParseSeriesPair("7:1>0"))}, n)
	n.PairState(2, 0) // counts from here
	send(n, 8)
	step(t, n, 30)
	before, _ := n.PairState(2, 0)
	s.began(6, []topology.Node{1, 0})
	s.began(7, []topology.Node{0, 2})
	send(n, 80)
	step(t, n, 100)
	now, _ := n.PairState(2, 0)
	s.ended(7)
	step(t, n, 110)
	for cycle, known := range map[int]bool{0: false, 29: false, 30: true, 99: true, 100: true,
		101: false, 109: false} {
		row := pairCells(s.states(cycle, 0))[0]
		if (row[1] != "") != known || row[2] != "" {
			t.Errorf("cycle %d: %q", cycle, row)
		}
	}
	if got := s.states(30, 0)[0].Notifications; got != 0 {
		t.Errorf("a job begins with %d notifications", got)
	}
	got, want := s.states(100, 0)[0].Notifications, now.Notifications-before.Notifications
	if got != want || want == 0 || before.Notifications == 0 {
		t.Errorf("%d notifications, want %d after %d", got, want, before.Notifications)
	}
}
