package openloop

import (
	"context"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
)

// BenchConfig configures a benchmark of the engines on this computer: bare
// networks under uniform traffic, at loads relative to saturation.
type BenchConfig struct {
	// Spec has the machine and the network. Each message is one packet.
	Spec spec.Spec
	// Machines replaces the machine of Spec, nil for no change.
	Machines []machine.Spec
	// Packets replaces the packet length of Spec, in flits, nil for no change.
	Packets []int
	// Loads lists offered loads as fractions of the saturation load, above 0 and
	// at most 1. Beyond saturation only the source queues grow.
	Loads []float64
	// Seconds is the time of measuring each row, without the warm-up.
	Seconds float64
	// Progress, if not nil, is called after every row.
	Progress func(done, total int)

	sliceCycles int64 // for tests: the length of a slice, in place of Seconds
}

// benchEngines are measured for every network for which they are exact.
var benchEngines = []string{"cycle", "worm"}

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
	Engine         string  // one of benchEngines
	// Medians over the slices of the measured time.
	NsPerFlitHop, FlitHopsPerSecond float64
	// PeakBytes is the memory of the network and its traffic at the end. Their
	// arrays and queues never shrink, so it is the maximum.
	PeakBytes int64
	// FlitHops and Cycles are sums over the slices.
	FlitHops, Cycles int64
}

// RunBench measures all rows, one at a time and each in one goroutine, so that they do
// not disturb each other.
func RunBench(s *cosim.Simulator, ctx context.Context, c BenchConfig) (rows []BenchRow, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = input.NewPanicError(p)
		}
	}()
	networks, total, err := benchNetworks(s, &c)
	if err != nil {
		return nil, err
	}
	for _, plans := range networks {
		saturated, err := saturation(s, ctx, plans[0])
		if err != nil {
			return nil, err
		}
		for _, load := range c.Loads {
			for _, plan := range plans {
				row, err := benchRow(s, ctx, &c, plan, load, saturated)
				if err != nil {
					return nil, err
				}
				if rows = append(rows, row); c.Progress != nil {
					c.Progress(len(rows), total)
				}
			}
		}
	}
	return rows, nil
}

// benchNetworks expands and checks the configuration: the plans of each network, one for each
// engine, and the number of rows.
func benchNetworks(s *cosim.Simulator, c *BenchConfig) (list [][]*spec.Plan, rows int, err error) {
	machines, packets := c.Machines, c.Packets
	if len(machines) == 0 {
		machines = []machine.Spec{c.Spec.Machine}
	}
	if len(packets) == 0 {
		packets = []int{c.Spec.Network.PacketFlits}
	}
	for _, m := range machines {
		for _, flits := range packets {
			base := c.Spec
			base.Machine, base.Network.PacketFlits, base.Job.Flits = m, flits, flits
			plans, err := benchNetwork(s, base)
			if err != nil {
				return nil, 0, err
			}
			list, rows = append(list, plans), rows+len(plans)*len(c.Loads)
		}
	}
	return list, rows, nil
}

// benchNetwork returns the plans of a spec with each of the engines that are exact
// for its network.
func benchNetwork(s *cosim.Simulator, base spec.Spec) ([]*spec.Plan, error) {
	if bad := base.Network.Check(); bad != nil {
		return nil, bad
	}
	if bad := base.CheckMachine(); bad != nil {
		return nil, bad
	}
	base.Network.Engine = autoEngine
	plan, err := base.Plan()
	if err != nil {
		return nil, err
	}
	if plan.Machine.Nodes() < 2 {
		return nil, noTraffic()
	}
	if _, err := s.NewNetwork(plan, 0); err != nil {
		return nil, err
	}
	var exact []*spec.Plan
	for _, engine := range benchEngines {
		with := *plan
		with.Network.Engine = engine
		// The network is sound, so what is refused now is the engine.
		if _, err := s.NewNetwork(&with, 0); err == nil {
			exact = append(exact, &with)
		}
	}
	return exact, nil
}

// noTraffic refuses a machine of one node.
func noTraffic() error {
	return input.Bad("machine.dims", "give at least two nodes",
		"a machine of one node has no traffic")
}

// autoEngine takes the fastest engine that is exact.
const autoEngine = "auto"
