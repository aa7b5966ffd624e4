package cli

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/study"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// netFlags are the flags of contend net.
type netFlags struct {
	run               runFlags
	loads, traffic    string
	topology, booksim string
	lenient, matrix   bool
	channelMap        bool
	warmup, cycles    string
	replications      string
}

// netLong is the help text of contend net.
const netLong = `Measure latency against offered load of a bare network under open-loop traffic:
every node creates messages of job.flits flits, whatever becomes of them. This is a study with
workload.source = "traffic"; the flags set its keys, and contend report and contend plot read its
folder. Without a key of [machine] the networks are meshes of 8x8 and 16x16. A network is saturated
if less arrives than is created in the measurement window, by more than 1%, and the 95% interval of
the difference over 20 batches of the window lies above 0. Greater loads are then not run.`

// netCommand returns the command contend net.
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
		"FROM:TO:STEP or a list; with network.cycle also a list of rates of a node such as 5GB/s "+
		"(default from 0.002 up in small steps)")
	flags.StringVar(&f.traffic, "traffic", "", "traffic patterns, separated by commas, with "+
		"parameters as in hotspot:nodes=0/9,share=0.2; contend list traffics has them all (default "+
		"uniform, transpose, bit-complement, neighbour, tornado and hotspot)")
	flags.StringVarP(&f.run.out, "out", "o", filepath.Join("out", "net"), "output folder")
	flags.StringVar(&f.topology, "topology", "", "the network in short, such as mesh:16x16, "+
		"dragonfly:a8h4p4g33, hyperx:8x8:p4 or graph:`FILE`")
	flags.StringVar(&f.booksim, "booksim", "", "take machine, network, traffic and load from a "+
		"configuration of BookSim 2, a `file`; the other flags take precedence")
	flags.BoolVar(&f.lenient, "lenient", false, "go on without the settings of --booksim that have "+
		"no meaning here")
	setFlag(flags, &f.run.sets, "set a key of the study")
	flags.StringArrayVar(&f.run.axes, "axis", nil, "a key with several values, whose curves "+
		"a figure lays over each other; may be repeated: `KEY=V1,V2`")
	flags.StringVar(&f.replications, "replications", "", "measurements of each load (default 1)")
	flags.StringVar(&f.warmup, "warmup", "", "cycles before the measurement window; with "+
		"network.cycle also a `time` such as 20us (default 5000 and 10 messages of each node)")
	flags.StringVar(&f.cycles, "cycles", "", "cycles of the measurement window; with "+
		"network.cycle also a `time` (default 10000 and 40 messages of each node)")
	flags.BoolVar(&f.channelMap, "channel-map", false, "draw the load of each channel on the machine "+
		"too; of one machine, traffic and load")
	flags.BoolVar(&f.matrix, "matrix", false, "measure nothing, and write the network instead: its "+
		"routers, nodes and links as network.anynet")
	workersFlag(flags, &f.run.workers)
	freshFlag(flags, &f.run.fresh)
	forceFlag(flags, &a.force)
	quietFlag(flags, &f.run.quiet)
	return c
}

// net measures a network, or writes it for --matrix.
func (a *app) net(c *cobra.Command, f netFlags) error {
	if err := f.check(c.Flags()); err != nil {
		return err
	}
	f.run.loadsNotGiven = f.loadsNotGiven()
	st, err := a.netStudy(&f)
	if err != nil {
		return err
	}
	if f.matrix {
		return a.netMatrix(st, f.run.out)
	}
	f.run.tables.Lengths, f.run.tables.Failures = st.Base.Workload.Lengths != "", st.Fails()
	return a.runLoaded(c.Context(), st, f.run.out, f.run)
}

// check refuses flags that have no effect beside the others.
func (f *netFlags) check(flags *pflag.FlagSet) error {
	if f.matrix {
		return refuseIdle(flags, []string{"traffic", "loads", "warmup", "cycles", "replications",
			"workers", "channel-map", "axis"}, "with --matrix nothing is measured", "leave out one of them")
	}
	if f.booksim == "" {
		return refuseIdle(flags, []string{"lenient"}, "it acts with --booksim only",
			"give --booksim, or leave it out")
	}
	return nil
}

// dimsPath is the key of the axis of machines in net.toml.
const dimsPath = "machine.dims"

//go:embed net.toml
var netText string

// netStudy returns the study that the flags describe.
func (a *app) netStudy(f *netFlags) (*study.Study, error) {
	st, err := study.Parse("net.toml", netText, a.names)
	if err != nil {
		return nil, err
	}
	sets, err := a.netSets(f)
	if err != nil {
		return nil, err
	}
	ofMachine := func(s string) bool {
		return strings.HasPrefix(s, "machine.") && !strings.HasPrefix(s, string(config.FieldFailures))
	}
	given := slices.Concat(sets, f.run.sets, f.run.axes)
	if f.topology != "" || slices.ContainsFunc(given, ofMachine) {
		st.DropAxis(dimsPath)
	}
	if err := a.setAll(st, sets, nil); err != nil {
		return nil, err
	}
	if err := a.setMachine(st, "--topology", f.topology); err != nil {
		return nil, err
	}
	if err := a.setMeasurement(st, f); err != nil {
		return nil, err
	}
	if err := a.setAll(st, f.run.sets, nil); err != nil {
		return nil, err
	}
	if err := a.setAxes(st, f.run.axes); err != nil {
		return nil, err
	}
	arrangeAxes(st)
	if f.channelMap {
		st.Figures = append(st.Figures, study.Figure{Name: study.ChannelLoadKind,
			Kind: study.ChannelLoadKind})
	}
	if err := a.fitFigures(st); err != nil || f.matrix {
		return st, err
	}
	return st, a.dropImpossible(st)
}

// setMeasurement sets the keys of traffic and of its measurement that flags give.
func (a *app) setMeasurement(st *study.Study, f *netFlags) error {
	loads, err := loadList(f.loads)
	if err != nil {
		return err
	}
	for _, k := range []struct {
		flag, path, text string
		set              func(where, path, text string) error
	}{
		{"traffic", "workload.traffic", f.traffic, st.SetAxisBy},
		{"loads", "workload.traffic_load", loads, st.SetAxisBy},
		{"warmup", "workload.warmup_cycles", f.warmup, st.SetBy},
		{"cycles", "workload.window_cycles", f.cycles, st.SetBy},
		{"replications", "runs.replications", f.replications, st.SetBy},
	} {
		if k.text == "" {
			continue
		}
		if err := k.set(fmt.Sprintf("--%s %s", k.flag, k.text), k.path, k.text); err != nil {
			return err
		}
	}
	return nil
}

// arrangeAxes puts the axis of loads last. Figures then have a line for each value of the axis
// before it, and a panel for each combination of the others; sizes of the machine are always
// panels.
func arrangeAxes(st *study.Study) {
	loads := st.AxisOf(string(config.FieldTrafficLoad))
	if loads < 0 {
		return
	}
	others := slices.Delete(slices.Clone(st.Axes), loads, loads+1)
	st.Axes = append(others, st.Axes[loads])
	var lines, panels []string
	for _, x := range others {
		if x.Key == dimsPath {
			panels = append(panels, x.Key)
		} else {
			lines = append(lines, x.Key)
		}
	}
	series := ""
	if last := len(lines) - 1; last >= 0 {
		series, panels = lines[last], append(panels, lines[:last]...)
	}
	for i := range st.Figures {
		st.Figures[i].Series, st.Figures[i].Panels = series, panels
	}
}
