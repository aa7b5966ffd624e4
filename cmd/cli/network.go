package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/experiments/formats/netfile"
	"contend/experiments/report/tables"
	"contend/experiments/service"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/router/topology"

	"github.com/spf13/cobra"
)

// networkFlags are the flags of contend network.
type networkFlags struct {
	machine, allocator string
	sets               []string
	files              string
}

// networkLong is the help text of contend network.
const networkLong = `Be the machine of another scheduler: choose the nodes of its jobs, and simulate
their messages. Each line of standard input is a request, a JSON object. One line of standard output
answers it before the next line is read. Times are cycles; every flit is simulated.

  {"free":[0,1,2,3,17],"size":4}      nodes for 4 processes out of these; nothing is kept
  {"allocate":"a","size":4}           nodes for job a, which keeps them
  {"start":"a","pattern":"ring","iterations":100}   job a starts now, here or on "nodes":[0,1,4,5]
  {"advance":5000}      time advances to cycle 5000, or to the first end of a job before
  {"advance":"next"}    time advances to the next end of a job
  {"status":true}       how far the jobs are, and which channels they contend for
  {"end":"a"}           job a leaves now
  {"save":"FILE"}       the state goes into a new file of the folder of --files
  {"load":"FILE"}       and comes back, by simulating it again

Any request may have an "id", which the answer repeats. An answer to a wrong request has "line" and
"error", nothing has changed then, and the exit status is 2. The first two requests need an
--allocator. Machine, network and what jobs send are those of a study, if one is given, and of
--machine and --set.`

// networkCommand returns the command contend network.
func (a *app) networkCommand() *cobra.Command {
	var f networkFlags
	c := &cobra.Command{
		Use: "network [STUDY]", Short: "Be the machine of another scheduler, as JSON lines",
		Long: networkLong,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.network(c, args, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.machine, "machine", "", "short form of the machine: mesh:16x16, torus:8x8x4, "+
		"hypercube:6, tree:4x4 (arity x levels), fat-tree:4x4x4:2, dragonfly:a4h2p2g9, hyperx:8x8, "+
		"graph:FILE; --set machine.KEY=VALUE adds to it: `SHORT` (default mesh:16x16)")
	flags.StringVar(&f.allocator, "allocator", "", "short form of the allocator that chooses nodes, "+
		"such as hilbert/best-fit-1d: `SHORT`")
	setFlag(flags, &f.sets, "set a key of [machine], [network] or [job], or runs.seed")
	flags.StringVar(&f.files, "files", "", "the folder of the files that requests may name; "+
		"none without")
	return c
}

// network answers lines of standard input until it ends or the command is interrupted: a read of
// standard input cannot be.
func (a *app) network(c *cobra.Command, args []string, f networkFlags) error {
	st, err := a.networkStudy(args, f)
	if err != nil {
		return err
	}
	served := service.Config{Base: st.Base, Names: a.names, Program: fingerprint(),
		Life: lifetime.New(c.Context())}
	defer served.Life.End()
	if f.allocator != "" {
		call, bad := a.names.CanonicalAllocator(f.allocator)
		if bad != nil {
			return bad.By("--allocator " + f.allocator)
		}
		served.Allocator = call
	}
	if f.files != "" {
		if served.Files, err = os.OpenRoot(f.files); err != nil {
			return input.Unreadable(err, "give a folder that is there with --files")
		}
		defer served.Files.Close()
	}
	lines, err := service.New(&sim.Simulator{}, served)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- lines.Serve(c.InOrStdin(), a.stdout) }()
	select {
	case err := <-ended:
		return err
	case <-c.Context().Done():
		return c.Context().Err()
	}
}

// networkSections are the sections whose keys a network depends on.
var networkSections = []string{"machine", "network", "job"}

// networkStudy returns the study whose base has the keys of the network.
func (a *app) networkStudy(args []string, f networkFlags) (*study.Study, error) {
	st := &study.Study{Base: config.DefaultSpec()}
	st.Base.Registry = a.names
	if len(args) > 0 {
		var err error
		if st, err = a.loadStudy(args[0], runFlags{}); err != nil {
			return nil, err
		}
	}
	if err := a.setMachine(st, "--machine", f.machine); err != nil {
		return nil, err
	}
	if err := a.setAll(st, f.sets, func(key, value string) error {
		section, _, _ := strings.Cut(key, ".")
		if key != "runs.seed" && !slices.Contains(networkSections, section) {
			return &input.Error{Where: "--set " + key + "=" + value,
				Problem: "a network does not depend on this key",
				Right:   "give keys of [machine], [network] and [job], or runs.seed"}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, x := range st.Axes {
		section, _, _ := strings.Cut(x.Key, ".")
		if x.Key == "variant" || slices.Contains(networkSections, section) {
			return nil, input.Bad(x.Key,
				"give a value with --set "+x.Key+"=VALUE, or a study without the axis",
				"the study has several values of %s, and there is one network", x.Key)
		}
	}
	return st, nil
}

// bytesDescribed is the memory of a router in a description, with its links and its line, in
// bytes.
const bytesDescribed = 1 << 10

// netMatrix writes the network of a study into a folder, as network.anynet: its routers, nodes
// and links, with the delay and the width of each link.
func (a *app) netMatrix(st *study.Study, dir string) error {
	if i := st.AxisOf(dimsPath); i >= 0 {
		return &input.Error{Where: "--matrix",
			Problem: fmt.Sprintf("the file holds one network, and there are %d", len(st.Axes[i].Values)),
			Right:   "choose one, such as --topology mesh:8x8"}
	}
	lines, parts, err := describeNetwork(&sim.Simulator{}, &st.Base)
	if err != nil {
		return err
	}
	out, err := a.takeFolder(dir)
	if err != nil {
		return err
	}
	const name = "network.anynet"
	if err := out.WriteText(name, []byte(strings.Join(lines, "\n")+"\n")); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "The network is in %s\n\n%s", out.Path(name), partsTable(parts))
	return nil
}

// partsTable returns the parts of a network, in all and for each node.
func partsTable(v topology.Inventory) string {
	grid := [][]string{{"part", "number", "a node"}}
	add := func(part string, n int) {
		grid = append(grid, []string{part, strconv.Itoa(n),
			decimal.Significant(float64(n)/float64(v.Nodes), 3)})
	}
	add(fmt.Sprintf("routers of up to %d ports", v.MaxPorts), v.Routers)
	add("ports of routers in use", v.Ports())
	add("links to nodes", v.NodePorts)
	for i, class := range v.Classes {
		part := "links between routers"
		if class != "" {
			part += ", " + class
		}
		add(part, v.Links[i])
	}
	if v.Bisection > 0 {
		part := "links of the bisection"
		if rest := v.Nodes - v.Part; rest > v.Part+1 {
			part += fmt.Sprintf(", %d and %d nodes", v.Part, rest)
		}
		add(part, v.Bisection)
	}
	return tables.MarkdownTable(grid, 1)
}

// describeNetwork returns the lines of an anynet file, and the parts of the network.
func describeNetwork(s *sim.Simulator, spec *config.Spec) (
	lines []string, parts topology.Inventory, err error) {
	plan, err := spec.Plan()
	if err != nil {
		return nil, parts, err
	}
	if n := plan.Machine.Routers(); n > netfile.MaxRouters {
		return nil, parts, &input.Error{Where: "--matrix", Right: "take a smaller machine",
			Problem: fmt.Sprintf("the machine has %d routers, the file at most %d", n,
				netfile.MaxRouters)}
	}
	if err := s.Fits(spec.Memory() + bytesDescribed*int64(plan.Machine.Routers())); err != nil {
		return nil, parts, err
	}
	net, err := s.NewNetwork(plan, 0)
	if err != nil {
		return nil, parts, err
	}
	wiring, timings := net.Wiring(), net.LinkTimings()
	n, err := netfile.Describe(topology.Unwrap(plan.Machine),
		func(r topology.Router, p topology.Port) netfile.Times {
			l, _ := wiring.Out(r, p)
			return netfile.Times{Cycles: int(timings[l].Delay), FlitCycles: int(timings[l].Flit)}
		})
	if err != nil {
		return nil, parts, input.Unreadable(err, "leave out --matrix")
	}
	return n.Lines(), topology.InventoryOf(topology.Unwrap(plan.Machine)), nil
}
