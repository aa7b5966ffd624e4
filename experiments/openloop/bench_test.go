package openloop

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/experiments/spec/spectest"
)

// shortBench measures an 8x8 mesh for a fixed number of cycles, so that all
// but times and memory is the same in every run.
// meshes are machines of those sides.
func meshes(dims ...[]int) []machine.Spec {
	var list []machine.Spec
	for _, d := range dims {
		m := spec.DefaultSpec().Machine
		m.Dims = d
		list = append(list, m)
	}
	return list
}

func shortBench() BenchConfig {
	return BenchConfig{Spec: spec.DefaultSpec(), Machines: meshes([]int{8, 8}), Packets: []int{8},
		Loads: []float64{0.1, 1}, sliceCycles: 4000}
}

func mustBench(t *testing.T, c BenchConfig) []BenchRow {
	t.Helper()
	rows, err := RunBench((&cosim.Simulator{}), t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestBenchEnginesCarryTheSame(t *testing.T) {
	c := shortBench()
	c.Packets = []int{8, 63, 64} // with and without the closed form
	rows := mustBench(t, c)
	if len(rows) != 12 {
		t.Fatalf("%d rows, want 12", len(rows))
	}
	for i := 0; i < len(rows); i += 2 {
		a, b := rows[i], rows[i+1]
		if a.Engine != "cycle" || b.Engine != "worm" {
			t.Fatalf("row %d is of %s and the next of %s", i, a.Engine, b.Engine)
		}
		if a.FlitHops != b.FlitHops || a.Cycles != b.Cycles || a.Saturation != b.Saturation ||
			a.Cycles != benchSlices*c.sliceCycles {
			t.Errorf("the engines differ:\n%+v\n%+v", a, b)
		}
		for _, r := range []BenchRow{a, b} {
			if math.Abs(r.NsPerFlitHop*r.FlitHopsPerSecond-1e9) > 1 ||
				!(r.NsPerFlitHop > 0.01 && r.NsPerFlitHop < 1e6) {
				t.Errorf("speeds of %+v", r)
			}
			if perRouter := r.PeakBytes / 64; perRouter < 100 || perRouter > 1<<16 {
				t.Errorf("%d bytes a router in %+v", perRouter, r)
			}
		}
	}
}

// Far below saturation all that is offered arrives. Two nodes of an 8x8 mesh
// that are not the same are 16/3 channels apart in the mean, and there are two
// more to inject and eject a flit.
func TestBenchFlitHopsAreThoseOfTheLoad(t *testing.T) {
	c := shortBench()
	c.Loads, c.sliceCycles = []float64{0.5}, 20000
	for _, r := range mustBench(t, c) {
		want := r.Load * r.Saturation * 64 * (16.0/3 + 2)
		if got := float64(r.FlitHops) / float64(r.Cycles); math.Abs(got/want-1) > 0.03 {
			t.Errorf("%s: %.2f flit-hops a cycle, want %.2f", r.Engine, got, want)
		}
	}
}

func TestBenchFindsSaturation(t *testing.T) {
	for _, k := range []struct {
		side, flits int
		low, high   float64
	}{
		{8, 8, 0.12, 0.15},
		{16, 8, 0.055, 0.065}, // the bisection is half as wide
	} {
		plan := spec.DefaultSpec()
		plan.Machine.Dims, plan.Network.PacketFlits, plan.Job.Flits = []int{k.side, k.side},
			k.flits, k.flits
		s := &cosim.Simulator{}
		x, err := saturation(s, t.Context(), spectest.Plan(t, plan))
		if err != nil {
			t.Fatal(err)
		}
		if x < k.low || x > k.high {
			t.Errorf("%dx%d with packets of %d flits saturates at %.4f flits per node and cycle, "+
				"want %g to %g", k.side, k.side, k.flits, x, k.low, k.high)
		}
		// It does not depend on the engine.
		plan.Network.Engine = "cycle"
		if y, err := saturation(s, t.Context(), spectest.Plan(t, plan)); err != nil || y != x {
			t.Errorf("asked for again: %v, %v, want %v", y, err, x)
		}
	}
}

// A ring of two nodes saturates at what a link can carry: a node's injection
// channel takes a packet's flits one by one, F cycles apart.
func TestBenchSaturationOfTwoNodes(t *testing.T) {
	plan := spec.DefaultSpec()
	plan.Machine.Dims, plan.Network.BufferFlits, plan.Network.FlitCycles,
		plan.Network.PacketFlits = []int{2}, 8, 4, 8
	x, err := saturation((&cosim.Simulator{}), t.Context(), spectest.Plan(t, plan))
	if err != nil {
		t.Fatal(err)
	}
	if x > 0.25 || x < 0.22 {
		t.Errorf("saturates at %.4f, want at most and nearly 1/4", x)
	}
}

// Engines that are not exact are left out; a network that is none is an error.
func TestBenchRefusesWhatIsNot(t *testing.T) {
	c := shortBench()
	c.Loads, c.sliceCycles = []float64{0.5}, 500
	c.Machines = meshes([]int{4, 4})
	c.Machines[0].Topology = "torus"
	if rows := mustBench(t, c); len(rows) != 1 || rows[0].Engine != "cycle" {
		t.Errorf("a torus: %+v", rows)
	}
	c = shortBench()
	c.Packets = []int{64}
	c.Spec.Network.Switching, c.Spec.Network.BufferFlits = "virtual-cut-through", 8
	if _, err := RunBench((&cosim.Simulator{}), t.Context(), c); !isInput(err,
		"network.buffer_flits") {
		t.Errorf("packets that do not fit: %v", err)
	}
	c.Machines, c.Packets = meshes([]int{1}), []int{8}
	if _, err := RunBench((&cosim.Simulator{}), t.Context(), c); !isInput(err, "machine.dims") {
		t.Errorf("a machine of one node: %v", err)
	}
}

func isInput(err error, key string) bool {
	var bad *input.Error
	return errors.As(err, &bad) && bad.Key == key
}

func TestBenchTables(t *testing.T) {
	rows := []BenchRow{
		{Topology: "mesh", Dims: "8x8", PacketFlits: 8, BufferFlits: 2, Load: 0.5, Saturation: 0.14,
			Engine:       "cycle",
			NsPerFlitHop: 12.34567, FlitHopsPerSecond: 81e6, PeakBytes: 123456},
		{Topology: "torus", Dims: "4x4x4", PacketFlits: 64, BufferFlits: 16, Load: 1,
			Saturation: 0.5, Engine: "worm",
			NsPerFlitHop: 0.5, FlitHopsPerSecond: 2e9, PeakBytes: 999},
	}
	want := "| topology | dims  | engine | packet flits | buffer flits | load of saturation " +
		"| flits/node/cycle | ns/flit-hop | flit-hops/s | memory |\n" +
		"| -------- | ----- | ------ | -----------: | -----------: | -----------------: " +
		"| ---------------: | ----------: | ----------: | -----: |\n" +
		"| mesh     | 8x8   | cycle  |            8 |            2 |                0.5 " +
		"|           0.0700 |        12.3 |      81.0 M | 123 kB |\n" +
		"| torus    | 4x4x4 | worm   |           64 |           16 |                  1 " +
		"|            0.500 |       0.500 |      2.00 G |  999 B |\n"
	if diff := cmp.Diff(want, BenchTable(rows)); diff != "" {
		t.Error(diff)
	}
}
