package decide

import (
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/study"
	"contend/internal/must"
)

func TestDecisionsOfBadAllocators(t *testing.T) {
	for _, c := range []struct {
		machine    string
		allocators []string
		order      string
		want       string
	}{
		{"mesh:8x8", []string{"mbs", "mbs"}, "", "--allocator mbs: the same as --allocator mbs"},
		{"mesh:8x8", []string{"paging", "paging:0"}, "", "--allocator paging:0: the same as " +
			"--allocator paging"},
		{"mesh:8x8", []string{"mbs", "mbz"}, "",
			`--allocator mbz: allocator is "mbz": did you mean "mbs"?`},
		{"tree:2x2", []string{"mbs", "random"}, "", "allocator mbs needs a 2D mesh or torus"},
		{"mesh:8x8", []string{"contiguous", "mbs"}, "", "tree"},
		{"mesh:8x8", nil, "spiral", `--order spiral: unknown order "spiral"`},
		{"tree:2x2", []string{"random", "sequential"}, "hilbert",
			"--order hilbert: order hilbert needs a mesh"},
	} {
		st := study.Study{Base: spec.DefaultSpec()}
		if err := st.SetMachine("--machine", c.machine, spec.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
		_, err := New((&cosim.Simulator{}), DecisionConfig{Spec: st.Base, Allocators: c.allocators,
			Order: c.order}, spec.BuiltinNames())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v %s: %v, want %s", c.machine, c.allocators, c.order, err, c.want)
		}
	}
}

// Spans are along the order asked for, else that of an allocator which has one.
func TestSpansFollowAnOrder(t *testing.T) {
	// Of a 4x4 mesh, 0, 1, 4 and 5 are four consecutive nodes of Hilbert's
	// curve, and reach over six of row-major.
	for _, c := range []struct {
		order      string
		allocators []string
		want       string
	}{
		{"", []string{"mc1x1", "random"}, `"span_linear":6,`},
		{"", []string{"mc1x1", "hilbert/best-fit-1d"}, `"span_linear":4,`},
		{"row-major", []string{"mc1x1", "hilbert/best-fit-1d"}, `"span_linear":6,`},
		{"hilbert", []string{"mc1x1", "random"}, `"span_linear":4,`},
	} {
		st := study.Study{Base: spec.DefaultSpec()}
		if err := st.SetMachine("--machine", "mesh:4x4", spec.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
		d := must.Have(New((&cosim.Simulator{}), DecisionConfig{Spec: st.Base, Allocators: c.allocators,
			Order: c.order}, spec.BuiltinNames()))
		got, _ := d.Answer(nil, []byte(`{"free":[0,1,4,5],"size":4}`))
		if strings.Count(string(got), c.want) != 2 {
			t.Errorf("%s %v: %s, want %s twice", c.order, c.allocators, got, c.want)
		}
	}
}
