package experiments

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every key says when it acts, and nothing else does.
func TestEveryKeySaysWhenItActs(t *testing.T) {
	known := map[string]bool{}
	for _, k := range Keys() {
		if known[k.Path] = true; k.Path == "runs.seed" {
			continue
		}
		if _, ok := conditions()[k.Path]; !ok {
			t.Errorf("%s does not say when it acts", k.Path)
		}
	}
	for path := range conditions() {
		if !known[path] {
			t.Errorf("%s is no key", path)
		}
	}
}

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
		fmt.Fprintf(&b, "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1\n", i+1, 13*i+rng.IntN(9), run, size, size, estimate)
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
	topology := pick("mesh", "torus", "tree", "hypercube", "mesh")
	set["machine.topology"] = topology
	allocators := []string{"random", "sequential", "mm", "mc1x1", "mc1x1-tie", "hilbert/best-fit-1d", "free-list"}
	switch topology {
	case "mesh", "torus":
		set["machine.dims"] = []any{int64(4), int64(4)}
		allocators = append(allocators, "first-fit", "best-fit", "paging:0", "mbs", "mc", "mm-inc", "optimal", "gen-alg", "buddy2d", "frame-sliding", "paging:1", "ptas")
	case "hypercube":
		set["machine.dims"] = []any{int64(4)}
		allocators = []string{"random", "sequential"}
	case "tree":
		set["machine.arity"], set["machine.levels"] = int64(2), int64(4)
		allocators = []string{"random", "sequential", "contiguous", "quasi-contiguous:40"}
	}
	if rng.IntN(10) == 0 {
		delete(set, "workload.jobs")
		set["workload.source"], set["workload.traffic"] = "traffic", pick("uniform", "hotspot", "uniform")
		set["workload.warmup_cycles"], set["workload.window_cycles"] = int64(50), int64(300)
		return set
	}
	source := pick("synthetic", "swf", "swf", "lublin", "cplant-stream", "together")
	set["workload.source"] = source
	if source == "swf" {
		set["workload.trace"] = log
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
		set["job.run"] = pick("fixed", "messages", "messages")
		if pick("", "x") == "x" {
			set["scheduler.on_overrun"] = pick("raise", "kill", "extend")
		}
		if rng.IntN(4) == 0 {
			set["scheduler.missing_estimate"] = "factor"
		}
	}
	set["job.pattern"] = pick("all-to-all", "ring", "fft:2+random", "n-body", "multigrid", "near-neighbour", "npb-is:S", "npb-is",
		"all-reduce-tree", "all-reduce-ring", "one-to-all", "cplant-suite", "call")
	if source == "together" && strings.Contains(set["job.pattern"].(string), "+") {
		set["job.pattern"] = "ring"
	}
	if strings.HasPrefix(set["job.pattern"].(string), "fft") || strings.HasPrefix(set["job.pattern"].(string), "npb") {
		if source == "synthetic" {
			set["workload.side.round"] = "down"
		} else if source != "together" {
			set["workload.round_sizes"] = "down"
		}
	}
	set["job.class"], set["job.repeat"], set["job.scale"] = "S", int64(1), 0.001
	if source == "synthetic" {
		set["workload.side.distribution"] = pick("uniform", "exponential", "fixed")
		if rng.IntN(3) == 0 {
			set["workload.processors"] = int64(4)
		}
		set["workload.side.value"] = int64(2)
	}
	if slices.Contains([]string{"swf", "lublin", "cplant-stream"}, source) {
		switch rng.IntN(3) {
		case 0:
			set["job.quota.per_second"] = "auto"
		case 1:
			set["job.quota.per_second"] = 0.5
		}
	}
	if rng.IntN(3) == 0 {
		set["network.virtual_channels"] = int64(1 + rng.IntN(4))
	}
	if rng.IntN(3) == 0 {
		set["job.quota.distribution"] = "exponential"
	}
	if rng.IntN(3) == 0 {
		set["network.buffer_flits"] = int64(8)
	}
	if rng.IntN(4) == 0 {
		set["workload.replication_factor"] = int64(2)
	}
	return set
}

// otherValues are values to try for keys that have no choices: unlike the
// defaults, legal in most of the specs drawn, and small.
var otherValues = map[string][]any{
	"machine.dims": {[]any{int64(5), int64(4)}, []any{int64(5)}}, "machine.wrap": {[]any{true, false}}, "machine.concentration": {int64(2)},
	"machine.service_rows": {[]any{int64(1)}}, "machine.arity": {int64(3)}, "machine.levels": {int64(5)}, "machine.nodes": {int64(13)},
	"machine.up_ports":     {[]any{int64(1)}},
	"network.packet_flits": {int64(3)}, "network.buffer_flits": {int64(9)}, "network.virtual_channels": {int64(3)},
	"network.routing_cycles": {int64(7)}, "network.link_cycles": {int64(4)}, "network.flit_cycles": {int64(3)}, "network.credit_cycles": {int64(9)},
	"network.flit_bytes": {int64(2)}, "network.pad_flits": {int64(16)}, "network.injection_ports": {int64(2)}, "network.injection_flit_cycles": {5.5},
	"workload.start": {int64(3)}, "workload.window": {int64(2)}, "workload.jobs": {int64(9), int64(3)}, "workload.processes": {int64(2)},
	"workload.placement": {"scattered"}, "workload.background": {"idle"}, "workload.processors": {int64(3)}, "workload.side.min": {int64(2)},
	"workload.side.max": {int64(2)}, "workload.side.mean": {1.1}, "workload.side.value": {int64(1)}, "workload.interarrival.mean": {7.5},
	"workload.service.mean": {11.0}, "workload.system_load": {0.7}, "workload.target_load": {0.3}, "workload.size_clamp": {int64(2)},
	"workload.size_divisor": {int64(3)}, "workload.work_multiple": {2.5}, "workload.load_scale": {3.0}, "workload.shake": {50.0},
	"workload.replication_factor": {int64(2)}, "workload.replication_spread": {5.0}, "job.pattern": {"all-to-one"}, "job.flits": {int64(19)},
	"job.repeat": {int64(2)}, "job.scale": {0.05}, "job.bytes": {int64(200000)}, "job.levels": {int64(1)}, "job.compute_cycles": {int64(33)},
	"job.send_cycles": {int64(21)}, "job.receive_cycles": {int64(21)}, "job.communication_share": {0.4}, "job.assumed_speedup": {30.0},
	"job.quota.iterations": {2.0, 7.0}, "job.quota.messages": {5.0}, "job.quota.per_second": {0.05}, "job.quota.processes": {int64(16)},
	"job.cycles_per_second": {3.0}, "job.calibrate_on": {"network.routing_cycles = 9; network.flit_cycles = 3"},
	"scheduler.poll_seconds": {1000.0}, "scheduler.estimate_factor": {9.0}, "scheduler.decision": {"random"},
	"allocator.page": {int64(1)}, "allocator.order": {"snake", "hilbert"}, "allocator.qct": {int64(5)}, "allocator.scan_radius": {int64(1)},
	"allocator.available": {int64(0)}, "allocator.wall": {int64(0)}, "allocator.border": {int64(90)}, "allocator.limit": {int64(1)}, "allocator.m": {int64(2)},
	"network.input_speedup": {int64(0), int64(2)},
	"workload.traffic_load": {0.3}, "workload.warmup_cycles": {int64(90)}, "workload.window_cycles": {int64(200)},
	"runs.seed": {int64(5)}, "workload.trace": {}, "workload.trace_sha256": {}, "allocator.name": {}, "workload.source": {},
	"machine.topology": {},
}

// valuesFor lists values of a key other than the one it has.
func valuesFor(k Key, names Names, s *Spec) []any {
	list, ok := otherValues[k.Path]
	switch {
	case ok:
		return list
	case k.Type == "boolean":
		return []any{k.format(s) != "true"}
	case k.Choices != nil:
		for _, c := range k.Choices {
			list = append(list, c)
		}
	case k.Names != "":
		for _, n := range names.List(k.Names) {
			list = append(list, n)
		}
	}
	return list
}

// withoutPhysics are keys that act without changing what is simulated.
var withoutPhysics = []string{"network.engine", "workload.trace_sha256"}

// metricsOf is everything a run says.
func metricsOf(sim *Simulator, s Spec, replication int) (string, error) {
	r, err := sim.Run(context.Background(), s, replication, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(r.Metrics), nil
}

// TestKeysActOrAreRefused draws studies at random. A key that does not act in
// one is refused where it is set, and even when it is there changes nothing, not
// the hash either; a key that acts changes the hash, and over all studies its
// effect is seen in what is simulated.
func TestKeysActOrAreRefused(t *testing.T) {
	least, most := 60, 1500 // studies
	if testing.Short() {
		least, most = 15, 15
	}
	names, log := BuiltinNames(), whenLog(t)
	rng := rand.New(rand.NewPCG(2026, 11))
	acted, tried, effect := map[string]int{}, map[string]int{}, map[string]bool{}
	silent := func(k Key) bool { // nobody has seen what it does
		return k.Identity && !effect[k.Path] && len(valuesFor(k, names, new(DefaultSpec()))) > 0 && !slices.Contains(withoutPhysics, k.Path)
	}
	made := 0
	for n := 0; made < least || made < most && slices.ContainsFunc(Keys(), silent); n++ {
		if n > 40*most {
			t.Fatal("hardly any study that was drawn is legal")
		}
		base, ok := drawnSpec(t, drawSettings(rng, log), names)
		if !ok {
			continue
		}
		sim := &Simulator{}
		rare := func(k Key) bool { return silent(k) && k.acts(&base) }
		if made >= least && !slices.ContainsFunc(Keys(), rare) {
			continue
		}
		plain, err := metricsOf(sim, base, 1)
		if err != nil {
			continue // such as a pattern that is none for the sizes drawn
		}
		made++
		for _, k := range Keys() {
			if !k.Identity || made > least && !silent(k) {
				continue // has been seen often enough
			}
			checkKey(t, sim, k, &base, plain, names, rng, acted, tried, effect)
		}
	}
	if testing.Short() {
		return
	}
	for _, k := range Keys() {
		if silent(k) {
			t.Errorf("of %d studies %s acts in %d, was changed %d times, and changed nothing", made, k.Path, acted[k.Path], tried[k.Path])
		}
	}
}

// drawnSpec returns the point of a study that sets what was drawn and can act.
func drawnSpec(t *testing.T, set map[string]any, names Names) (Spec, bool) {
	t.Helper()
	s := defaults()
	for _, path := range sortedKeys(set) {
		if err := s.assign(path, set[path], names); err != nil {
			return Spec{}, false
		}
	}
	st := &Study{Name: "drawn", Base: s.spec, Runs: s.runs}
	points, err := st.Points(names)
	if err != nil {
		return Spec{}, false
	}
	return points[0].Spec, true
}

// checkKey changes one key of a run, or sees it refused.
func checkKey(t *testing.T, sim *Simulator, k Key, base *Spec, plain string, names Names, rng *rand.Rand, acted, tried map[string]int, effect map[string]bool) {
	list := valuesFor(k, names, base)
	if len(list) == 0 {
		return
	}
	raw := list[rng.IntN(len(list))]
	with := settings{spec: *base}
	if err := with.assign(k.Path, raw, names); err != nil || with.spec.Canonical() == base.Canonical() && k.acts(&with.spec) {
		return // its own value
	}
	if !k.acts(&with.spec) {
		if k.acts(base) {
			return // with the value it has
		}
		// Setting it is refused, with the reason.
		st := &Study{Name: "drawn", Base: with.spec, given: []given{{path: k.Path}}}
		err := st.checkPoints(names)
		if err == nil || !strings.Contains(err.Problem, "no effect") {
			t.Errorf("%s = %v acts not, and was not refused: %v\n%s", k.Path, raw, err, base.Canonical())
		}
		// And it is inert: neither hash nor physics know of it.
		quiet := with.spec
		quiet.settle()
		if quiet.Hash() != base.Hash() {
			t.Errorf("%s = %v acts not, and changes the hash:\n%s\n%s", k.Path, raw, base.Canonical(), quiet.Canonical())
		}
		if !strings.HasPrefix(k.Path, "job.quota.") && rng.IntN(6) == 0 {
			if got, err := metricsOf(sim, with.spec, 1); err == nil && got != plain {
				t.Errorf("%s = %v acts not, and changes the run:\n%s", k.Path, raw, base.Canonical())
			}
		}
		return
	}
	acted[k.Path]++
	if with.spec.Hash() == base.Hash() {
		t.Errorf("%s = %v acts, and is not in the hash", k.Path, raw)
	}
	if with.spec.Check() != nil || effect[k.Path] && rng.IntN(8) > 0 {
		return
	}
	got, err := metricsOf(sim, with.spec, 1)
	if err != nil {
		return // not legal here
	}
	if tried[k.Path]++; got != plain {
		effect[k.Path] = true
	}
}

// jobsOf lists the jobs of a run: everything that is drawn for them, and what users
// estimate where that is asked for.
func jobsOf(t *testing.T, s *Spec, replication int, estimates bool) string {
	t.Helper()
	sim := &Simulator{}
	u, err := sim.prepare(s, replication)
	if err != nil {
		return "error " + err.Error()
	}
	var b strings.Builder
	for {
		j, err := u.work.source.Next()
		if err != nil {
			break
		}
		if !estimates {
			j.Estimate = 0
		}
		fmt.Fprintln(&b, j.ID, j.Submit, j.Size, j.Shape, j.RunTime, j.Estimate, j.Quota, j.Pattern, j.Seed)
	}
	return b.String()
}

// TestComparedCasesSeeTheSameJobs: whatever an axis is about, if it is not what
// makes the jobs, all its points have the same ones.
func TestComparedCasesSeeTheSameJobs(t *testing.T) {
	studies := 60
	if testing.Short() {
		studies = 15
	}
	names, log := BuiltinNames(), whenLog(t)
	rng := rand.New(rand.NewPCG(7, 11))
	compared := 0
	for n := 0; compared < 8*studies && n < 100*studies; n++ {
		base, ok := drawnSpec(t, drawSettings(rng, log), names)
		if !ok || base.Workload.Source == "together" || base.Workload.Source == "traffic" {
			continue
		}
		k := Keys()[rng.IntN(len(Keys()))]
		list := []any(nil)
		if k.Identity && !makesJobs(k.Path) && k.Path != "runs.seed" && k.Path != "job.calibrate_on" && !strings.HasPrefix(k.Path, "machine.") {
			list = valuesFor(k, names, &base)
		}
		if k.Path == "scheduler.policy" && base.Scheduler.MissingEstimate != "runtime" {
			list = nil // estimates are there for the policies that read them
		}
		if len(list) == 0 || k.Path == "scheduler.on_overrun" || k.Path == "scheduler.missing_estimate" || k.Path == "scheduler.estimate_factor" {
			continue // the last three say what estimates are
		}
		with := settings{spec: base}
		raw := list[rng.IntN(len(list))]
		if with.assign(k.Path, raw, names) != nil || !k.acts(&with.spec) || with.spec.Check() != nil {
			continue
		}
		st := &Study{Name: "compared", Base: base, Runs: defaults().runs,
			Axes: []Axis{{Key: k.Path, Values: []any{current(&k, &base), raw}}}}
		points, err := st.Points(names)
		if err != nil {
			continue
		}
		// A policy that looks at no estimates leaves them as the log has them.
		first, second := &points[0].Spec, &points[1].Spec
		estimates := first.Scheduler.usesEstimates() == second.Scheduler.usesEstimates()
		a, b := jobsOf(t, first, 2, estimates), jobsOf(t, second, 2, estimates)
		if strings.HasPrefix(a, "error") || strings.HasPrefix(b, "error") {
			continue
		}
		if compared++; a != b {
			t.Errorf("the axis %s = %v changes the jobs of\n%s\n%s\n%s", k.Path, raw, base.Canonical(), a, b)
		}
	}
	if compared < 4*studies {
		t.Errorf("only %d comparisons", compared)
	}
}

// current is the value a key has, as the TOML library would give it.
func current(k *Key, s *Spec) any {
	raw, err := parseTOML(k.format(s))
	if err != nil {
		panic(err)
	}
	return raw
}

// TestRunsWithoutDrawsAreOne: where Draws says that nothing is drawn, other
// seeds and replications give the same run.
func TestRunsWithoutDrawsAreOne(t *testing.T) {
	studies := 40
	if testing.Short() {
		studies = 10
	}
	names, log := BuiltinNames(), whenLog(t)
	rng := rand.New(rand.NewPCG(3, 4))
	once, drawn := 0, 0
	for n := 0; once+drawn < studies && n < 100*studies; n++ {
		s, ok := drawnSpec(t, drawSettings(rng, log), names)
		if !ok {
			continue
		}
		sim := &Simulator{}
		a, err := metricsOf(sim, s, 0)
		if err != nil {
			continue
		}
		other := s
		other.Seed = 77
		b, err := metricsOf(sim, other, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !s.varies() {
			if once++; a != b {
				t.Errorf("nothing is drawn, and another seed gives another run:\n%s", s.Canonical())
			}
		} else {
			drawn++
		}
	}
	if once == 0 || drawn == 0 {
		t.Errorf("%d studies draw, %d do not", drawn, once)
	}
}
