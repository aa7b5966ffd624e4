package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/sim"
	"contend/internal/input"
	"contend/internal/must"
)

// withoutPhysics are keys that act without changing what is simulated. workload.windows acts by
// workload.window, which a study sets.
var withoutPhysics = []string{"network.engine", "workload.trace_sha256", "workload.windows"}

// metricsOf is everything a run says.
func metricsOf(simulator *sim.Simulator, s config.Spec, replication int) (string, error) {
	r, err := configtest.Run(context.Background(), simulator.Run, s, replication, nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(r.Metrics), nil
}

// TestKeysActOrAreRefused draws studies at random. A key that does not act in
// one is refused where it is set, and even when it is there changes nothing, not
// the hash either; a key that acts changes the hash, and over all studies its
// effect is seen in what is simulated.
func TestKeysActOrAreRefused(t *testing.T) { keysActOrAreRefused(t, 15, 15) }

// pathsOf returns the paths of the keys for which a function holds.
func pathsOf(keys []config.Key, holds func(config.Key) bool) (list []string) {
	for _, k := range keys {
		if holds(k) {
			list = append(list, k.Path)
		}
	}
	return list
}

// keysActOrAreRefused draws least studies, and up to most until every key has had an effect. Where
// these are as many, not every key need have one.
func keysActOrAreRefused(t *testing.T, least, most int) {
	names, log := config.Builtin(), whenLog(t)
	rng := rand.New(rand.NewPCG(2026, 11))
	acted, tried, effect := map[string]int{}, map[string]int{}, map[string]bool{}
	silent := func(k config.Key) bool { // nobody has seen what it does
		return k.Identity && !effect[k.Path] &&
			len(valuesFor(k, names, new(config.DefaultSpec()))) > 0 &&
			!slices.Contains(withoutPhysics, k.Path)
	}
	made := 0
	for n := 0; made < least || made < most && slices.ContainsFunc(config.Keys(), silent); n++ {
		if n > 40*most {
			t.Fatalf("hardly any study that was drawn is legal, or none shows what %v do",
				pathsOf(config.Keys(), silent))
		}
		base, ok := drawnSpec(t, drawSettings(rng, log), names)
		if !ok {
			continue
		}
		simulator := &sim.Simulator{}
		rare := func(k config.Key) bool { return silent(k) && k.Acts(&base) }
		if made >= least && !slices.ContainsFunc(config.Keys(), rare) {
			continue
		}
		plain, err := metricsOf(simulator, base, 1)
		if err != nil {
			continue // such as a pattern that is none for the sizes drawn
		}
		made++
		for _, k := range config.Keys() {
			if !k.Identity || made > least && !silent(k) {
				continue // has been seen often enough
			}
			checkKey(t, simulator, k, &base, plain, names, rng, acted, tried, effect)
		}
	}
	if least == most {
		return
	}
	for _, k := range config.Keys() {
		if silent(k) {
			t.Errorf("of %d studies %s acts in %d, was changed %d times, and changed nothing", made,
				k.Path, acted[k.Path], tried[k.Path])
		}
	}
}

// drawnSpec returns the point of a study that sets what was drawn and can act.
func drawnSpec(t *testing.T, set map[string]any, names *config.Registry) (config.Spec, bool) {
	t.Helper()
	s := config.Defaults()
	for _, path := range input.SortedKeys(set) {
		if err := s.Assign(path, set[path]); err != nil {
			return config.Spec{}, false
		}
	}
	st := &Study{Name: "drawn", Base: s.Spec, Runs: s.Runs}
	points, err := st.Points()
	if err != nil {
		return config.Spec{}, false
	}
	return points[0].Spec, true
}

// checkKey changes one key of a run, or sees it refused.
func checkKey(t *testing.T, simulator *sim.Simulator, k config.Key, base *config.Spec, plain string,
	names *config.Registry, rng *rand.Rand, acted, tried map[string]int, effect map[string]bool) {
	list := valuesFor(k, names, base)
	if len(list) == 0 {
		return
	}
	raw := list[rng.IntN(len(list))]
	with := config.Settings{Spec: *base}
	if err := with.Assign(k.Path, raw); err != nil || with.Spec.Resolve() != nil ||
		with.Spec.Canonical() == base.Canonical() && k.Acts(&with.Spec) {
		return // its own value
	}
	if !k.Acts(&with.Spec) {
		if k.Acts(base) || k.OneOf != "" && base.Job.Quota.MeanIterations > 0 {
			return // with the value it has, or it takes the place of another quota
		}
		// Setting it is refused, with the reason, unless to the default.
		st := &Study{Name: "drawn", Base: with.Spec, given: []given{{path: k.Path}}}
		err := st.checkPoints()
		if st.atDefault(k.Path) {
			if err != nil {
				t.Errorf("%s = %v is the default, and was refused: %v", k.Path, raw, err)
			}
		} else if err == nil || !strings.Contains(err.Problem, "no effect") {
			t.Errorf("%s = %v acts not, and was not refused: %v\n%s", k.Path, raw, err,
				base.Canonical())
		}
		// And it is inert: neither hash nor physics know of it.
		quiet := with.Spec
		quiet.Normalize()
		if quiet.Hash() != base.Hash() {
			t.Errorf("%s = %v acts not, and changes the hash:\n%s\n%s", k.Path, raw,
				base.Canonical(), quiet.Canonical())
		}
		if !strings.HasPrefix(k.Path, "job.quota.") && rng.IntN(6) == 0 {
			if got, err := metricsOf(simulator, with.Spec, 1); err == nil && got != plain {
				t.Errorf("%s = %v acts not, and changes the run:\n%s", k.Path, raw,
					base.Canonical())
			}
		}
		return
	}
	acted[k.Path]++
	if with.Spec.Hash() == base.Hash() {
		t.Errorf("%s = %v acts, and is not in the hash", k.Path, raw)
	}
	if with.Spec.Check() != nil || effect[k.Path] && rng.IntN(8) > 0 {
		return
	}
	got, err := metricsOf(simulator, with.Spec, 1)
	if err != nil {
		return // not legal here
	}
	if tried[k.Path]++; got != plain {
		effect[k.Path] = true
	}
}

// jobsOf lists the jobs of a run: everything that is drawn for them, and what users
// estimate where that is asked for.
func jobsOf(t *testing.T, s *config.Spec, replication int, estimates bool) string {
	t.Helper()
	simulator := &sim.Simulator{}
	u, err := simulator.Prepare(configtest.Plan(t, *s), replication)
	if err != nil {
		return "error " + err.Error()
	}
	var b strings.Builder
	for {
		j, err := u.Work.Source.Next()
		if err != nil {
			break
		}
		if !estimates {
			j.Estimate = 0
		}
		fmt.Fprintln(&b, j.ID, j.Submit, j.Size, j.Shape, j.RunTime, j.Estimate, j.Quota, j.Pattern,
			j.Seed)
	}
	return b.String()
}

// TestComparedCasesSeeTheSameJobs: whatever an axis is about, if it is not what
// makes the jobs, all its points have the same ones.
func TestComparedCasesSeeTheSameJobs(t *testing.T) {
	const studies = 20
	names, log := config.Builtin(), whenLog(t)
	rng := rand.New(rand.NewPCG(7, 11))
	compared := 0
	for n := 0; compared < 8*studies && n < 100*studies; n++ {
		base, ok := drawnSpec(t, drawSettings(rng, log), names)
		if !ok || base.Workload.Source == "together" || base.Workload.Source == "traffic" {
			continue
		}
		k := config.Keys()[rng.IntN(len(config.Keys()))]
		list := []any(nil)
		if k.Identity && !config.MakesJobs(k.Path) && k.Path != "runs.seed" &&
			k.Path != "job.calibrate_on" && !strings.HasPrefix(k.Path, "machine.") {
			list = valuesFor(k, names, &base)
		}
		if k.Path == "scheduler.policy" && base.Scheduler.MissingEstimate > 1 {
			list = nil // estimates are there for the policies that read them
		}
		if len(list) == 0 || k.Path == "scheduler.on_overrun" ||
			k.Path == "scheduler.missing_estimate" {
			continue // the last two say what estimates are
		}
		if k.Path == "network.flit_bytes" && slices.ContainsFunc(input.SortedKeys(base.Given),
			func(path string) bool { return strings.HasPrefix(path, "job.") }) {
			continue // other flits make up a message of these bytes
		}
		with := config.Settings{Spec: base}
		raw := list[rng.IntN(len(list))]
		if with.Assign(k.Path, raw) != nil || with.Spec.Resolve() != nil ||
			!k.Acts(&with.Spec) || with.Spec.Check() != nil {
			continue
		}
		st := &Study{Name: "compared", Base: base, Runs: config.Defaults().Runs,
			Axes: []Axis{{Key: k.Path, Values: []any{current(&k, &base), raw}}}}
		points, err := st.Points()
		if err != nil {
			continue
		}
		// A policy that looks at no estimates leaves them as the log has them.
		first, second := &points[0].Spec, &points[1].Spec
		estimates := first.UsesEstimates() == second.UsesEstimates()
		a, b := jobsOf(t, first, 2, estimates), jobsOf(t, second, 2, estimates)
		if strings.HasPrefix(a, "error") || strings.HasPrefix(b, "error") {
			continue
		}
		if compared++; a != b {
			t.Errorf("the axis %s = %v changes the jobs of\n%s\n%s\n%s", k.Path, raw,
				base.Canonical(), a, b)
		}
	}
	if compared < 4*studies {
		t.Errorf("only %d comparisons", compared)
	}
}

// current is the value a key has, as the TOML library would give it.
func current(k *config.Key, s *config.Spec) any {
	raw, err := input.ParseTOML(k.Format(s))
	if err != nil {
		panic(err)
	}
	return raw
}

// TestRunsWithoutDrawsAreOne: where Draws says that nothing is drawn, other
// seeds and replications give the same run.
func TestRunsWithoutDrawsAreOne(t *testing.T) {
	const studies = 30
	names, log := config.Builtin(), whenLog(t)
	rng := rand.New(rand.NewPCG(3, 4))
	once, drawn := 0, 0
	for n := 0; once+drawn < studies && n < 100*studies; n++ {
		s, ok := drawnSpec(t, drawSettings(rng, log), names)
		if !ok {
			continue
		}
		simulator := &sim.Simulator{}
		a, err := metricsOf(simulator, s, 0)
		if err != nil {
			continue
		}
		other := s
		other.Seed = 77
		b := must.Have(metricsOf(simulator, other, 1))
		if !s.Varies() {
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
