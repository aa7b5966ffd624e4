//go:build long

package netfile_test

import (
	"math/rand/v2"
	"testing"
)

// slurm-flat chooses the nodes that slurmctld chooses without a topology, in 500 random states.
func TestLongSlurmFlatIsSlurms(t *testing.T) {
	stream := rand.New(rand.NewPCG(11, 12))
	plugin := "flat"
	if older(slurmVersion(t), 23, 11, 0) {
		plugin = "none"
	}
	const conf = "SwitchName=s Nodes=n[01-60]\n"
	s := startSlurm(t, plugin, conf)
	a := slurmAllocator(t, conf, "slurm-flat")
	if placed := s.compare(a, stream, 500); placed < 400 {
		t.Errorf("only %d jobs were placed", placed)
	}
}
