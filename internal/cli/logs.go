package cli

import (
	"fmt"

	"contend/experiments/cosim"
	"contend/experiments/site"
	"contend/experiments/spec/input"
	"contend/scheduler"

	"github.com/spf13/cobra"
)

const siteLong = `Write a study of a cluster from the files of its Slurm: is placement by
topology worth the wait? It compares Slurm's own placement with jobs that wait for a switch of
their own and with any free nodes, at the load of the log and at 1.2 times that.

--topology is topology.conf or topology.yaml. --log is what sacct writes with

  sacct -a -X -P -o JobID,Submit,Start,End,Elapsed,NNodes,NCPUS,Timelimit,User,Partition,State

or a log in the Standard Workload Format. What the files do not say is assumed: the flags say what,
and comments in the study say where.`

func (a *app) siteCommand() *cobra.Command {
	c := site.Config{}
	cmd := &cobra.Command{
		Use:   "site --topology FILE --log FILE",
		Short: "Write a study of a cluster from its Slurm's files",
		Long:  siteLong, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := c.Exists(); err != nil {
				return err
			}
			notes, err := site.Make(c)
			if err != nil {
				return err
			}
			for _, note := range notes {
				fmt.Fprintln(a.stderr, "contend:", note)
			}
			fmt.Fprintf(a.stdout, "The study is %s; contend run %s answers it\n", c.Out, c.Out)
			return nil
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
	flags.IntVar(&c.Cores, "cores", 0, "processors of a log in SWF that make a node (default as many "+
		"as its largest job needs)")
	for _, name := range []string{"topology", "log"} {
		cmd.MarkFlagRequired(name)
	}
	return cmd
}

func (a *app) traceCommand() *cobra.Command {
	c := &cobra.Command{Use: "trace", Short: "Describe logs in the Standard Workload Format"}
	c.AddCommand(a.traceStatsCommand())
	return c
}

func (a *app) traceStatsCommand() *cobra.Command {
	processors, format := 0, scheduler.SWFFormat{}
	c := &cobra.Command{
		Use: "stats FILE", Short: "Describe a log: jobs, load, sizes, times", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := a.findTrace(args[0])
			if err != nil {
				return err
			}
			text, err := cosim.DescribeTrace(path, format, max(0, processors))
			fmt.Fprint(a.stdout, text)
			return err
		},
	}
	c.Flags().IntVar(&processors, "processors", 0, "processors of the machine (default those of "+
		"the log's header)")
	c.Flags().IntVar(&format.NodesField, "nodes-field", 0, "field with the number of nodes of "+
		"a job, from 19, in a log with more than 18 fields")
	return c
}

// findTrace finds a log, and says so if it is another version.
func (a *app) findTrace(name string) (string, error) {
	path, err := input.FindTrace(name, traceFolders(nil))
	if err == nil {
		if instead := input.TakenInstead(name, path); instead != "" {
			fmt.Fprintln(a.stderr, "contend:", instead)
		}
	}
	return path, err
}
