package openloop

import (
	"context"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec/spectest"
)

// The latency of a bare tree without load is that of the closed form.
func TestNetOfATree(t *testing.T) {
	s := spectest.Tree()
	s.Machine.UpPorts = []int{2}
	var sim cosim.Simulator
	points, notes, err := RunNet(&sim, context.Background(), NetConfig{Spec: s,
		Traffic: []string{"uniform", "hotspot", "tornado"},
		Loads:   []float64{0.002}, Warmup: 100, Window: 40000, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 2 || len(notes) != 1 ||
		!strings.Contains(notes[0], "tornado traffic needs a mesh") {
		t.Fatalf("%d points, notes %q", len(points), notes)
	}
	for _, p := range points {
		if p.Dims != "4-ary-3-up-2" || p.Latency < p.ZeroLoad || p.Latency > 1.02*p.ZeroLoad {
			t.Errorf("%+v: want about the closed form's latency", p)
		}
	}
}
