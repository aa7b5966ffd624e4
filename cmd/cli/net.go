package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/sim"

	"contend/experiments/config"
	"contend/experiments/openloop"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// netFlags are the flags of contend net.
type netFlags struct {
	loads, traffic, out string
	channelMap          string
	topology, booksim   string
	lenient, matrix     bool
	sets, axes          []string
	warmup, cycles      string
	replications        int
	workers             int
	quiet               bool
}

const netLong = `Measure latency against offered load of a bare network under open-loop traffic:
every node creates messages of job.flits flits, whatever becomes of them. Without --set
machine.KEY the networks are meshes of 8x8 and 16x16. The table has the latency at the lowest
load, the latency of the same messages each alone on the network, the greatest accepted load, and
the first load at which the network is saturated. A network is saturated if less arrives than is
created in the measurement window, by more than 1%, and the 95% interval of the difference over 20
batches of the window lies above 0. A curve ends there.`

func (a *app) netCommand() *cobra.Command {
	var f netFlags
	c := &cobra.Command{
		Use: "net", Short: "Measure latency against offered load of a bare network",
		Long: netLong,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.net(c, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.loads, "loads", "", "offered loads in flits per node and cycle, "+
		"FROM:TO:STEP or a list; "+
		"with network.cycle also rates of a node such as 5GB/s; "+
		"a curve ends where it saturates (default from 0.002 up in small steps)")
	flags.StringVar(&f.traffic, "traffic", strings.Join(openloop.UsualTraffic(), ","),
		"traffic patterns, separated by commas, with parameters as in hotspot:nodes=0/9,share=0.2; "+
			"contend list traffics has them all")
	flags.StringVarP(&f.out, "out", "o", filepath.Join("out", "net"),
		"folder for net.csv and the figures")
	flags.StringVar(&f.topology, "topology", "", "the network in short, such as mesh:16x16, "+
		"dragonfly:a8h4p4g33, hyperx:8x8:p4 or graph:`FILE`")
	flags.StringVar(&f.booksim, "booksim", "", "take machine, network, traffic and load from a "+
		"configuration of BookSim 2, a `file`; the other flags take precedence")
	flags.BoolVar(&f.lenient, "lenient", false, "go on without the settings of --booksim that have "+
		"no meaning here")
	setFlag(flags, &f.sets, "set a key of [machine] or [network], job.flits, runs.seed, or "+
		"workload.message_lengths, burst_cycles, burst_share or self_messages")
	flags.StringArrayVar(&f.axes, "axis", nil, "a key of [network] with several values, whose curves "+
		"a figure lays over each other: `KEY=V1,V2`")
	flags.IntVar(&f.replications, "replications", 1, "measurements of each load")
	flags.StringVar(&f.warmup, "warmup", "0", "cycles before the measurement window; 0: 5000 and "+
		"10 messages of each node; with network.cycle also a `time` such as 20us")
	flags.StringVar(&f.cycles, "cycles", "0", "cycles of the measurement window; 0: 10000 and 40 "+
		"messages of each node; with network.cycle also a `time`")
	flags.StringVar(&f.channelMap, "channel-map", "", "draw the load of each channel on the machine "+
		"into a `FILE`.svg, .png or .pdf, with the numbers as CSV beside it; of one machine, traffic "+
		"and load")
	flags.BoolVar(&f.matrix, "matrix", false, "measure nothing, and write the network instead: its "+
		"routers, nodes and links as network.anynet")
	defineWorkers(flags, &f.workers, "curves at the same time")
	quietFlag(flags, &f.quiet)
	return c
}

func (a *app) net(c *cobra.Command, f netFlags) error {
	if err := f.check(c.Flags()); err != nil {
		return err
	}
	st := study.Study{Base: config.DefaultSpec()}
	st.Base.Workload.Source = "traffic"
	dims := [][]int{{8, 8}, {16, 16}}
	sets, err := a.netSets(c, &f)
	if err != nil {
		return err
	}
	given := func(key, _ string) error {
		if strings.HasPrefix(key, "machine.") {
			dims = nil
		}
		return nil
	}
	if err := a.setAll(&st, sets, given); err != nil {
		return err
	}
	if err := a.setMachine(&st, "--topology", f.topology); err != nil {
		return err
	}
	if f.topology != "" {
		dims = nil
	}
	if err := a.setAll(&st, f.sets, given); err != nil {
		return err
	}
	axis, err := a.netAxis(&st, f.axes)
	if err != nil {
		return err
	}
	points, err := st.CheckNet(a.names)
	if err != nil {
		return err
	}
	config := openloop.NetConfig{Spec: st.Base, Networks: networks(points, dims), Axis: axis,
		Traffic: openloop.SplitTraffic(f.traffic), Replications: f.replications, Workers: f.workers}
	if f.matrix {
		return a.netMatrix(&config, f)
	}
	if slices.ContainsFunc(f.sets, func(s string) bool {
		return strings.HasPrefix(s, "workload.self_messages=")
	}) {
		if err := config.CheckSelf(); err != nil {
			return err
		}
	}
	if err := a.netTimes(&config, f); err != nil {
		return err
	}
	if f.channelMap != "" {
		if err := config.CheckMap(f.channelMap); err != nil {
			return err
		}
		config.Channels = true
	}
	progress, stop := a.progress("curves", !f.quiet)
	config.Progress = counted(progress)
	measured, notes, err := openloop.RunNet(&sim.Simulator{AtOnce: f.workers}, c.Context(), config)
	stop()
	if err != nil {
		return err
	}
	a.notes(notes)
	if err := openloop.WriteNet(f.out, measured); err != nil {
		return err
	}
	if err := writeChannelMap(f.channelMap, &config, measured); err != nil {
		return err
	}
	fmt.Fprint(a.stdout, openloop.NetTable(measured), "\n")
	fmt.Fprintf(a.stdout, "Results are in %s\n", f.out)
	return nil
}

// netAxis gives a study its axis, and returns the key.
func (a *app) netAxis(st *study.Study, axes []string) (axis string, err error) {
	if len(axes) > 1 {
		return "", &input.Error{Where: "--axis " + axes[1], Problem: "there are several axes",
			Right: "give one"}
	}
	for _, text := range axes {
		err = assignment("--axis", text, func(key, values string) error {
			if axis = key; !strings.HasPrefix(key, "network.") {
				return &input.Error{Where: "--axis " + text, Problem: key + " is no key of [network]",
					Right: "give one, such as --axis network.routing=dimension-order,valiant"}
			}
			return st.SetAxis(key, values, a.names)
		})
	}
	return axis, err
}

// networks returns those of the points on each of the machines, or on theirs.
func networks(points []study.Point, dims [][]int) (list []openloop.Network) {
	for i := range max(1, len(dims)) {
		for _, p := range points {
			n := openloop.Network{Spec: p.Spec, Value: strings.Join(p.Labels, "")}
			if dims != nil {
				n.Spec.Machine.Dims = dims[i]
			}
			list = append(list, n)
		}
	}
	return list
}

// check refuses flags that do not act, and a measurement of nothing.
func (f *netFlags) check(flags *pflag.FlagSet) error {
	if f.matrix {
		return refuseIdle(flags, []string{"traffic", "loads", "warmup", "cycles", "replications",
			"workers", "channel-map", "axis"}, "with --matrix nothing is measured", "leave out one of them")
	}
	if f.booksim == "" {
		if err := refuseIdle(flags, []string{"lenient"}, "it acts with --booksim only",
			"give --booksim, or leave it out"); err != nil {
			return err
		}
	}
	if f.replications < 1 {
		return &input.Error{Problem: "there is nothing to measure",
			Right: "give --replications of at least 1"}
	}
	return nil
}

// notes writes notes to standard error.
func (a *app) notes(list []string) {
	for _, n := range list {
		fmt.Fprintln(a.stderr, "contend:", n)
	}
}

// netMatrix writes the network itself.
func (a *app) netMatrix(config *openloop.NetConfig, f netFlags) error {
	if err := openloop.WriteMatrix(&sim.Simulator{}, f.out, config); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "The network is in %s\n", filepath.Join(f.out, "network.anynet"))
	return nil
}

// writeChannelMap draws the map that --channel-map asks for, if it does.
func writeChannelMap(file string, c *openloop.NetConfig, points []sim.LoadPoint) error {
	if file == "" || len(points) == 0 {
		return nil
	}
	plan, err := c.Spec.Plan()
	if err != nil {
		return err
	}
	return openloop.WriteChannelMap(file, plan, &points[0])
}

// netTimes reads the flags that may have units: loads, and the lengths of a measurement.
func (a *app) netTimes(c *openloop.NetConfig, f netFlags) error {
	number := func(flag, path, text string) (w *config.WorkloadSpec, _ error) {
		k, _ := config.FindKey(path)
		first := ""
		for _, n := range c.Networks {
			s, err := n.Spec.With(path, text, a.names)
			if err == nil && first != "" && k.Format(s) != first {
				err = input.Bad("", "give it without a unit", "it is another number at each value of the "+
					"axis %s", c.Axis)
			}
			if err != nil {
				return nil, err.By(flag + " " + text)
			}
			w, first = &s.Workload, k.Format(s)
		}
		return w, nil
	}
	w, err := number("--warmup", "workload.warmup_cycles", f.warmup)
	if err != nil {
		return err
	}
	c.Warmup = w.WarmupCycles
	if w, err = number("--cycles", "workload.window_cycles", f.cycles); err != nil {
		return err
	}
	if c.Window, c.Loads = w.WindowCycles, openloop.DefaultLoads(); f.loads == "" {
		return nil
	}
	list := f.loads
	between := func(r rune) bool { return r == ',' || r == ':' }
	for part := range strings.FieldsFuncSeq(f.loads, between) {
		if !strings.ContainsAny(part, "bB") { // a plain number, or none at all
			continue
		}
		w, err := number("--loads", "workload.traffic_load", part)
		if err != nil {
			return err
		}
		list = strings.Replace(list, part, strconv.FormatFloat(w.TrafficLoad, 'g', -1, 64), 1)
	}
	c.Loads, err = openloop.ParseLoads(list)
	return err
}
