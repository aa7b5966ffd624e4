package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"contend/experiments"

	"github.com/spf13/cobra"
)

// netFlags are the flags of contend net.
type netFlags struct {
	loads, traffic, out string
	sets                []string
	replications        int
	warmup, cycles      int64
	workers             int
}

func (a *app) netCommand() *cobra.Command {
	var f netFlags
	c := &cobra.Command{
		Use: "net", Short: "Latency against offered load of a bare network", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.net(c, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.loads, "loads", "0.02:0.40:0.02", "offered loads in flits per node and cycle, FROM:TO:STEP or a list")
	flags.StringVar(&f.traffic, "traffic", "uniform", "uniform, transpose, bit-complement, neighbour, tornado, hotspot")
	flags.StringVarP(&f.out, "out", "o", "", "folder for net.csv and the figure (default: the rows to standard output)")
	flags.StringArrayVar(&f.sets, "set", nil, "`KEY=VALUE` of [machine], [network], job.flits or runs.seed; may be repeated")
	flags.IntVar(&f.replications, "replications", 1, "measurements of every load")
	flags.Int64Var(&f.warmup, "warmup", 10000, "cycles before measuring begins")
	flags.Int64Var(&f.cycles, "cycles", 20000, "cycles in which created packets count")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "measurements made at the same time")
	return c
}

func (a *app) net(c *cobra.Command, f netFlags) error {
	loads, err := experiments.ParseLoads(f.loads)
	if err != nil {
		return err
	}
	if f.replications < 1 || f.warmup < 0 || f.cycles < 1 {
		return &experiments.InputError{Problem: "a measurement of nothing", Right: "give --replications and --cycles of at least 1 and --warmup of at least 0"}
	}
	st := experiments.Study{Base: experiments.DefaultSpec()}
	for _, s := range f.sets {
		if err := assignment("--set", s, func(key, value string) error { return st.Set(key, value, a.names) }); err != nil {
			return err
		}
	}
	if err := st.Base.Check(); err != nil {
		return err
	}
	sweep := experiments.NetSweep{Spec: st.Base, Traffic: f.traffic, Loads: loads, Replications: f.replications,
		Warmup: f.warmup, Measured: f.cycles, Workers: f.workers}
	result, err := sweep.Run(c.Context(), experiments.RunNet)
	if err != nil {
		return err
	}
	if f.out == "" {
		return result.WriteCSV(a.stdout)
	}
	if err := result.WriteFiles(f.out); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "Results are in %s\n", f.out)
	return nil
}
