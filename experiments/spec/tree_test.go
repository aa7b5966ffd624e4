package spec_test

import (
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/machine"
	"contend/experiments/spec/spectest"
)

func TestMachinesThatCannotBe(t *testing.T) {
	for _, k := range []struct {
		change func(*machine.Spec)
		want   string
	}{
		{func(m *machine.Spec) {}, ""},
		{func(m *machine.Spec) { m.Topology = "tree" }, ""},
		{func(m *machine.Spec) {
			*m = spectest.Tree().Machine
			m.Nodes, m.UpPorts = 60, []int{2, 4}
		}, ""},
		{func(m *machine.Spec) { m.Topology, m.Nodes = "tree", 257 }, "has room for 1 to 256"},
		{func(m *machine.Spec) { m.Topology, m.UpPorts = "tree", []int{5} }, "1 to 4 ports up"},
		{func(m *machine.Spec) { m.Topology, m.UpPorts = "tree", []int{4, 4} },
			"or 3, one for each level but the top one"},
		{func(m *machine.Spec) { m.Topology, m.Levels = "tree", 24 }, "at most 16777216 nodes"},
	} {
		m, got := spec.DefaultSpec().Machine, ""
		k.change(&m)
		if _, err := machine.New(&m); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, k.want) || (k.want == "") != (got == "") {
			t.Errorf("%+v: %q, want %q", m, got, k.want)
		}
	}
}

// New keys at their defaults leave the hashes of old results as they were.
func TestTreeKeysKeepHashes(t *testing.T) {
	s := spec.DefaultSpec()
	if text := s.Canonical(); text != "" {
		t.Errorf("the defaults have a canonical text: %q", text)
	}
	tree := spectest.Tree()
	if text := tree.Canonical(); !strings.Contains(text, "machine.levels = 3\n") ||
		strings.Contains(text, "arity") {
		t.Errorf("a 4-ary 3-tree is\n%s", text)
	}
}
