package service

import (
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
)

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
		{"", []string{"mc1x1", "best-fit-1d:hilbert"}, `"span_linear":4,`},
		{"row-major", []string{"mc1x1", "best-fit-1d:hilbert"}, `"span_linear":6,`},
		{"hilbert", []string{"mc1x1", "random"}, `"span_linear":4,`},
	} {
		st := study.Study{Base: config.DefaultSpec()}
		if err := st.SetMachine("--machine", "mesh:4x4", config.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
		d := must.Have(NewDecisions((&sim.Simulator{}), DecisionConfig{Spec: st.Base, Allocators: c.allocators,
			Order: c.order}, config.BuiltinNames(), nil))
		got, _ := d.Answer(nil, []byte(`{"free":[0,1,4,5],"size":4}`))
		if strings.Count(string(got), c.want) != 2 {
			t.Errorf("%s %v: %s, want %s twice", c.order, c.allocators, got, c.want)
		}
	}
}
