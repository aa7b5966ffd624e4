package experiments

import (
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/study"
)

func TestMachineShortForms(t *testing.T) {
	for short, want := range map[string]string{
		"mesh":         "",
		"mesh:8x4":     "machine.dims = [8, 4]\n",
		"torus:8x8x4":  "machine.topology = \"torus\"\nmachine.dims = [8, 8, 4]\n",
		"hypercube:6":  "machine.topology = \"hypercube\"\nmachine.dims = [6]\n",
		"tree:3x2":     "machine.topology = \"tree\"\nmachine.arity = 3\nmachine.levels = 2\n",
		"tree":         "machine.topology = \"tree\"\n",
		"mesh:100":     "machine.dims = [100]\n",
		"mesh:2x2x2x2": "machine.dims = [2, 2, 2, 2]\n",
		"mesh:16x16":   "",
		"tree:4x4":     "machine.topology = \"tree\"\n",
	} {
		st := study.Study{Base: spec.DefaultSpec()}
		err := st.SetMachine("--machine", short, spec.BuiltinNames())
		if err != nil {
			t.Errorf("%s: %v", short, err)
		} else if got := st.Base.Canonical(); got != want {
			t.Errorf("%s sets %q, want %q", short, got, want)
		}
	}
}

func TestBadMachineShortForms(t *testing.T) {
	for short, want := range map[string]string{
		"mash:3": `did you mean "mesh"?`,
		"mesh:": `"" is not the size of a mesh: give the routers along each ` +
			`dimension, such as mesh:16x16`,
		"mesh:4x":   `"4x" is not the size of a mesh`,
		"mesh:4x-1": "is not the size of a mesh",
		"torus:0x4": `"0x4" is not the size of a torus: give the routers along each ` +
			`dimension, such as torus:16x16`,
		"hypercube:2x2": `"2x2" is not the size of a hypercube: give the number of ` +
			`dimensions, such as hypercube:6`,
		"tree:4": `"4" is not the size of a tree: give arity and levels, such as ` +
			`tree:4x4`,
		"tree:1x3":                  "machine.arity is 1",
		"mesh:99999999999999999999": "is not the size of a mesh",
	} {
		st := study.Study{Base: spec.DefaultSpec()}
		err := st.SetMachine("--machine", short, spec.BuiltinNames())
		if err == nil || !strings.HasPrefix(err.Error(), "--machine "+short+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", short, err, want)
		}
	}
}
