package study

import (
	"slices"
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
