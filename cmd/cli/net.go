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

const netLong = `Measure latency against offered load of a bare network under open-loop traffic:
every node creates messages of job.flits flits, whatever becomes of them. This is a study with
workload.source = "traffic"; the flags set its keys, and contend report and contend plot read its
folder. Without a key of [machine] the networks are meshes of 8x8 and 16x16. A network is saturated
if less arrives than is created in the measurement window, by more than 1%, and the 95% interval of
the difference over 20 batches of the window lies above 0. Greater loads are then not run.`

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
	flags.StringVar(&f.replications, "replications", "1", "measurements of each load")
	flags.StringVar(&f.warmup, "warmup", "0", "cycles before the measurement window; 0: 5000 and "+
		"10 messages of each node; with network.cycle also a `time` such as 20us")
	flags.StringVar(&f.cycles, "cycles", "0", "cycles of the measurement window; 0: 10000 and 40 "+
		"messages of each node; with network.cycle also a `time`")
	flags.BoolVar(&f.channelMap, "channel-map", false, "draw the load of each channel on the machine "+
		"too; of one machine, traffic and load")
	flags.BoolVar(&f.matrix, "matrix", false, "measure nothing, and write the network instead: its "+
		"routers, nodes and links as network.anynet")
	defineWorkers(flags, &f.run.workers, "runs at the same time")
	freshFlag(flags, &f.run.fresh)
	quietFlag(flags, &f.run.quiet)
	return c
}

func (a *app) net(c *cobra.Command, f netFlags) error {
	if err := f.check(c.Flags()); err != nil {
		return err
	}
	st, err := a.netStudy(c.Flags(), &f)
	if err != nil {
		return err
	}
	if f.matrix {
		return a.netMatrix(st, f.run.out)
	}
	f.run.tables.Lengths = st.Base.Workload.Lengths != ""
	return a.runLoaded(c.Context(), st, f.run.out, f.run)
}

// check refuses flags that do not act.
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

// dimsPath is the key of the axis of machines.
const dimsPath = "machine.dims"

//go:embed net.toml
var netText string

// netStudy returns the study that the flags describe.
func (a *app) netStudy(flags *pflag.FlagSet, f *netFlags) (*study.Study, error) {
	st, err := study.Parse("net.toml", netText, a.names)
	if err != nil {
		return nil, err
	}
	sets, err := a.netSets(flags, f)
	if err != nil {
		return nil, err
	}
	if err := a.setAll(st, sets, nil); err != nil {
		return nil, err
	}
	if err := a.setMachine(st, "--topology", f.topology); err != nil {
		return nil, err
	}
	if err := a.setMeasurement(st, flags, f); err != nil {
		return nil, err
	}
	if f.channelMap {
		st.Figures = append(st.Figures, study.Figure{Name: study.ChannelLoadKind,
			Kind: study.ChannelLoadKind})
	}
	named := func(s string) bool { return strings.HasPrefix(s, "machine.") }
	if f.topology != "" || slices.ContainsFunc(slices.Concat(sets, f.run.sets, f.run.axes), named) {
		st.DropAxis(dimsPath)
	}
	if err := a.setAll(st, f.run.sets, nil); err != nil {
		return nil, err
	}
	if err := a.setAxes(st, f.run.axes); err != nil {
		return nil, err
	}
	arrange(st)
	if err := a.fitFigures(st); err != nil || f.matrix {
		return st, err
	}
	return st, a.offered(st)
}

// arrange puts the axis of loads last, has figures lay the curves of the last other axis but that
// of machines over each other, and gives them a panel for each value of the rest.
func arrange(st *study.Study) {
	loads := st.AxisOf(string(config.FieldTrafficLoad))
	if loads < 0 {
		return
	}
	st.Axes = append(slices.Delete(slices.Clone(st.Axes), loads, loads+1), st.Axes[loads])
	var panels []string
	series := ""
	for _, x := range st.Axes[:len(st.Axes)-1] {
		if x.Key != dimsPath && series != "" {
			panels = append(panels, series)
		}
		if x.Key == dimsPath {
			panels = append(panels, x.Key)
		} else {
			series = x.Key
		}
	}
	for i := range st.Figures {
		if f := &st.Figures[i]; f.X != "" {
			f.Series, f.Panels = series, panels
		}
	}
}

// setMeasurement sets what the flags that are given say of traffic and its measurement.
func (a *app) setMeasurement(st *study.Study, flags *pflag.FlagSet, f *netFlags) error {
	for _, k := range []struct {
		flag, path, text string
		axis             bool
	}{
		{"traffic", "workload.traffic", f.traffic, true},
		{"loads", "workload.traffic_load", f.loads, true},
		{"warmup", "workload.warmup_cycles", f.warmup, false},
		{"cycles", "workload.window_cycles", f.cycles, false},
		{"replications", "runs.replications", f.replications, false},
	} {
		where, set := fmt.Sprintf("--%s %s", k.flag, k.text), st.SetBy
		if k.axis {
			set = st.SetAxisBy
		}
		if k.text == "" || !k.axis && !flags.Changed(k.flag) {
			continue
		}
		if k.flag == "loads" {
			text, err := loadList(k.text)
			if err != nil {
				return err
			}
			k.text = text
		}
		if err := set(where, k.path, k.text, a.names); err != nil {
			return err
		}
	}
	return nil
}
