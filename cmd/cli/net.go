package cli

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/formats/booksim"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"

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

// netSets returns the assignments that --booksim stands for. It takes traffic and load from the
// configuration where no flag gives them. Settings without a meaning here are an error unless
// --lenient is given.
func (a *app) netSets(f *netFlags) (sets []string, err error) {
	if f.booksim == "" {
		return nil, nil
	}
	b, err := booksim.Read(f.booksim)
	if err != nil {
		return nil, err
	}
	a.notes(b.Lost)
	if len(b.Lost) > 0 && !f.lenient {
		return nil, &input.Error{Where: "--booksim",
			Problem: input.Plural(len(b.Lost), "setting") + " without a meaning here",
			Right:   "change what is listed, or give --lenient to go on without"}
	}
	a.notes(b.Notes)
	for _, k := range b.Keys {
		sets = append(sets, k[0]+"="+k[1])
	}
	f.traffic = cmp.Or(f.traffic, b.Traffic)
	f.loads = cmp.Or(f.loads, strconv.FormatFloat(b.Load, 'g', -1, 64))
	return sets, nil
}

// loadList returns the loads FROM:TO:STEP, both ends included, as a list. It returns other texts
// as they are.
func loadList(text string) (string, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return text, nil
	}
	var x [3]float64
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v >= minStep && v <= 1) {
			return "", badRange(text)
		}
		x[i] = v
	}
	if x[1] < x[0] || (x[1]-x[0])/x[2] > 10000 {
		return "", badRange(text)
	}
	var loads []string
	for i := range int((x[1]-x[0])/x[2]+1e-9) + 1 {
		load := math.Round((x[0]+float64(i)*x[2])/minStep) * minStep // 0.06, not 0.060000000000000005
		loads = append(loads, strconv.FormatFloat(load, 'g', 9, 64))
	}
	return strings.Join(slices.Compact(loads), ","), nil
}

// minStep is the smallest load and step of a range. Loads are rounded to multiples of it.
const minStep = 1e-9

// badRange returns the error for a range that is none.
func badRange(text string) error {
	return &input.Error{Where: "--loads " + text, Problem: "no loads",
		Right: "give FROM:TO:STEP such as 0.02:0.40:0.02, or loads separated by commas, in flits " +
			"per node and cycle, from 1e-9 to 1"}
}

// dropImpossible removes traffic that a machine of the study does not have, and loads that the
// nodes of one cannot offer, and prints what it removed.
func (a *app) dropImpossible(st *study.Study) error {
	points, err := st.Points()
	if err != nil {
		return st.Place(err, nil)
	}
	const traffic, loads = string(config.FieldTraffic), string(config.FieldTrafficLoad)
	var notes, without, above []string // without and above are labels of values
	for _, curve := range st.Curves(points) {
		lowest := &points[curve[0]]
		name := st.LabelAt(lowest, traffic)
		limit, err := maxLoad(&lowest.Spec)
		if bad := (*input.Error)(nil); errors.As(err, &bad) {
			return nil // checking the points says where
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s is left out: %v", name, err))
			without = append(without, name)
			continue
		}
		for _, i := range curve {
			if points[i].Spec.Workload.TrafficLoad > limit {
				notes = append(notes, fmt.Sprintf("loads above %s are left out: %s needs more than a message "+
					"a cycle of a node", decimal.Significant(limit, 4), name))
				above = append(above, points[i].Labels[st.AxisOf(loads)])
			}
		}
	}
	slices.Sort(notes)
	notes = slices.Compact(notes)
	right := "give traffic that suits, such as uniform"
	left := st.DropValues(traffic, without)
	if left {
		right, left = "give smaller loads", st.DropValues(loads, above)
	}
	if !left {
		return input.Bad("", right, "nothing is left to measure: %s", strings.Join(notes, "; "))
	}
	a.notes(notes)
	return nil
}

// maxLoad returns the maximum load that the nodes of a machine can offer, in flits per node and
// cycle. An error that is no input.Error says why the machine does not have the traffic.
func maxLoad(s *config.Spec) (float64, error) {
	if err := new(sim.Simulator).Fits(s.Memory()); err != nil {
		return 0, err
	}
	plan, err := s.Plan()
	if err != nil {
		return 0, err
	}
	tr, err := sim.NewTraffic(plan, 0)
	if err != nil {
		return 0, err
	}
	return tr.MaxLoad(), nil
}

// loadsNotGiven says whose the loads are if no flag gives them, "" if one does.
func (f *netFlags) loadsNotGiven() string {
	isLoad := func(axis string) bool {
		key, _, _ := strings.Cut(axis, "=")
		return strings.TrimSpace(key) == string(config.FieldTrafficLoad)
	}
	switch {
	case f.loads != "" || slices.ContainsFunc(f.run.axes, isLoad):
		return ""
	case f.booksim != "":
		return "the load of " + f.booksim
	}
	return "the lowest load by default"
}

// saturatedNotes returns a note if the network is saturated at the lowest load of a curve, since
// then the curve has no point below saturation. whose says whose loads they are, "" if the user's.
func saturatedNotes(r *experiments.Results, whose string) []string {
	if whose == "" {
		return nil
	}
	var full []int // points
	for _, curve := range r.Study.Curves(r.Points) {
		if e, ok := r.Estimate(curve[0], "saturated"); ok && sim.MostSaturated(e.Mean) {
			full = append(full, curve[0])
		}
	}
	if len(full) == 0 {
		return nil
	}
	p, others := &r.Points[full[0]], ""
	accepted, _ := r.Estimate(full[0], "accepted_load")
	if n := len(full) - 1; n > 0 {
		others = fmt.Sprintf(", and it begins saturated on %s", input.Plural(n, "other curve"))
	}
	return []string{fmt.Sprintf("the network is saturated at %s: at %s it accepted %s flits per node "+
		"and cycle%s: give smaller loads with --loads%s", whose, strings.Join(p.Labels, ", "),
		decimal.Significant(accepted.Mean, 3), others, creditText(&p.Spec))}
}

// creditText suggests larger buffers where those of a virtual channel do not cover the time in
// which a credit returns.
func creditText(s *config.Spec) string {
	plan, err := s.Plan()
	if err != nil {
		return ""
	}
	k, err := plan.Network.LinkShare()
	if err != nil || plan.Network.BufferFlits >= k.RoundTrip {
		return ""
	}
	return fmt.Sprintf(", or a larger %s, which is %d where a credit of the slowest link returns "+
		"after the time of %d flits", config.FieldBufferFlits, plan.Network.BufferFlits, k.RoundTrip)
}
