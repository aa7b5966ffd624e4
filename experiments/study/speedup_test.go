package study

import (
	"slices"
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

func TestMachineTexts(t *testing.T) {
	for text, nodes := range map[string]int{"mesh:16x16": 256, "mesh:5": 5, "torus:4x4x4": 64,
		"hypercube:6": 64, "tree:4x3": 64, "tree:4x3:2": 64} {
		if got := spectest.Machine(t, text).Nodes(); got != nodes {
			t.Errorf("%s: %d nodes, want %d", text, got, nodes)
		}
	}
	for _, text := range []string{"", "mesh:", "mesh:4x", "mesh:0x4", "ring:4", "tree:4",
		"tree:4x3:a", "mesh:4x4:2", "hypercube:2x2"} {
		if _, err := spec.MachineKeys(text); err == nil {
			t.Errorf("%q is a machine", text)
		}
	}
}

// The study is one that its own file repeats.
func TestSpeedupIsAStudy(t *testing.T) {
	c := Speedup{Patterns: []string{"npb-cg:S", "ring"}, Machines: []string{"tree:4x3", "mesh:8x8"},
		Background: "idle", Processes: 8, Jobs: 4, Seeds: 3, Seed: 2}
	st, err := c.Study(spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Check(spec.BuiltinNames()); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("spec.toml", st.TOML("test"), spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	a, _ := st.Points(spec.BuiltinNames())
	b, _ := again.Points(spec.BuiltinNames())
	if len(a) != 2*2*5 || len(a) != len(b) {
		t.Fatalf("%d points, then %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Hash != b[i].Hash {
			t.Errorf("%v: another hash", a[i].Labels)
		}
	}
	var names []string
	for _, f := range st.Figures {
		names = append(names, f.Name)
	}
	if want := []string{"relative-tree-4x3", "relative-mesh-8x8", "machines-npb-cg-S",
		"machines-ring"}; !slices.Equal(names, want) {
		t.Errorf("figures %v, want %v", names, want)
	}
	if _, err := (&Speedup{Patterns: []string{"ring"}, Machines: []string{"cube:3"},
		Background: "same", Processes: 8, Jobs: 4, Seeds: 1}).Study(
		spec.BuiltinNames()); err == nil || !strings.Contains(
		err.Error(), `machine.topology is "cube"`) {
		t.Error(err)
	}
}

func TestSpeedupPlacements(t *testing.T) {
	if got := SpeedupPlacements(4); !slices.Equal(got,
		[]string{"contiguous", "away:1", "scattered", "random"}) {
		t.Error(got)
	}
	if got := SpeedupPlacements(16); !slices.Equal(got,
		[]string{"contiguous", "away:2", "away:4", "scattered", "random"}) {
		t.Error(got)
	}
}
