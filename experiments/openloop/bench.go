package openloop

import (
	"context"
	"fmt"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// BenchConfig configures a benchmark of the engines on this computer: bare
// networks under uniform traffic, at loads relative to saturation.
type BenchConfig struct {
	// Spec has the machine and the network. Each message is one packet.
	Spec spec.Spec
	// Machines replaces the machine of Spec, nil for no change.
	Machines []spec.MachineSpec
	// Packets replaces the packet length of Spec, in flits, nil for no change.
	Packets []int
	// Loads lists offered loads as fractions of the saturation load, above 0 and
	// at most 1. Beyond saturation only the source queues grow.
	Loads []float64
	// Engines lists some of BenchEngines. An engine is left out for a network
	// for which it is not exact.
	Engines []string
	// Seconds is the time of measuring each row, without the warm-up.
	Seconds float64
	// Progress, if not nil, is called after every row.
	Progress func(done, total int)

	// saturations are the loads networks accept, measured once each.
	saturations *cosim.Shared[saturationKey, float64]
	sliceCycles int64 // for tests: the length of a slice, in place of Seconds
}

// BenchEngines lists the engines that a benchmark can measure.
func BenchEngines() []string { return []string{"cycle", "worm"} }

// BenchRow has the measurements of one network at one load with one engine. A
// flit-hop is one flit sent over one channel, injection and ejection included.
// Times are wall-clock times. They differ from run to run, so no result of a
// study may contain them.
type BenchRow struct {
	Topology, Dims string  // the machine
	PacketFlits    int     // flits of a packet
	BufferFlits    int     // flits of an input buffer
	Load           float64 // offered load as a fraction of Saturation
	Saturation     float64 // saturation throughput in flits per node and cycle
	Engine         string  // one of BenchEngines
	// Medians over the slices of the measured time.
	NsPerFlitHop, FlitHopsPerSecond, CyclesPerSecond float64
	// PeakBytes is the memory of the network and its traffic at the end. Their
	// arrays and queues never shrink, so it is the maximum.
	PeakBytes int64
	// FlitHops and Cycles are sums over the slices.
	FlitHops, Cycles int64
}

// benchCase is a row to measure.
type benchCase struct {
	plan *spec.Plan
	load float64
}

// RunBench measures all rows, one at a time and each in one goroutine, so that they do
// not disturb each other. It skips cases that a network does not support; the notes say
// so.
func RunBench(s *cosim.Simulator, ctx context.Context, c BenchConfig) (rows []BenchRow,
	notes []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = input.NewPanicError(p, c.Spec.OwnNetworkParts())
		}
	}()
	cases, notes, err := benchCases(s, &c)
	if err != nil {
		return nil, nil, err
	}
	c.saturations = &cosim.Shared[saturationKey, float64]{}
	for i := range cases {
		row, err := benchRow(s, ctx, &c, &cases[i])
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
		if c.Progress != nil {
			c.Progress(i+1, len(cases))
		}
	}
	return rows, notes, nil
}

// benchCases expands and checks the configuration. It returns an error if nothing
// is left to measure.
func benchCases(s *cosim.Simulator, c *BenchConfig) (cases []benchCase, notes []string, err error) {
	machines, packets := c.Machines, c.Packets
	if len(machines) == 0 {
		machines = []spec.MachineSpec{c.Spec.Machine}
	}
	if len(packets) == 0 {
		packets = []int{c.Spec.Network.PacketFlits}
	}
	var refused *spec.InputError
	for _, m := range machines {
		for _, flits := range packets {
			plan := c.Spec
			plan.Machine, plan.Network.PacketFlits, plan.Job.Flits = m, flits, flits
			if bad := plan.Network.Check(); bad != nil {
				refused = bad
				notes = append(notes, fmt.Sprintf("packets of %d flits are left out on %s: %v",
					flits, sizeText(&m), bad))
				continue
			}
			plans, err := benchNetwork(s, plan, c.Engines)
			if err != nil {
				return nil, nil, err
			}
			if len(plans) < len(c.Engines) {
				refused = spec.BadInput("network.engine", "give --engines cycle",
					"the worm engine is exact with wormhole switching, one virtual channel and one injection "+
						"port only")
				notes = append(notes, fmt.Sprintf("the engine worm is left out on %s with packets of %d "+
					"flits, where it is not exact", sizeText(&m), flits))
			}
			for _, load := range c.Loads {
				for _, p := range plans {
					cases = append(cases, benchCase{p, load})
				}
			}
		}
	}
	if len(cases) == 0 && refused != nil {
		return nil, nil, refused
	}
	return cases, notes, nil
}

// sizeText names a machine, such as torus 4x4. The name of one that is not built in says
// its size.
func sizeText(m *spec.MachineSpec) string {
	return strings.TrimSpace(m.Topology + " " + m.Size())
}

// benchNetwork returns the plans of a spec with each of the engines that are exact
// for its network.
func benchNetwork(s *cosim.Simulator, base spec.Spec, engines []string) ([]*spec.Plan, error) {
	if bad := base.CheckMachine(); bad != nil {
		return nil, bad
	}
	base.Network.Engine = autoEngine
	plan, err := base.Plan()
	if err != nil {
		return nil, err
	}
	if plan.Machine.Nodes() < 2 {
		return nil, spec.BadInput("machine.dims", "give at least two nodes",
			"a machine of one node has no traffic")
	}
	if _, err := s.NewNetwork(plan, 0); err != nil {
		return nil, err
	}
	var exact []*spec.Plan
	for _, engine := range engines {
		with := *plan
		with.Network.Engine = engine
		// The network is sound, so what is refused now is the engine.
		if _, err := s.NewNetwork(&with, 0); err == nil {
			exact = append(exact, &with)
		}
	}
	return exact, nil
}

// autoEngine takes the fastest engine that is exact.
const autoEngine = "auto"
