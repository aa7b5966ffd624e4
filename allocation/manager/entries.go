package manager

import (
	"contend/allocation"
	"contend/internal/call"
	"contend/router/topology"
)

// Allocators returns the registry entries of the allocators that follow Slurm, Kueue and Volcano.
func Allocators() []allocation.Entry {
	blocks := func(name, doc string) call.Parameter {
		return call.Parameter{Name: name, Type: call.Integer, Default: "0", Min: "0", Bare: true,
			Unit: "nodes", Doc: doc}
	}
	list := []allocation.Entry{
		{Name: "slurm-tree", CountDecides: true,
			Doc: "machine of switches, such as topology.conf of Slurm: the best-fitting leaf switches, " +
				"as slurmctld's topology/tree chooses them; slurm-tree:22.05 as before 24.05.3 (SchedMD " +
				"2025)",
			Parameters: []call.Parameter{{Name: "version", Type: call.Word, Bare: true,
				Default: Versions()[0].Name, Choices: allocation.NamesOf(Versions()),
				Doc: "the rule of Slurm since 24.05.3, or the one before"}},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewSlurmTree(s.Machine, v.Word("version"))
			}},
		{Name: "slurm-flat", CountDecides: true, ByHops: true, New: allocation.On(NewSlurmFlat),
			Doc: "the fewest runs of consecutive free nodes, as slurmctld chooses whole nodes without a " +
				"topology: the smallest run that suffices, or the largest and so on (SchedMD 2025)"},
		{Name: "one-switch", Contiguous: true, New: allocation.On(NewOneSwitch),
			Doc: "machine of switches: waits for a switch of the lowest level that can hold the job, " +
				"and takes the one with the fewest free processors (after Slurm's --switches=1, SchedMD " +
				"2025)"},
		{Name: "slurm-block",
			Doc: "machine of switches above base blocks, such as topology.conf of Slurm: the block with " +
				"the fewest free nodes that suffice, as slurmctld's topology/block chooses it; " +
				"slurm-block:16,4 plans with blocks of 16 nodes, for jobs of segments of 4 (SchedMD " +
				"2025)",
			Parameters: []call.Parameter{
				blocks("block_nodes", "the planning size of base blocks, the first of Slurm's BlockSizes; "+
					"0 stands for the number of nodes of the first block"),
				blocks("segment", "the size of segments, as Slurm's --segment, for jobs whose size is a "+
					"multiple of it; 0 stands for none")},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewSlurmBlock(s.Machine, v.Int("block_nodes"), v.Int("segment"))
			}},
		{Name: "volcano-binpack", CountDecides: true, New: allocation.On(NewVolcano),
			Doc: "machine of switches: the fullest switch of the lowest level that can hold the job, " +
				"and below it the nearest leaf switches in order (Volcano, network-topology-aware, 2026)"},
	}
	for _, mode := range KueueModes() {
		list = append(list, allocation.Entry{Name: mode.Name, Doc: mode.Doc, CountDecides: true,
			New: allocation.On(func(m topology.Topology) (*kueue, error) {
				return NewKueue(mode.Name, m)
			})})
	}
	return list
}
