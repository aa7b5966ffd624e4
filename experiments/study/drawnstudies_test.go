package study

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/input"
)

// Studies drawn at random, for tests of keys: see when_test.go.

// whenLog writes a log with fractions, missing estimates, estimates above and
// below run times, and sizes that fit a machine of 16 nodes.
func whenLog(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("; MaxProcs: 16\n")
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range 40 {
		run, size := 40+rng.IntN(300), 1+rng.IntN(9)
		estimate := run*2 + 7
		if i%5 == 1 {
			estimate = run / 2
		}
		if i%7 == 2 {
			estimate = -1
		}
		fmt.Fprintf(&b, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 1 %d 1 -1 -1\n", i+1, 13*i+rng.IntN(9),
			run, size, size, estimate, 1+i%3, i%2)
	}
	path := filepath.Join(t.TempDir(), "when.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// drawSettings draws a small study's base: machine, source of jobs, what they
// do, who schedules and allocates.
func drawSettings(rng *rand.Rand, log string) (set map[string]any) {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	set = map[string]any{"workload.jobs": int64(14)}
	topology := pick("mesh", "torus", "tree", "hypercube", "mesh", "dragonfly", "hyperx", "graph",
		"fat-tree")
	set["machine.topology"] = topology
	allocators := []string{"random", "sequential", "mm", "mc1x1", "mc1x1-tie",
		"best-fit-1d:hilbert", "free-list"}
	switch topology {
	case "mesh", "torus":
		set["machine.dims"] = []any{int64(4), int64(4)}
		allocators = append(allocators, "first-fit", "best-fit", "paging:0", "mbs", "mc", "mm-inc",
			"optimal", "gen-alg", "buddy2d", "frame-sliding", "paging:1", "ptas")
	case "hypercube":
		set["machine.dims"] = []any{int64(4)}
		allocators = []string{"random", "sequential"}
	case "tree":
		set["machine.arity"], set["machine.levels"] = int64(2), int64(4)
		allocators = []string{"random", "sequential", "contiguous", "quasi-contiguous:40", "isolated",
			"by-router", "random-routers", "gen-alg", "mm-inc", "slurm-tree", "slurm-flat", "slurm-block", "by-group",
			"level-spread", "random-groups"}
	case "fat-tree":
		set["machine.children"] = []any{int64(2), int64(4), int64(2)}
		set["machine.parents"] = []any{int64(2), int64(1)}
		set["machine.rails"] = int64(1 + rng.IntN(2))
		allocators = append([]string{"random", "sequential", "mm", "free-list"}, inGroups...)
	case "dragonfly":
		set["machine.group_routers"], set["machine.global_links"] = int64(4), int64(2)
		set["machine.groups"] = int64(4)
		allocators = append([]string{"random", "sequential", "mm", "free-list"}, inGroups...)
	case "hyperx":
		set["machine.dims"] = []any{int64(4), int64(4)}
		allocators = []string{"random", "sequential", "mm", "gen-alg", "by-router", "random-routers",
			"rows", "diagonal", "subcube"}
	case "graph":
		set["machine.graph"] = ringOfSixteen()
		allocators = append([]string{"random", "sequential", "mm", "optimal"}, inGroups...)
	}
	if rng.IntN(10) == 0 {
		delete(set, "workload.jobs")
		set["workload.source"], set["workload.traffic"] = "traffic",
			pick("uniform", "hotspot", "uniform")
		set["workload.warmup_cycles"], set["workload.window_cycles"] = int64(50), int64(300)
		return set
	}
	source := pick("synthetic", "swf", "swf", "lublin", "cplant-stream", "together", "list")
	set["workload.source"] = source
	drawWorkload(rng, set, pick, source, log, allocators)
	drawPattern(set, pick, source)
	drawDetails(rng, set, pick, source)
	if rng.IntN(3) == 0 {
		set["network.source_queues"] = "destination"
	}
	if rng.IntN(8) == 0 {
		what := pick("links = all; share = 0.2", "nodes = 0-9")
		set["machine.failures"] = []any{what + "; at = 40; for = 30", what + "; at = 300; for = 50"}
		delete(set, "runs.fast_forward")
	}
	if rng.IntN(6) == 0 {
		set["network.arbiter"], set["network.virtual_channels"] = "matching", int64(3)
		set["network.switch_allocator"] = pick("islip", "separable-input-first",
			"separable-output-first")
		delete(set, "network.input_speedup")
	}
	return set
}

// inGroups are the allocators that know routers and groups of routers.
var inGroups = []string{"by-router", "by-group", "level-spread", "random-routers", "random-groups"}

// ringOfSixteen is a graph: a ring of routers with a node each and some chords, in four groups.
func ringOfSixteen() (lines []any) {
	for r := range 16 {
		line := fmt.Sprintf("router %d group %d node %d router %d", r, r/4, r, (r+1)%16)
		if r%5 == 0 {
			line += fmt.Sprintf(" router %d", (r+7)%16)
		}
		lines = append(lines, line)
	}
	return lines
}

// drawWorkload draws where jobs come from, and who schedules and allocates.
func drawWorkload(rng *rand.Rand, set map[string]any, pick func(...string) string,
	source, log string, allocators []string) {
	if source == "swf" {
		set["workload.trace"] = log
		if rng.IntN(4) == 0 {
			set["workload.start"] = int64(1 + rng.IntN(9))
		}
	}
	if source == "cplant-stream" || source == "lublin" {
		set["workload.size_clamp"] = int64(9)
	}
	if source == "together" {
		set["workload.processes"] = int64(4)
		set["workload.placement"] = pick("contiguous", "random", "dealt", "away:1")
	} else {
		set["allocator"] = pick(allocators...)
		set["scheduler.policy"] = pick("fcfs", "easy", "sjf", "cplant")
		if source == "list" {
			delete(set, "workload.jobs")
			set["workload.list"] = []any{map[string]any{"processes": int64(6), "estimate": 1000.0,
				"pattern": pick("ring", "all-reduce-tree", "n-body",
					"training:layers=2,hidden=8,sequence=4,microbatches=1")},
				"pattern = fft; processes = 4; at = 90; estimate = " +
					"500; count = 4"}
		} else {
			set["job.run"] = pick("fixed", "messages", "messages")
		}
		if pick("", "x") == "x" {
			set["scheduler.on_overrun"] = pick("raise", "kill", "extend")
		}
		if rng.IntN(4) == 0 {
			set["scheduler.missing_estimate"] = 2.0
		}
	}
}

// drawPattern draws what jobs send, with sizes that the pattern supports.
func drawPattern(set map[string]any, pick func(...string) string, source string) {
	if source == "list" {
		set["job.scale"] = 0.001
		return
	}
	set["job.pattern"] = pick("all-to-all", "ring", "fft:2+random", "n-body", "multigrid",
		"near-neighbour", "npb-is:S", "npb-is", "all-to-all+n-body",
		"all-reduce-tree", "all-reduce-ring", "one-to-all", "cplant-suite", "call")
	if source == "together" && strings.Contains(set["job.pattern"].(string), "+") {
		set["job.pattern"] = "ring"
	}
	if strings.HasPrefix(set["job.pattern"].(string), "fft") ||
		strings.HasPrefix(set["job.pattern"].(string), "npb") {
		if source == "synthetic" {
			set["workload.side.round"] = "down"
		} else if source != "together" {
			set["workload.round_sizes"] = "down"
		}
	}
	set["job.class"], set["job.repeat"], set["job.scale"] = "S", int64(1), 0.001
}

// drawDetails draws sizes, quotas and settings of the network.
func drawDetails(rng *rand.Rand, set map[string]any, pick func(...string) string, source string) {
	if source == "synthetic" {
		set["workload.side.distribution"] = pick("uniform", "exponential", "fixed")
		switch rng.IntN(6) {
		case 0, 1:
			set["workload.processors"] = int64(4)
		case 2:
			set["workload.size"] = pick("4", "power-of-two:2,8", "2+8:0.4")
		}
		set["workload.side.value"] = int64(2)
	}
	if slices.Contains([]string{"swf", "lublin", "cplant-stream"}, source) {
		switch rng.IntN(3) {
		case 0:
			set["job.quota.per_second"] = "auto"
			if rng.IntN(2) == 0 {
				set["runs.fast_forward"] = 0.2
			}
		case 1:
			set["job.quota.per_second"] = 0.5
		}
	}
	if rng.IntN(3) == 0 {
		channels := 1 + rng.IntN(4)
		set["network.virtual_channels"] = int64(channels)
		if channels > 1 && rng.IntN(2) == 0 {
			set["network.input_speedup"] = int64(0)
		}
	}
	if list := drawnRoutings[set["machine.topology"].(string)]; list != nil && rng.IntN(3) == 0 {
		set["network.routing"] = pick(list...)
	}
	if rng.IntN(3) == 0 {
		if source != "list" {
			set["job.quota.distribution"] = "exponential"
		}
		if source == "synthetic" {
			set["job.quota.mean_iterations"] = 0.5
		}
	}
	if rng.IntN(3) == 0 {
		set["network.buffer_flits"] = int64(8)
		if rng.IntN(2) == 0 {
			set["network.switching"] = "virtual-cut-through"
		}
	}
	if rng.IntN(4) == 0 {
		set["workload.replication_factor"] = int64(2)
	}
	if rng.IntN(4) == 0 {
		if rng.IntN(2) == 0 {
			set["job.cycles_per_second"] = 2.0
			return
		}
		drawUnits(rng, set, source)
	}
}

// drawnRoutings are routings that are not the default.
var drawnRoutings = map[string][]string{
	"mesh":      {"odd-even", "o1turn", "valiant", "romm", "minimal-adaptive", "min-adapt"},
	"torus":     {"valiant", "romm", "minimal-adaptive"},
	"tree":      {"adaptive", "adaptive-credits"},
	"fat-tree":  {"adaptive", "adaptive-credits", "s-mod-k"},
	"dragonfly": {"valiant", "ugal-l", "ugal-g", "par"},
	"hyperx":    {"minimal-adaptive", "valiant", "ugal", "dal"},
	"graph":     {"lash", "shortest"},
}

// drawUnits draws a length of a cycle and keys with units. With a log a cycle is long, so that
// its seconds are few cycles.
func drawUnits(rng *rand.Rand, set map[string]any, source string) {
	ns := []string{"2 ns", "10 s"}
	if source == "swf" || source == "lublin" {
		ns = ns[1:]
	}
	cycle := ns[rng.IntN(len(ns))]
	times := map[string][]string{"2 ns": {"6 ns", "0.02 us", "500 ps"},
		"10 s": {"30 s", "2 min", "0.5 h"}}[cycle]
	set["network.cycle"], set["network.flit_bytes"] = cycle, "4 B"
	for _, key := range []string{"network.routing_cycles", "network.link_cycles",
		"network.credit_cycles", "job.send_cycles"} {
		if rng.IntN(3) == 0 {
			set[key] = times[rng.IntN(len(times))]
		}
	}
	if rng.IntN(3) == 0 {
		set["network.packet_flits"] = "16 B"
	}
	if rng.IntN(3) == 0 {
		set["job.flits"] = "40 B"
	}
}

// otherValues are values to try for keys that have no choices: unlike the
// defaults, legal in most of the specs drawn, and small.
var otherValues = map[string][]any{
	"machine.dims":          {[]any{int64(5), int64(4)}, []any{int64(5)}},
	"machine.wrap":          {[]any{true, false}},
	"machine.concentration": {int64(2)},
	"machine.service_rows":  {[]any{int64(1)}},
	"machine.arity":         {int64(3)},
	"machine.levels":        {int64(5)},
	"machine.nodes":         {int64(13)},
	"machine.up_ports":      {[]any{int64(1)}},
	"machine.group_routers": {int64(3)},
	"machine.global_links":  {int64(4)},
	"machine.groups":        {int64(5)},
	"machine.width":         {[]any{int64(2)}},
	"machine.children":      {[]any{int64(4), int64(2), int64(2)}, []any{int64(8), int64(2)}},
	"machine.parents":       {[]any{int64(1)}},
	"machine.bundle":        {[]any{int64(2)}},
	"machine.rails":         {int64(3)},
	"machine.graph":         {},
	"machine.failures": {[]any{"nodes = 1-3; at = 30; for = 50"},
		[]any{map[string]any{"nodes": "all", "mtbf": 900.0, "mttr": 40.0}},
		[]any{"routers = all; share = 0.2; for = 90"},
		[]any{"links = all; share = 0.1; at = 20; for = 70"}, []any{"links = all; bandwidth = 0.5"}},
	"network.cycle":            {"3 ns", "7 s"},
	"network.packet_flits":     {int64(3)},
	"runs.fast_forward":        {0.05, 0.2},
	"runs.alone":               {true},
	"runs.audits":              {int64(1), int64(3)},
	"network.buffer_flits":     {int64(9)},
	"network.virtual_channels": {int64(3)},
	"network.routing_cycles":   {int64(7)},
	"network.resend_cycles":    {int64(3), int64(90)},
	"network.vc_alloc_cycles":  {int64(1)},
	"network.link_cycles":      {int64(4)},
	"network.flit_cycles":      {int64(3)},
	"network.credit_cycles":    {int64(9)},
	"network.node_link_cycles": {int64(4)},
	"network.node_flit_cycles": {int64(3)}, "network.node_credit_cycles": {int64(4)},
	"network.ejection_credit_cycles": {int64(4)},
	"network.class_link_cycles": {[]any{int64(4), int64(2)}, []any{int64(4)},
		[]any{int64(4), int64(2), int64(3)}},
	"network.class_flit_cycles": {[]any{int64(3), int64(2)}, []any{int64(3)},
		[]any{int64(3), int64(2), int64(4)}},
	"network.flit_bytes":            {int64(2)},
	"network.pad_flits":             {int64(16)},
	"network.injection_ports":       {int64(2)},
	"network.injection_flit_cycles": {5.5},
	"network.congestion_control": {"dcqcn:kmin=0,kmax=1,pmax=1", "throttle:outstanding=4,senders=2",
		"ib-cca:threshold=0,marking_rate=0", "ib-cca:threshold=0 B,marking_rate=0"},
	"workload.start":             {int64(3)},
	"workload.window":            {int64(2)},
	"workload.windows":           {int64(2)},
	"workload.jobs":              {int64(9), int64(3)},
	"workload.processes":         {int64(2)},
	"workload.placement":         {"scattered"},
	"workload.background":        {"idle"},
	"runs.span_order":            {"snake", "optimized", "hilbert/-x"},
	"workload.processors":        {int64(3)},
	"workload.size":              {"power-of-two:1,4", "exponential:3", "2:0.3+3"},
	"workload.side.min":          {int64(2)},
	"workload.side.max":          {int64(2)},
	"workload.side.value":        {int64(1)},
	"workload.interarrival.mean": {7.5},
	"workload.service.mean":      {11.0},
	"workload.system_load":       {0.7},
	"workload.target_load":       {0.3},
	"workload.size_clamp":        {int64(2)},
	"workload.size_divisor":      {int64(3)},
	"workload.work_multiple":     {2.5},
	"workload.load_scale":        {3.0},
	"workload.shake":             {50.0},
	"workload.list": {[]any{"pattern = fft; processes = 8; estimate = 9"},
		[]any{"pattern = n-body; processes = 5; at = 7; estimate = 9; iterations = 2"}},
	"job.rendezvous_bytes":          {int64(1), int64(40)},
	"workload.replication_factor":   {int64(2)},
	"workload.replication_spread":   {5.0},
	"job.pattern":                   {"all-to-one"},
	"job.rules":                     {[]any{"size 2: ring"}, []any{"user 1: one-to-all"}},
	"job.flop_rate":                 {1e3},
	"job.iteration":                 {90.0, 3.0},
	"job.quota.benchmarks":          {0.3},
	"job.flits":                     {int64(19)},
	"job.repeat":                    {int64(2)},
	"job.scale":                     {0.05},
	"job.bytes":                     {int64(200000)},
	"job.compute_cycles":            {int64(33)},
	"job.send_cycles":               {int64(21)},
	"job.receive_cycles":            {int64(21)},
	"job.communication_share":       {0.4},
	"job.assumed_speedup":           {30.0},
	"job.quota.iterations":          {2.0, 7.0},
	"job.quota.messages":            {5.0},
	"job.quota.per_second":          {0.05},
	"job.quota.processes":           {int64(16)},
	"job.cycles_per_second":         {3.0},
	"job.calibrate_on":              {"network.routing_cycles = 9; " + "network.flit_cycles = 3"},
	"scheduler.poll_seconds":        {1000.0},
	"scheduler.missing_estimate":    {9.0},
	"scheduler.max_restarts":        {int64(0), int64(1)},
	"scheduler.decision":            {"random"},
	"network.input_speedup":         {int64(0), int64(2)},
	"network.node_virtual_channels": {int64(0), int64(2)},
	"workload.traffic_load":         {0.3},
	"workload.warmup_cycles":        {int64(90)},
	"workload.window_cycles":        {int64(200)},
	"runs.seed":                     {int64(5)},
	"runs.warmup_jobs":              {int64(2)},
	"runs.cooldown_jobs":            {int64(1)},
	"workload.trace":                {},
	"workload.trace_sha256":         {},
	"allocator":                     {},
	"workload.source":               {},
	"machine.topology":              {},
}

// valuesFor lists values of a key other than the one it has.
func valuesFor(k config.Key, names *config.Registry, s *config.Spec) []any {
	list, ok := otherValues[k.Path]
	switch {
	case k.Path == "network.cycle" && (s.Workload.Source == "swf" || s.Workload.Source == "lublin"):
		return []any{"7 s"} // jobs of seconds take too many nanoseconds
	case ok:
		return list
	case k.Type == "boolean":
		return []any{k.Format(s) != "true"}
	case k.Choices != nil:
		for _, c := range k.Choices {
			list = append(list, c)
		}
	case k.Names != "":
		for _, n := range names.NamesIn(k.Names) {
			list = append(list, n)
		}
	}
	return list
}

// WhenLog is whenLog for tests of package study_test.
func WhenLog(t *testing.T) string { return whenLog(t) }

// DrawStudy draws a study of several points and replications with hundreds of jobs. It reports
// false for one that is not legal.
func DrawStudy(t *testing.T, rng *rand.Rand, log string) (*Study, bool) {
	t.Helper()
	set := drawSettings(rng, log)
	if _, ok := set["workload.jobs"]; ok {
		set["workload.jobs"] = int64(100 + rng.IntN(400))
	}
	axis := [][2]string{{"network.buffer_flits", "2,4,16"}, {"workload.jobs", "50,200,800"},
		{"scheduler.policy", "fcfs,easy"}, {"job.flits", "4,16,64"}}[rng.IntN(4)]
	replications := 2 + rng.IntN(9)
	s := config.Defaults()
	for _, path := range input.SortedKeys(set) {
		if path != axis[0] && s.Assign(path, set[path]) != nil {
			return nil, false
		}
	}
	st := &Study{Name: "drawn", Base: s.Spec, Runs: s.Runs}
	st.Runs.Replications = replications
	if st.SetAxis(axis[0], axis[1]) != nil || st.Check() != nil {
		return nil, false
	}
	return st, true
}
