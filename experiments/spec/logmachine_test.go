package spec

import (
	"testing"

	"contend/experiments/spec/machine"
)

// Where neither a key nor a log says how large the machine is, it has 256
// nodes, and a run of it is the same run as one whose key says so.
func TestMachineWithoutALog(t *testing.T) {
	for topology, want := range map[string]int{"mesh": 256, "torus": 256, "hypercube": 256} {
		m := DefaultSpec().Machine
		m.Topology = topology
		built, err := machine.New(&m)
		if err != nil || built.Nodes() != want {
			t.Errorf("%s: %v, %v", topology, built.Nodes(), err)
		}
	}
	given := DefaultSpec()
	given.Machine.Dims = []int{16, 16}
	if def := DefaultSpec(); given.Hash() != def.Hash() {
		t.Error("[16, 16] is another run than the default")
	}
	given.Machine.Dims = []int{16, 15}
	if def := DefaultSpec(); given.Hash() == def.Hash() {
		t.Error("[16, 15] is the same run as the default")
	}
}
