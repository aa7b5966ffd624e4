package doctor

import (
	"contend/allocation"
	"contend/allocation/byname"
	"contend/experiments"
	"contend/experiments/cosim"
	"contend/netsim"
	"contend/netsim/reference"
)

// Parts has the parts that the checks compare. Tests replace each by a broken one
// to see the check fail.
type Parts struct {
	// ZeroLoad returns the latency of a packet alone on a network, in cycles.
	ZeroLoad func(c netsim.Config, hops, flits int) netsim.Cycle
	// Plainly runs the plain reference model.
	Plainly func(reference.Scenario) (reference.Run, error)
	// PacketCycles returns the sum over cycles of the number of packets in a
	// network from the sum of their times in it (Little's law).
	PacketCycles func(times int64) int64
	// Wait returns the mean wait in cycles for one channel that many nodes share.
	Wait func(load float64, flits, nodes int) float64
	// Allocator makes an allocator.
	Allocator func(byname.Config, allocation.Site) (allocation.Allocator, error)
	// LeastSum returns the least sum of distances by exhaustion.
	LeastSum func(distances [][]int, size int) int
	// FCFS and EASY are the plain policies.
	FCFS, EASY Rule
	// Printed returns the number that a paper printed.
	Printed func(float64) float64
	// Simulator returns a function that makes the runs of studies.
	Simulator func() experiments.RunFunc
}

// Sound returns the correct parts.
func Sound() Parts {
	return Parts{
		ZeroLoad:     netsim.Config.ZeroLoadLatency,
		Plainly:      reference.Scenario.Plainly,
		PacketCycles: func(times int64) int64 { return times },
		Wait:         waitOfOneChannel,
		Allocator:    byname.NewAt,
		LeastSum:     leastSum,
		FCFS:         plainFCFS,
		EASY:         plainEASY,
		Printed:      func(x float64) float64 { return x },
		Simulator:    func() experiments.RunFunc { return (&cosim.Simulator{}).Run },
	}
}

// Checks lists all checks.
func (p Parts) Checks() []Check {
	return []Check{
		{"zero-load latency", p.zeroLoad},
		{"engines", p.engines},
		{"conservation", p.conservation},
		{"queueing", p.queueing},
		{"allocators", p.allocators},
		{"least distances", p.leastDistances},
		{"queue", p.queue},
		{"Bender et al. 2005", p.benderFigure2},
		{"Lo et al. 1994", p.loTable1},
		{"workers", p.workers},
	}
}
