package tune

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/study"
)

// Tuner searches the parameters of tie-breaking that make the jobs of a log most
// compact, as in [Johnson, Bunde and Leung 2010, sec. III]: first all vectors of
// a box, then "a search algorithm that tried parameter values near the best
// results so far".
//
// The next vectors depend on results alone. The same search gives the same answer
// with any number of workers, and an interrupted search resumes from its folder.
type Tuner struct {
	// Runner makes the runs; its folder keeps them.
	Runner *experiments.Runner
	// Study is the result of TuneStudy, with the user's changes.
	Study *study.Study
	// Box is the range that the search tries exhaustively.
	Box Box
	// Rounds is the largest number of rounds of local search, from 0. The search
	// ends earlier if a round has no new vectors.
	Rounds int
	// Beam is the number of different best results around which a round
	// searches, one vector for each, from 1.
	Beam int
}

// Trial is a vector that was tried.
type Trial struct {
	Vector Vector  // the parameters
	Round  int     // round of local search, 0 for the box
	Value  float64 // mean of the metric
	Gain   float64 // percent by which Value is below that without tie-breaking
	Equal  int     // vectors with the same results in every metric, from 1

	runs []metrics.Result
}

// Tuning is the result of a search.
type Tuning struct {
	Metric string  // the metric that the search makes small
	Base   float64 // its value without tie-breaking
	// Trials has all vectors that were tried, the best first and equally good
	// ones in order of the vectors.
	Trials []Trial
	Rounds int // rounds of local search that were made

	tried map[Vector]bool
	base  Trial
}

// TuneStudy returns the study for a search on a log. Every job runs for its time
// in the log, on a mesh as nearly square as the log's machine allows, as in
// [Johnson et al. 2010, sec. I].
func TuneStudy(trace, policy, metric string) *study.Study {
	st := &study.Study{Title: "Parameters of tie-breaking", Base: spec.DefaultSpec(),
		Runs: spec.Defaults().Runs, Primary: []string{metric}}
	st.Name = "tune"
	if trace != "" {
		st.Name = "tune-" + input.LogName(trace)
	}
	st.Runs.Replications = 1
	b := &st.Base
	b.Workload.Source, b.Workload.Trace, b.Workload.Jobs = "swf", trace, 0
	b.Job.Run, b.Scheduler.Policy, b.Scheduler.OnOverrun = "fixed", policy, "raise"
	b.Allocator.Name = "mc1x1-tie"
	return st
}

// Run makes the search. It returns the finished trials even with an error.
func (t *Tuner) Run(ctx context.Context) (*Tuning, error) {
	found := &Tuning{Metric: t.Study.Primary[0], tried: map[Vector]bool{}}
	err := t.try(ctx, found, append([]Vector{{}}, t.Box.Vectors()...), 0)
	for round := 1; err == nil && round <= t.Rounds; round++ {
		var next []Vector
		for _, v := range found.best(t.Beam) {
			for _, n := range t.near(v) {
				if !found.tried[n] && !slices.Contains(next, n) {
					next = append(next, n)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		found.Rounds = round
		err = t.try(ctx, found, next, round)
	}
	return found, err
}

// try makes the runs of some vectors and sorts all trials.
func (t *Tuner) try(ctx context.Context, found *Tuning, vectors []Vector, round int) error {
	results, err := t.Runner.Study(ctx, t.with(vectors))
	if err != nil {
		return err
	}
	for i, v := range vectors {
		found.tried[v] = true
		e, ok := results.Estimate(i, found.Metric)
		if !ok {
			return input.Bad("metric", "contend list metrics shows all; the runs have "+
				strings.Join(results.Metrics(), ", "),
				"the runs have no metric %s", found.Metric)
		}
		trial := Trial{Vector: v, Round: round, Value: e.Mean, runs: results.Runs[i]}
		if v == (Vector{}) {
			found.Base, found.base = e.Mean, trial
			continue
		}
		found.Trials = append(found.Trials, trial)
	}
	for i := range found.Trials {
		if found.Base == 0 {
			break // nothing can be gained
		}
		found.Trials[i].Gain = 100 * (1 - found.Trials[i].Value/found.Base)
	}
	slices.SortFunc(found.Trials, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), compareVectors(a.Vector, b.Vector))
	})
	return nil
}

// with returns the study with an axis of the vectors.
func (t *Tuner) with(vectors []Vector) *study.Study {
	st := *t.Study
	axis := study.Axis{Key: "allocator"}
	for _, v := range vectors {
		axis.Values = append(axis.Values, v.allocator(st.Base.Allocator).String())
	}
	st.Axes = []study.Axis{axis}
	st.Base.Allocator = Vector{}.allocator(st.Base.Allocator)
	return &st
}

// best returns the first vector of each of the n best different values.
func (f *Tuning) best(n int) []Vector {
	var best []Vector
	for i, t := range f.Trials {
		if i > 0 && t.Value == f.Trials[i-1].Value {
			continue
		}
		if len(best) == n {
			break
		}
		best = append(best, t.Vector)
	}
	return best
}

// jumps is the number of random neighbours of a vector.
const jumps = 8

// near lists the neighbours of a vector: those with one component changed by one;
// those with all factors doubled and one of them then changed by one, which are
// finer ratios; and random ones with all factors changed by up to a quarter. The
// random stream depends on the vector.
func (t *Tuner) near(v Vector) []Vector {
	var list []Vector
	add := func(n Vector) {
		for _, x := range n {
			if x < 0 || x > maxComponent {
				return
			}
		}
		if n = n.Plain(); n != (Vector{}) && n != v && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	double := Vector{v[0], 2 * v[1], 2 * v[2], 2 * v[3]}
	for i := range v {
		for _, step := range []int{-1, 1} {
			n, m := v, double
			n[i] += step
			add(n)
			if i > 0 {
				m[i] += step
				add(m)
			}
		}
	}
	rng := rand.New(rand.NewPCG(uint64(t.Study.Base.Seed),
		uint64(v[0])<<48^uint64(v[1])<<32^uint64(v[2])<<16^uint64(v[3])))
	for range jumps {
		n := v
		for i := 1; i < len(n); i++ {
			reach := max(1, n[i]/4)
			n[i] += rng.IntN(2*reach+1) - reach
		}
		add(n)
	}
	return list
}

// Finish counts equal results, writes tune.csv and the files of every study, and
// returns the results, the best vector first.
func (t *Tuner) Finish(found *Tuning, names spec.Names) (*experiments.Results, error) {
	found.countEqual()
	vectors := []Vector{{}}
	for _, trial := range found.Trials {
		vectors = append(vectors, trial.Vector)
	}
	st := t.with(vectors)
	results, err := t.Runner.Folder.Results(st, names)
	if err != nil {
		return nil, err
	}
	if err := t.Runner.Folder.WriteStudy(st); err != nil {
		return nil, fmt.Errorf("the spec: %w", err)
	}
	if err := t.Runner.Folder.Finish(results); err != nil {
		return nil, err
	}
	return results, found.write(t.Runner.Folder.Dir)
}

// countEqual sets the field Equal of every trial.
func (f *Tuning) countEqual() {
	groups := map[string]int{}
	text := func(t *Trial) string { return fmt.Sprint(t.runs) }
	for i := range f.Trials {
		groups[text(&f.Trials[i])]++
	}
	for i := range f.Trials {
		f.Trials[i].Equal = groups[text(&f.Trials[i])]
	}
}
