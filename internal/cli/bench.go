package cli

import (
	"fmt"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/openloop"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/experiments/study"

	"github.com/spf13/cobra"
)

// benchFlags are the flags of contend bench.
type benchFlags struct {
	sets    []string
	seconds float64
	quiet   bool
}

const benchLong = `Measure how fast this computer moves flits, on bare networks under uniform
traffic and in one thread. A flit-hop is one flit sent over one channel, injection and ejection
included. The saturation load of a network is measured first, then the speed at a tenth of it, at
half of it and at all of it, with each engine that is exact for the network. Without --set
machine.KEY the networks are meshes of 8x8, 16x16 and 64x64 and a 4-ary 4-tree; without --set
network.packet_flits=N packets have 8 and 64 flits. A message is one packet. All engines give the
same results. Memory is that of the network and of the messages in its source queues.`

func (a *app) benchCommand() *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use: "bench", Short: "Measure how fast this computer moves flits",
		Long: benchLong,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.bench(c, f) },
	}
	flags := c.Flags()
	setFlag(flags, &f.sets, "set a key of [machine] or [network]")
	flags.Float64Var(&f.seconds, "seconds", 0.3, "seconds to measure each row for, after a warm-up")
	quietFlag(flags, &f.quiet)
	return c
}

func (a *app) bench(c *cobra.Command, f benchFlags) error {
	config, err := a.benchConfig(f)
	if err != nil {
		return err
	}
	progress, stop := a.progress("rows", !f.quiet)
	config.Progress = counted(progress)
	rows, err := openloop.RunBench((&cosim.Simulator{}), c.Context(), config)
	stop()
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(a.stdout, openloop.BenchTable(rows))
	return err
}

// benchMachines are the machines that contend bench measures by default.
func benchMachines() []machine.Spec {
	var list []machine.Spec
	for _, side := range []int{8, 16, 64} {
		m := spec.DefaultSpec().Machine
		m.Dims = []int{side, side}
		list = append(list, m)
	}
	tree := spec.DefaultSpec().Machine
	tree.Topology, tree.Arity, tree.Levels = "tree", 4, 4
	return append(list, tree)
}

// benchConfig turns flags into the configuration of the benchmark.
func (a *app) benchConfig(f benchFlags) (openloop.BenchConfig, error) {
	c := openloop.BenchConfig{Machines: benchMachines(), Packets: []int{8, 64},
		Loads: []float64{0.1, 0.5, 1}, Seconds: f.seconds}
	if !(f.seconds > 0 && f.seconds <= 3600) {
		return c, &input.Error{Where: fmt.Sprintf("--seconds %v", f.seconds),
			Problem: "there is no time to measure", Right: "give a number above 0 and at most 3600"}
	}
	st := study.Study{Base: spec.DefaultSpec()}
	for _, s := range f.sets {
		if err := assignment("--set", s, func(key, value string) error {
			return a.benchSet(&st, &c, key, value)
		}); err != nil {
			return c, err
		}
	}
	if err := st.CheckNet(); err != nil {
		return c, err
	}
	c.Spec = st.Base
	return c, nil
}

// benchSet sets one key. One of the machine is about that machine alone, and
// one that sets the packet length about that length.
func (a *app) benchSet(st *study.Study, c *openloop.BenchConfig, key, value string) error {
	if err := st.Set(key, value, a.names); err != nil {
		return err
	}
	bad := input.Error{Where: "--set " + key + "=" + value}
	switch section, _, _ := strings.Cut(key, "."); {
	case key == "network.engine":
		bad.Problem, bad.Right = "each engine is measured apart", "leave it out"
		return &bad
	case section == "machine":
		c.Machines = nil
	case section != "network":
		bad.Problem, bad.Right = "a bare network has no jobs", "give keys of [machine] and [network]"
		return &bad
	case key == "network.packet_flits" || key == "network.preset":
		c.Packets = nil
	}
	return nil
}
