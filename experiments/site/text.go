package site

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"contend/experiments/formats/netfile"
)

// Study returns the TOML of the study, with comments on the source of each part.
func (s *Site) Study() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	w := &s.windows
	own := s.allocators()[0]
	line("# Is placement by topology worth the wait? Made by contend site from %s and %s.",
		filepath.Base(s.Topology), filepath.Base(s.Log))
	line("# contend run %s answers; every line below may be changed.", filepath.Base(s.Out))
	line("name = %s", quote(s.name()))
	line("title = %s", quote("Placement by topology on "+s.name()))
	line("primary = [\"response_time\"]\n")

	line("# The machine: %d nodes. Node 0 is the first of %s.", len(s.slurm.Nodes()),
		netfile.Hostlist(s.slurm.Nodes()))
	line("# Slurm's file does not say how many links a switch has. Assumed: as many up as nodes " +
		"below,")
	line("# divided by a taper of %g (--taper), in whole links: %s nodes for a link.", s.Taper,
		interval(s.network.Tapers()))
	line("[machine]\ntopology = \"graph\"\ngraph = [")
	for _, text := range s.network.Lines() {
		line("  %s,", quote(text))
	}
	line("]\n")

	line("# Assumed: links and switches of this preset (--network; contend list presets).")
	line("[network]\npreset = %s\n", quote(s.Preset))

	measured, all := s.Measured()
	line("# %d jobs; their work over the time of their submissions is %.3g of the machine: today's",
		all, s.load.wholeLoad())
	line("# load. %d windows of %d jobs, %d jobs apart, give the intervals; start and window put them",
		w.count, w.jobs, w.step)
	line("# into strata of the log by load. Windows have loads of %s, together %.3g: their work over",
		interval(w.lowLoad, w.highLoad), w.meanLoad)
	line("# their time. The first %d jobs of each find an empty machine and are not measured:",
		w.unmeasured)
	line("# %d of %d jobs are measured.", measured, all)
	line("[workload]\nsource = \"swf\"\ntrace = %s\njobs = %d", quote(s.tracePath), w.jobs)
	line("start = %d\nwindow = %d", w.start, w.step)
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
	line("bytes = \"16 KiB\"\ncommunication_share = %g\nquota = { per_second = \"auto\" }\n", s.Share)

	line("# Assumed: EASY backfilling by the users' limits, as Slurm's sched/backfill does for the")
	line("# first job.")
	line("[scheduler]\npolicy = \"easy\"\n")
	line("[runs]\nreplications = %d\nwarmup_jobs = %d\nsize_classes = true", w.count, w.unmeasured)
	line("fast_forward = 0.1  # skip time in which running jobs stay the same: page time-scale\n")

	line("# The site's own rule, jobs that wait for a switch of their own, and any free nodes.")
	line("[[axes]]\nkey = \"allocator\"\nvalues = [%s]\n", quoteAll(s.allocators()))
	line("# Today's load, and 1.2 times that.")
	line("[[axes]]\nkey = \"workload.load_scale\"\nvalues = [1, 1.2]\n")

	metrics := []string{"response_time", "wait_time", "service_time"}
	for _, smallest := range s.classes() {
		metrics = append(metrics, "response_time_size_"+strconv.Itoa(smallest))
	}
	line("# Sizes are classes: response_time_size_4 is of the jobs with 4 to 7 nodes.")
	line("[table]\nmetrics = [%s]\nrelative_to = %s\n", quoteAll(metrics), quote(own))
	line("# A figure of each: the ratio to the site's own rule, window by window.")
	for _, metric := range metrics {
		if metric == "wait_time" {
			continue // some windows have none, and no ratio
		}
		name := strings.ReplaceAll(strings.Replace(metric, "_time", "", 1), "_", "-")
		line("[[figures]]\nname = %s\nkind = \"bars\"", quote(name))
		line("x = \"workload.load_scale\"\nseries = \"allocator\"")
		line("metric = %s\nrelative_to = %s\nx_label = \"times today's load\"", quote(metric), quote(own))
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
