package netsim_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/internal/processortime"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router/topology"
)

// drawnMessages returns uniform traffic for the network of a reference.Floor: every node creates
// messages of one packet at random until a cycle.
func drawnMessages(flits int, load float64, until netsim.Cycle) (list []reference.Timed) {
	const nodes = 64
	r := rand.New(rand.NewPCG(1, 2))
	for at := range until {
		for from := range topology.Node(nodes) {
			if r.Float64() < load/float64(flits) {
				to := (from + 1 + topology.Node(r.IntN(nodes-1))) % nodes
				list = append(list, reference.Timed{At: at, Message: netsim.Message{From: from, To: to,
					Flits: int32(flits)}})
			}
		}
	}
	return list
}

// The floor measures of each packet what the engine does, below and beyond saturation.
func TestFloorIsExact(t *testing.T) {
	for _, k := range []struct {
		flits int
		load  float64
	}{{8, 0.1}, {8, 0.3}, {8, 0.6}, {1, 0.1}, {1, 0.3}, {1, 0.7}, {3, 0.4}, {20, 0.5}} {
		s := reference.Scenario{Config: must.Have(reference.FloorConfig(k.flits)),
			Messages: drawnMessages(k.flits, k.load, 1000)}
		want := must.Have(s.Simulate()).Packets
		f, flits, got := reference.NewFloor(k.flits), int64(0), []reference.Packet(nil)
		for m := s.Messages; len(got) < len(want) && f.Now < 10_000; got = append(got, f.Step()...) {
			for ; len(m) > 0 && m[0].At == f.Now; m = m[1:] {
				f.Send(m[0].From, m[0].To)
			}
		}
		slices.SortFunc(got, func(a, b reference.Packet) int {
			return cmp.Or(cmp.Compare(a.Injected, b.Injected), cmp.Compare(a.From, b.From))
		})
		for i := range want {
			flits += int64(k.flits * (want[i].Hops + 1))
			want[i].Number, want[i].Hops, want[i].Turn = 0, 0, 0 // the floor does not tell
		}
		if !slices.Equal(got, want) || f.Flits != flits {
			t.Errorf("%d flits, load %v: %d packets and %d flits sent, not as the engine's %d and %d",
				k.flits, k.load, len(got), f.Flits, len(want), flits)
		}
	}
}

// BenchmarkFloor reports the processor time of a flit over a router in a reference.Floor and in the
// engine, which take turns with the same messages, drawn before, and the median of the ratios. A
// packet over h channels between routers passes h + 1 routers; unlike in the other benchmarks the
// injection of its flits does not count.
func BenchmarkFloor(b *testing.B) {
	for _, flits := range []int{8, 1} {
		b.Run(fmt.Sprintf("8x8/V=4/flits=%d/load=0.3", flits), func(b *testing.B) {
			benchFloor(b, flits, 0.3)
		})
	}
}

// benchFloor measures both under messages that come again every 4096 cycles.
func benchFloor(b *testing.B, flits int, load float64) {
	const cycles = 4096
	list := drawnMessages(flits, load, cycles)
	f := reference.NewFloor(flits)
	n := must.Have(netsim.New(must.Have(reference.FloorConfig(flits))))
	var floor, engine, ratios []float64
	for start := netsim.Cycle(0); b.Loop(); start += cycles {
		flits, used := f.Flits, processortime.Used()
		for i := range list {
			for f.Now < start+list[i].At {
				f.Step()
			}
			f.Send(list[i].From, list[i].To)
		}
		between := processortime.Used()
		for i := range list {
			for n.Now() < start+list[i].At {
				if _, _, err := n.Advance(start + list[i].At); err != nil {
					b.Fatal(err)
				}
			}
			n.Send(list[i].Message)
		}
		x, y := between-used, processortime.Used()-between
		floor = append(floor, float64(x)/float64(f.Flits-flits))
		engine = append(engine, float64(y)/float64(f.Flits-flits))
		ratios = append(ratios, float64(y)/float64(x))
	}
	for unit, list := range map[string][]float64{"floor-ns/flit-hop": floor,
		"cpu-ns/flit-hop": engine, "times-floor": ratios} {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], unit)
	}
	b.ReportMetric(0, "ns/op")
}
