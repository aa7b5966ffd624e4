package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

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

The study simulates the jobs that run at moments of the log, as many as --minutes allows. If even
the fewest take longer, it leaves out sizes of messages, and says which. contend run answers it,
and contend site answer prints the answer for each class of sizes.`

// countedMoments is the number of moments of a log whose packets are counted.
const countedMoments = 5

// siteCommand returns the command contend site.
func (a *app) siteCommand() *cobra.Command {
	c := site.Config{}
	minutes := 3.0
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
	flags.StringArrayVar(&c.Tapers, "taper", []string{"1"}, "links down for a link up of a switch: "+
		"`TAPERS` of levels, the lowest first, and of switches, such as 2,1,leaf7=4; repeated, "+
		"networks to compare")
	flags.StringVar(&c.Preset, "network", "hdr",
		"a preset of networks: `NAME` (contend list presets)")
	flags.StringSliceVar(&c.Routings, "routing", []string{"auto"}, "`ROUTINGS` of packets: that of "+
		"the cluster, and others to compare; auto is one path by the destination, shortest draws one")
	flags.Float64Var(&c.Share, "communication-share", 0.2, "share of its time in which a job alone "+
		"on the machine communicates")
	flags.StringVar(&c.Rule, "rule", "", "the `ALLOCATOR` of the cluster, such as slurm-flat "+
		"(default slurm-tree, or slurm-block for a file with blocks)")
	flags.StringSliceVar(&c.MessageSizes, "message-size", site.DefaultSizes,
		"`SIZES` of messages, each of which is a part of the study")
	flags.StringSliceVar(&c.LoadTexts, "loads", []string{"1"}, "`TIMES` the load of the log")
	flags.IntVar(&c.Cores, "cores", 0, "processors of a log in SWF that make a node (default as "+
		"many as its largest job needs)")
	flags.Float64Var(&minutes, "minutes", minutes, "time that the study may take, by a constant "+
		"pace of packets")
	for _, name := range []string{"topology", "log"} {
		cmd.MarkFlagRequired(name)
	}
	cmd.AddCommand(a.siteAnswerCommand())
	return cmd
}

// siteAnswerCommand returns the command contend site answer.
func (a *app) siteAnswerCommand() *cobra.Command {
	by := ""
	c := &cobra.Command{
		Use: "answer DIR", Short: "Say of each class of sizes what its results show",
		Long: "Print response times in the whole log over those under the site's own rule, or with\n" +
			"--by over those of the first value of an axis, such as machine.file of several networks.\n" +
			"Jobs are slowed by their size and place as jobs at moments of the log are. The 95%\n" +
			"intervals hold the choice of moments, the error of the method, which is measured on\n" +
			"drawn logs, and the luck of one schedule. Where one has 1 in it, the study cannot tell.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			results, err := a.readFolder(args[0])
			if err != nil {
				return err
			}
			simulator := &sim.Simulator{TraceDirs: traceFolders(nil), AtOnce: runtime.NumCPU()}
			text, err := site.Answer(cmd.Context(), results, by, simulator.Replay, runtime.NumCPU())
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	c.Flags().StringVar(&by, "by", "", "compare the values of an `AXIS` with the first, in place of "+
		"allocators")
	return c
}

// site writes a study that contend run accepts, and prints which moments it has.
func (a *app) site(ctx context.Context, c site.Config, minutes float64) error {
	if names := a.names.NamesIn("allocators"); c.Rule != "" {
		if name, _, _ := strings.Cut(c.Rule, ":"); !slices.Contains(names, name) {
			return input.Bad("", input.OneOf(name, names)+"; contend list allocators", "--rule is %q",
				c.Rule)
		}
	}
	s, err := site.Read(c)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "contend-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	left, err := a.fitSite(ctx, s, folder, 60*minutes)
	if err != nil {
		return err
	}
	if err := s.Write(); err != nil {
		return err
	}
	a.notes(append(s.Notes(), left...))
	fmt.Fprintln(a.stdout, s.Describe())
	fmt.Fprintf(a.stdout, "The study is %s; contend run %[1]s answers it\n", c.Out)
	return nil
}

// fitSite chooses the sizes of messages and the number of moments that a time in seconds allows,
// and checks the study as contend run does. It counts the packets of some moments of each size, and
// returns what the user should know of the choice.
func (a *app) fitSite(ctx context.Context, s *site.Site, folder string, limit float64) (
	[]string, error) {
	traces := append([]string{folder}, traceFolders(nil)...)
	simulator := &sim.Simulator{TraceDirs: traces, AtOnce: runtime.NumCPU()}
	var costs []site.Cost
	for _, size := range s.MessageSizes {
		one := *s
		one.MessageSizes, one.Moments = []string{size}, countedMoments
		st, err := a.siteStudy(ctx, &one, folder, simulator)
		if err != nil {
			return nil, err
		}
		cost := site.Cost{Size: size}
		points, err := st.Points()
		for i := 0; i < len(points) && err == nil; i++ {
			var packets float64
			if packets, err = packetsOf(ctx, simulator, &points[i]); err == nil {
				cost.Packets += packets
			}
		}
		if err != nil {
			return nil, err
		}
		costs = append(costs, cost)
	}
	notes := s.Fit(costs, limit)
	_, err := a.siteStudy(ctx, s, folder, simulator)
	return notes, err
}

// packetsOf returns the mean number of packets of the first moments of a point.
func packetsOf(ctx context.Context, s *sim.Simulator, p *study.Point) (mean float64, err error) {
	plan, err := p.Spec.Plan()
	for r := 0; r < countedMoments && err == nil; r++ {
		var packets float64
		packets, err = s.SnapshotPackets(ctx, plan, r)
		mean += packets / countedMoments
	}
	return mean, err
}

// siteStudy reads the draft of the study of a site in a folder and checks its points without
// printing their notes.
func (a *app) siteStudy(ctx context.Context, s *site.Site, folder string,
	simulator *sim.Simulator) (*study.Study, error) {
	draft, err := s.Draft(folder)
	if err != nil {
		return nil, err
	}
	st, err := study.Parse(s.Out, draft.Study(), a.names)
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
