package openloop

import (
	"slices"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// A load given twice is one load, and traffic given twice is refused: its two curves would
// count as replications of one.
func TestNetInputOccursOnce(t *testing.T) {
	loads, err := ParseLoads("0.2,0.1,0.2")
	if err != nil || !slices.Equal(loads, []float64{0.1, 0.2}) {
		t.Errorf("loads are %v, %v", loads, err)
	}
	s := spec.DefaultSpec()
	s.Machine.Dims = []int{4, 4}
	_, _, err = RunNet(&cosim.Simulator{}, t.Context(), NetConfig{Spec: s, Loads: loads,
		Traffic: []string{"uniform", "hotspot", "uniform"}, Workers: 1})
	spectest.MustBeInput(t, err)
	if !strings.Contains(err.Error(), `traffic "uniform" occurs twice: name each once`) {
		t.Errorf("got %v", err)
	}
}
