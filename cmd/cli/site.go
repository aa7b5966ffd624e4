package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	"contend/experiments"
	"contend/experiments/sim"
	"contend/experiments/site"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// siteLong is the help text of contend site.
const siteLong = `Write a study of a cluster from the files of its Slurm: is placement by
topology worth the wait? It compares Slurm's own placement with jobs that wait for a switch of
their own and with any free nodes, for three sizes of messages.

--topology is topology.conf or topology.yaml. --log is what sacct writes with

  sacct -a -X -P -o JobID,Submit,Start,End,Elapsed,NNodes,NCPUS,Timelimit,User,Partition,State

or a log in the Standard Workload Format. What the files do not say is assumed: the flags say what,
and comments in the study say where.

The study simulates windows of the log that together have its load: as many as --minutes allows.
contend run answers it, and contend site answer prints the answer for each class of sizes.`

// minSiteWindows is the minimum number of windows of a study. Fewer give too wide intervals.
const minSiteWindows = 5

// siteCommand returns the command contend site.
func (a *app) siteCommand() *cobra.Command {
	c := site.Config{}
	minutes := 30.0
	cmd := &cobra.Command{
		Use:   "site --topology FILE --log FILE",
		Short: "Write a study of a cluster from its Slurm's files",
		Long:  siteLong, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !(minutes > 0 && minutes <= 1e6) {
				return input.Bad("", "give a time such as 30", "--minutes is %g", minutes)
			}
			return a.site(cmd.Context(), c, minutes)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&c.Topology, "topology", "", "Slurm's topology.conf or topology.yaml: `FILE`")
	flags.StringVar(&c.Log, "log", "", "what sacct writes, or a log in SWF: `FILE`")
	flags.StringVarP(&c.Out, "out", "o", "my-cluster.toml",
		"the study to write; an SWF file goes beside it")
	flags.Float64Var(&c.Taper, "taper", 1,
		"nodes for a link up of their leaf switch, 1 for a full tree")
	flags.StringVar(&c.Preset, "network", "hdr",
		"a preset of networks: `NAME` (contend list presets)")
	flags.Float64Var(&c.Share, "communication-share", 0.2, "share of its time in which a job alone "+
		"on the machine communicates")
	flags.StringVar(&c.Rule, "rule", "", "the `ALLOCATOR` of the cluster, such as slurm-flat (default "+
		"slurm-tree, or slurm-block for a file with blocks)")
	flags.StringSliceVar(&c.MessageSizes, "message-size", site.DefaultSizes,
		"`SIZES` of messages, each of which is a part of the study")
	flags.Float64SliceVar(&c.Loads, "loads", []float64{1}, "`TIMES` the load of the log")
	flags.IntVar(&c.Cores, "cores", 0, "processors of a log in SWF that make a node (default as many "+
		"as its largest job needs)")
	flags.Float64Var(&minutes, "minutes", minutes, "time that the study may take on this machine")
	for _, name := range []string{"topology", "log"} {
		cmd.MarkFlagRequired(name)
	}
	cmd.AddCommand(a.siteAnswerCommand())
	return cmd
}

// siteAnswerCommand returns the command contend site answer.
func (a *app) siteAnswerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "answer DIR", Short: "Say of each class of sizes what its results show",
		Long: "Print response times in the whole log over those under the site's own rule. Jobs run for\n" +
			"their times in the log, times how many times as long those of their size run in the\n" +
			"windows. The 95% intervals are those of the jackknife over windows. Where one has 1 in it,\n" +
			"the windows cannot tell.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			results, err := a.readFolder(args[0])
			if err != nil {
				return err
			}
			simulator := &sim.Simulator{TraceDirs: traceFolders(nil), AtOnce: runtime.NumCPU()}
			text, err := site.Answer(cmd.Context(), results, simulator.Replay, runtime.NumCPU())
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
}

// site writes a study that contend run accepts, and prints which windows it has.
func (a *app) site(ctx context.Context, c site.Config, minutes float64) error {
	s, err := site.Read(c)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "contend-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := s.WriteLog(folder); err != nil {
		return err
	}
	cost, err := a.fitSite(ctx, s, append([]string{folder}, traceFolders(nil)...), 60*minutes)
	if err != nil {
		return err
	}
	if err := s.Write(); err != nil {
		return err
	}
	a.notes(s.Notes())
	measured, all := s.Measured()
	fmt.Fprintf(a.stdout, "%s; %d of %d jobs are measured\n", s.DescribeWindows(), measured, all)
	if note := cost.note(minutes); note != "" {
		a.notes([]string{note})
	}
	fmt.Fprintf(a.stdout, "The study is %s; contend run %[1]s answers it\n", c.Out)
	return nil
}

// fitSite chooses as many windows as a time allows, and checks the study as contend run does. It
// returns the expected time of the fewest windows. Busy windows take many times as long as idle
// ones, so the forecast is the mean over a few windows in strata by load.
func (a *app) fitSite(ctx context.Context, s *site.Site, traces []string, limit float64) (
	cost siteCost, err error) {
	simulator := &sim.Simulator{TraceDirs: traces, AtOnce: runtime.NumCPU()}
	runner := &experiments.Runner{Names: a.names, Run: simulator.Run, Workers: runtime.NumCPU(),
		Traces: traces, Log: a.log, Folder: experiments.NewMemory(fingerprint())}
	for i := range minSiteWindows {
		s.ChooseWindows(minSiteWindows)
		s.KeepWindow(i)
		st, err := a.siteStudy(ctx, s, simulator)
		if err != nil {
			return cost, err
		}
		forecast, err := runner.ForecastStudy(ctx, st)
		if err != nil {
			return cost, err
		}
		cost.add(forecast.Seconds)
	}
	windows := minSiteWindows
	if cost.seconds > 0 && cost.unknown == 0 {
		windows = max(windows, int(min(limit*minSiteWindows/cost.seconds, float64(s.MaxWindows()))))
	}
	s.ChooseWindows(windows)
	_, err = a.siteStudy(ctx, s, simulator)
	return cost, err
}

// siteCost is the expected time of the fewest windows: seconds of those whose probes got far
// enough, and the number of the others, which take longer.
type siteCost struct {
	seconds float64
	unknown int
}

// add adds a window of an expected time, 0 if that is unknown.
func (c *siteCost) add(seconds float64) {
	c.seconds += seconds
	if seconds == 0 {
		c.unknown++
	}
}

// note says that the fewest windows take more than the minutes asked for, or may do so.
func (c siteCost) note(minutes float64) string {
	known := fmt.Sprintf("%.2g minutes", c.seconds/60)
	if c.seconds >= 600 {
		known = fmt.Sprintf("%.0f minutes", c.seconds/60)
	}
	switch {
	case c.unknown == minSiteWindows:
		return "the time of the study is unknown: no probe got far enough"
	case c.unknown > 0:
		return fmt.Sprintf("the time of the study is unknown: no probe of %d of %d windows got far "+
			"enough; the others take about %s", c.unknown, minSiteWindows, known)
	case c.seconds > 60*minutes:
		return fmt.Sprintf("%d windows, the fewest, take about %s, more than --minutes %g",
			minSiteWindows, known, minutes)
	}
	return ""
}

// siteStudy reads the study of a site and checks its points without printing their notes.
func (a *app) siteStudy(ctx context.Context, s *site.Site, simulator *sim.Simulator) (
	*study.Study, error) {
	st, err := study.Parse(s.Out, s.Study(), a.names)
	if err != nil {
		return nil, err
	}
	silent := *a
	silent.stderr = io.Discard
	if err := silent.fitFigures(st); err != nil {
		return nil, err
	}
	_, err = silent.checkPoints(ctx, simulator, st, &tableFlags{}, func() error { return nil })
	return st, err
}
