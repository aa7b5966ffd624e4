// Package site makes a study of a cluster from the files of its Slurm: the topology and a log of
// jobs. The study asks whether placement by topology is worth the wait.
//
// An example: topology.conf has two blocks of four nodes, and sacct.txt 60 jobs. The study has a
// machine of these nodes, the jobs that run at moments of the log, and an axis over allocators:
// slurm-block:4,0, which places jobs in blocks, one-switch, which waits for a block that holds a
// job, and random. Answer turns its results into sentences.
package site

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/experiments/formats/netfile"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/internal/written"
	"contend/scheduler"
)

// Config has the files and the assumptions of a study.
type Config struct {
	// Topology is Slurm's topology.conf or topology.yaml, and Log a log: the output of sacct, or SWF.
	Topology, Log string
	// Out is the study to write. The output of sacct becomes an SWF file beside it.
	Out string
	// Tapers has the links down for each link up of a switch, as netfile.ParseTapers reads them: one
	// text for each network of the study. The jobs send what the first carries in the log.
	Tapers []string
	// Preset names the network, and Share is the share of its time in which a job communicates when
	// it has the machine to itself.
	Preset string
	Share  float64
	// MessageSizes are lengths of messages, such as 16 KiB: each makes points of the study. The
	// default is DefaultSizes.
	MessageSizes []string
	// Routings are values of network.routing: that of the cluster, and others to compare with it. The
	// default is auto.
	Routings []string
	// Rule is the allocator of the cluster, "" for Slurm's with the file of the topology.
	Rule string
	// LoadTexts are times the load of the log, such as 1.2. The default is 1.
	LoadTexts []string
	// Cores is the number of processors of a log in SWF that make a node, 0 for the smallest with
	// which the largest job fits.
	Cores int
}

// DefaultSizes are the lengths of messages of a study by default.
var DefaultSizes = []string{"512 B", "16 KiB", "256 KiB"}

// Site is a cluster as its files describe it, and the parts of its study.
type Site struct {
	Config
	slurm             *netfile.Slurm
	networks          []*netfile.Network // by taper
	tracePath         string             // the log, as the study names it
	processorsPerNode int                // processors of the log for a node
	load              logLoad
	swfLines          []scheduler.SWFLine // of a new SWF file
	swfComments       []string            // its comments
	notes             []string            // assumptions for the user
	// Moments is the number of moments of the log.
	Moments int
	leftOut []string // sizes of messages that Fit left out
}

// Read reads the files of a cluster. It refuses to replace a file by the study or its log.
func Read(c Config) (*Site, error) {
	if len(c.LoadTexts) == 0 {
		c.LoadTexts = []string{"1"}
	}
	if len(c.MessageSizes) == 0 {
		c.MessageSizes = DefaultSizes
	}
	if len(c.Routings) == 0 {
		c.Routings = []string{"auto"}
	}
	if len(c.Tapers) == 0 {
		c.Tapers = []string{"1"}
	}
	s := &Site{Config: c, Moments: 1}
	if err := c.check(); err != nil {
		return nil, err
	}
	const topology = "give Slurm's topology.conf or topology.yaml"
	var err error
	if s.slurm, err = netfile.ReadSlurm(c.Topology); err != nil {
		return nil, input.Unreadable(err, topology)
	}
	for _, text := range c.Tapers {
		tapers, err := netfile.ParseTapers(text)
		if err != nil {
			return nil, input.Bad("", "give links down for each link up: 1 for a full tree, 2,1 for "+
				"levels, the lowest first, 2,leaf7=4 for a switch", "--taper %s: %s", text, err)
		}
		n, err := s.slurm.Network(tapers)
		if err != nil {
			return nil, input.Unreadable(err, topology)
		}
		s.networks = append(s.networks, n)
		for level, made := range n.Tapers() {
			want := 1.0
			if level < len(tapers.Levels) {
				want = tapers.Levels[level]
			}
			if got := interval(made[0], made[1]); tapers.Of == nil && got != interval(want, want) {
				s.addNote("--taper %s becomes %s at level %d: a switch has whole links up", text, got,
					level+1)
			}
		}
	}
	if err := s.readLog(); err != nil {
		return nil, input.Unreadable(err, sacctRight)
	}
	if err := s.refuseReplacing(); err != nil {
		return nil, err
	}
	if err := s.checkSizes(); err != nil {
		return nil, err
	}
	return s, nil
}

// check refuses values of flags that are out of range.
func (c *Config) check() error {
	presets := []string{}
	for _, p := range config.Presets() {
		presets = append(presets, p.Name)
	}
	c.LoadTexts = slices.Clone(c.LoadTexts)
	for i, text := range c.LoadTexts {
		right := "give times the load of the log, such as 1,1.2"
		if percent, ok := strings.CutSuffix(text, "%"); ok {
			if x, err := strconv.ParseFloat(percent, 64); err == nil && x > 0 {
				right = fmt.Sprintf("give times the load of the log: %.4g", x/100)
			}
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x > 0 && x <= 100) {
			return input.Bad("", right, "--loads is %s", text)
		}
		c.LoadTexts[i] = strconv.FormatFloat(x, 'f', -1, 64)
	}
	switch {
	case !(c.Share > 0 && c.Share <= 1):
		return input.Bad("", "give 0.1 for a tenth of the time", "--communication-share is %g",
			c.Share)
	case slices.ContainsFunc(c.MessageSizes, notASize):
		return input.Bad("", "give sizes such as 512 B,16 KiB", "--message-size is %s",
			strings.Join(c.MessageSizes, ","))
	case c.Cores < 0:
		return input.Bad("", "give the processors of a node, such as 64", "--cores is %d", c.Cores)
	case !slices.Contains(presets, c.Preset):
		return input.Bad("", input.OneOf(c.Preset, presets), "--network is %q", c.Preset)
	case filepath.Ext(c.Out) != ".toml" || c.name() == "":
		return input.Bad("", "give a name that ends in .toml, such as my-cluster.toml", "-o is %q",
			c.Out)
	}
	return nil
}

// notASize reports whether a text is no size such as 16 KiB.
func notASize(text string) bool {
	q, err := quantity.Parse(text)
	return err != nil || q.Kind != quantity.Size || q.Value.Sign() <= 0
}

// refuseReplacing returns an error if a file to write exists already.
func (s *Site) refuseReplacing() error {
	paths := []string{s.Out}
	if s.swfLines != nil {
		paths = append(paths, s.swfPath())
	}
	for _, path := range append(paths, s.networkFiles()...) {
		found, err := os.Lstat(path)
		if err != nil {
			continue
		}
		right := "give another name with -o, or remove it"
		for _, read := range []string{s.Log, s.Topology} {
			if info, err := os.Stat(read); err == nil && os.SameFile(info, found) {
				right = "give another name with -o, as this one is " + read + ", which is read"
			}
		}
		return &input.Error{Where: path, Problem: "the file exists already", Right: right}
	}
	return nil
}

// Write writes the study, and the log in SWF if sacct wrote it.
func (s *Site) Write() error {
	if err := s.refuseReplacing(); err != nil {
		return err
	}
	if err := s.writeParts(filepath.Dir(s.Out)); err != nil {
		return err
	}
	return written.Replace(s.Out, []byte(s.Study()))
}

// Draft writes the log and the networks of the study into a folder, and returns the site whose
// study has the networks there, to be checked.
func (s *Site) Draft(folder string) (*Site, error) {
	draft := *s
	draft.Out = filepath.Join(folder, filepath.Base(s.Out))
	return &draft, draft.writeParts(folder)
}

// writeParts writes the log in SWF into a folder if sacct wrote it, and several networks.
func (s *Site) writeParts(folder string) error {
	for i, path := range s.networkFiles() {
		text := strings.Join(s.networks[i].Lines(), "\n") + "\n"
		if err := written.Replace(path, []byte(text)); err != nil {
			return err
		}
	}
	if s.swfLines == nil {
		return nil
	}
	path := filepath.Join(folder, filepath.Base(s.swfPath()))
	return scheduler.CreateSWF(path, s.swfComments, s.swfLines)
}

// Notes returns the assumptions that the user should know.
func (s *Site) Notes() []string { return s.notes }

// addNote adds an assumption.
func (s *Site) addNote(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// interval returns two numbers with three digits and "to" between them, or one if they are the
// same.
func interval(low, high float64) string {
	from, to := fmt.Sprintf("%.3g", low), fmt.Sprintf("%.3g", high)
	if from == to {
		return from
	}
	return from + " to " + to
}

// swfPath returns the path of the SWF file that is made from the output of sacct.
func (c *Config) swfPath() string { return strings.TrimSuffix(c.Out, ".toml") + ".swf" }

// networkFiles returns the paths of the networks to write, none for one, which is in the study.
func (s *Site) networkFiles() (paths []string) {
	if len(s.Tapers) < 2 {
		return nil
	}
	for _, taper := range s.Tapers {
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune(",=[] ", r) {
				return '-'
			}
			return r
		}, taper)
		paths = append(paths, strings.TrimSuffix(s.Out, ".toml")+"-taper-"+name+".net")
	}
	return paths
}

// checkSizes refuses a log with too few jobs, and notes jobs that are too large.
func (s *Site) checkSizes() error {
	if len(s.load.sizes) < 20 {
		return &input.Error{Where: s.Log, Problem: fmt.Sprintf("%d jobs are too few for a study",
			len(s.load.sizes)), Right: "give some thousand"}
	}
	nodes, large, work := len(s.slurm.Nodes()), 0, 0.0
	for i, size := range s.load.sizes {
		if size > nodes {
			large++
			work += s.load.work[i+1] - s.load.work[i]
		}
	}
	if large > 0 {
		s.addNote("%d jobs asked for more than the %d nodes of %s, and get all of them: they are %.3g "+
			"of the load of %.3g. Take jobs of other machines out of the log", large, nodes, s.Topology,
			s.load.wholeLoad()*work/s.load.work[len(s.load.work)-1], s.load.wholeLoad())
	}
	return nil
}

// classes returns the smallest size of each class, from one power of two to the next, that has at
// least a fiftieth of the jobs or of their work: large jobs are few.
func (s *Site) classes() (sizes []int) {
	l := &s.load
	var count [32]int
	var work [32]float64
	for i, size := range l.sizes {
		k := bits.Len(uint(min(size, l.nodes))) - 1
		count[k]++
		work[k] += l.work[i+1] - l.work[i]
	}
	for k, n := range count {
		if 50*n >= len(l.sizes) || 50*work[k] >= l.work[len(l.sizes)] && n > 0 {
			sizes = append(sizes, 1<<k)
		}
	}
	return sizes
}

// allocators returns the allocators that the study compares, first that of the cluster.
func (s *Site) allocators() []string {
	own := "slurm-tree"
	if s.slurm.Blocks() {
		own = fmt.Sprintf("slurm-block:%d,0", s.slurm.BlockSize())
	}
	list := []string{own, "one-switch", "random"}
	if s.Rule != "" && s.Rule != own {
		list = slices.Concat([]string{s.Rule}, slices.DeleteFunc(list,
			func(x string) bool { return x == s.Rule }))
	}
	return list
}

// name returns the name of the study.
func (c *Config) name() string { return strings.TrimSuffix(filepath.Base(c.Out), ".toml") }

// Study returns the TOML of the study, with comments on the source of each part.
func (s *Site) Study() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	own := s.allocators()[0]
	line("# Is placement by topology worth the wait? Made by contend site from %s and %s.",
		filepath.Base(s.Topology), filepath.Base(s.Log))
	line("# contend run %s answers; every line below may be changed.", filepath.Base(s.Out))
	line("name = %s", quote(s.name()))
	line("title = %s", quote("Placement by topology on "+s.name()))
	line("primary = [\"dilation\"]\n")

	line("# The machine: %d nodes. Node 0 is the first of %s.", len(s.slurm.Nodes()),
		netfile.Hostlist(s.slurm.Nodes()))
	line("# Slurm's file does not say how many links a switch has. Assumed: as many up as down,")
	line("# divided by a taper of %s (--taper), in whole links.", strings.Join(s.Tapers, " or "))
	line("[machine]\ntopology = \"graph\"")
	if len(s.networks) == 1 {
		line("graph = [")
		for _, text := range s.networks[0].Lines() {
			line("  %s,", quote(text))
		}
		line("]")
	}
	line("")

	line("# Assumed: links and switches of this preset (--network; contend list presets), and this")
	line("# routing (--routing): auto is one path by the destination. With shortest, which draws a")
	line("# path for each packet, random placement may cost less.")
	line("[network]\npreset = %s\nrouting = %s\n", quote(s.Preset), quote(s.Routings[0]))

	line("# %d jobs; their work over the time of their submissions is %.3g of the machine: today's",
		len(s.load.sizes), s.load.wholeLoad())
	line("# load (metric submitted_load). Runs are %s of the log, which give the intervals: the jobs",
		input.Plural(s.Moments, "moment"))
	line("# that run then under each allocator, side by side. More replications add moments.")
	line("# A count of their packets chose their number (--minutes).")
	if len(s.leftOut) > 0 {
		line("# It left out messages of %s, which take longer.", strings.Join(s.leftOut, " and "))
	}
	line("[workload]\nsource = \"swf\"\ntrace = %s\nsnapshots = true", quote(s.tracePath))
	if s.processorsPerNode > 1 {
		line("size_divisor = %d  # processors of a node", s.processorsPerNode)
	}
	line("size_clamp = %d\n", len(s.slurm.Nodes()))

	line("# Assumed, as logs do not say what jobs send: each user has one of these patterns, and a " +
		"job")
	line("# that has the machine to itself communicates for %g of its time (--communication-share).",
		s.Share)
	line("# This number decides how much placement can matter: measure it, or try several.")
	line("[job]\npattern = \"all-to-all+near-neighbour+all-reduce-ring\"\npattern_by = \"user\"")
	line("order = \"rotated\"  # of an all-to-all: process i sends to i+1 first")
	line("communication_share = %g\nquota = { per_second = \"auto\" }\n", s.Share)
	line("# Nor do they say how long messages are (--message-size): those of all-to-alls and to")
	line("# neighbours, and the arrays that all-reduces sum, which a ring sends in parts in turn.")
	for _, size := range s.MessageSizes {
		line("[[variants]]\nname = %s\nset = { \"job.flits\" = %s, \"job.bytes\" = %[2]s }",
			quote(size), quote(size))
	}
	line("")

	line("# Assumed: EASY backfilling by the users' limits, as Slurm's sched/backfill does for the")
	line("# first job.")
	line("[scheduler]\npolicy = \"easy\"\n")
	line("[runs]\nreplications = %d\nsize_classes = true", s.Moments)
	line("fast_forward = 0.2  # the half width of the rates at which jobs run, at a moment\n")

	line("# The site's own rule, jobs that wait for a switch of their own, and any free nodes.")
	line("[[axes]]\nkey = \"allocator\"\nvalues = [%s]\n", quoteAll(s.allocators()))
	line("# Times today's load (--loads).")
	line("[[axes]]\nkey = \"workload.load_scale\"\nvalues = [%s]\n", strings.Join(s.LoadTexts, ", "))
	line("[[axes]]\nkey = \"variant\"\nvalues = [%s]\n", quoteAll(s.MessageSizes))
	panels := []string{"workload.load_scale"}
	if files := s.networkFiles(); files != nil {
		line("# Networks. All carry the messages that jobs send on the first in the time that the log")
		line("# says.")
		line("[[axes]]\nkey = \"machine.file\"\nvalues = [%s]\n", quoteAll(files))
		panels = append(panels, "machine.file")
	}

	if len(s.Routings) > 1 {
		line("[[axes]]\nkey = \"network.routing\"\nvalues = [%s]\n", quoteAll(s.Routings))
		panels = append(panels, "network.routing")
	}

	metrics := []string{"dilation"}
	for _, smallest := range s.classes() {
		metrics = append(metrics, "dilation_size_"+strconv.Itoa(smallest))
	}
	line("# How many times as long as alone jobs take. dilation_size_4 is of jobs with 4 to 7 nodes.")
	line("[table]\nmetrics = [%s]\nrelative_to = %s\n", quoteAll(metrics), quote(own))
	line("# A figure of each: the ratio to the site's own rule, moment by moment.")
	for _, metric := range metrics {
		name := strings.ReplaceAll(metric, "_", "-")
		line("[[figures]]\nname = %s\nkind = \"bars\"", quote(name))
		line("x = \"variant\"\nseries = \"allocator\"\npanels = [%s]", quoteAll(panels))
		line("metric = %s\nrelative_to = %s\nx_label = \"message size\"", quote(metric), quote(own))
		line("y_label = %s\n", quote(strings.ReplaceAll(metric, "_", " ")+" / "+own))
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// quote returns a text as a TOML string.
func quote(text string) string { return strconv.Quote(text) }

// quoteAll returns texts as TOML strings between commas.
func quoteAll(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = quote(text)
	}
	return strings.Join(quoted, ", ")
}
