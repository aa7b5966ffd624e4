package tune

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// Tuner searches the parameters of tie-breaking that make jobs of a log most
// compact, as [Johnson, Bunde and Leung 2010, sec. III] did: all vectors of a box
// first, and then "a search algorithm that tried parameter values near the best
// results so far".
//
// What is tried next depends on results alone, so the same search gives the
// same answer at any number of workers, and one that was interrupted goes on
// from what its folder holds.
type Tuner struct {
	// Runner makes the runs; its folder keeps them.
	Runner *experiments.Runner
	// Study is what TuneStudy returned, with the user's changes.
	Study *experiments.Study
	// Box is searched exhaustively.
	Box Box
	// Rounds is how often vectors near the best ones are tried at most: the
	// search ends where all of these have been.
	Rounds int
	// Beam is how many of the best are looked around in a round: one of each
	// of so many different results.
	Beam int
}

// Trial is a vector that was tried.
type Trial struct {
	Vector Vector
	// Round is that of the local search, 0 for the box.
	Round int
	// Value is the mean of the metric searched for.
	Value float64
	// Gain is by how many percent it is less than without tie-breaking.
	Gain float64
	// Equal counts the vectors with the same results in every metric, this
	// one included.
	Equal int

	runs []cosim.Result
}

// Tuning is what a search found.
type Tuning struct {
	Metric string
	// Base is the metric without tie-breaking.
	Base float64
	// Trials are all vectors tried, the best first; of equal ones the least.
	Trials []Trial
	// Rounds is how many rounds of local search there were.
	Rounds int

	tried map[Vector]bool
	base  Trial
}

// TuneStudy returns the study of a search on a log: every job runs for the time
// in the log on a mesh as nearly square as the log's machine allows, as in
// [Johnson et al. 2010, sec. I].
func TuneStudy(trace, policy, metric string) *experiments.Study {
	st := &experiments.Study{Title: "Parameters of tie-breaking", Base: spec.DefaultSpec(),
		Runs: spec.Defaults().Runs, Primary: []string{metric}}
	st.Name = "tune"
	if trace != "" {
		st.Name = "tune-" + spec.LogName(trace)
	}
	st.Runs.Replications = 1
	b := &st.Base
	b.Workload.Source, b.Workload.Trace, b.Workload.Jobs = "swf", trace, 0
	b.Job.Run, b.Scheduler.Policy, b.Scheduler.OnOverrun = "fixed", policy, "raise"
	b.Allocator.Name = "mc1x1-tie"
	return st
}

// Run searches. With an error come the trials made so far, if any.
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

// try makes the runs of some vectors and puts the trials in order.
func (t *Tuner) try(ctx context.Context, found *Tuning, vectors []Vector, round int) error {
	results, err := t.Runner.Study(ctx, t.with(vectors))
	if err != nil {
		return err
	}
	for i, v := range vectors {
		found.tried[v] = true
		e, ok := results.Estimate(i, found.Metric)
		if !ok {
			return spec.BadInput("metric", "contend list metrics shows all; the runs have "+
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
			break // nothing is to be gained
		}
		found.Trials[i].Gain = 100 * (1 - found.Trials[i].Value/found.Base)
	}
	slices.SortFunc(found.Trials, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), compareVectors(a.Vector, b.Vector))
	})
	return nil
}

// with is the study with an axis of these vectors.
func (t *Tuner) with(vectors []Vector) *experiments.Study {
	st := *t.Study
	axis := experiments.Axis{Key: "allocator"}
	for _, v := range vectors {
		axis.Values = append(axis.Values, v.allocator(st.Base.Allocator).String())
	}
	st.Axes = []experiments.Axis{axis}
	st.Base.Allocator = Vector{}.allocator(st.Base.Allocator)
	return &st
}

// best returns the first vector of each of so many different values.
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

// jumps is how many of the neighbours of a vector are drawn.
const jumps = 8

// near lists vectors near another: each component one more or less; factors in
// finer ratios, one of the doubled ones being one more or less; and some with all
// factors changed by up to a quarter, drawn from a stream of the vector's own.
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

// Finish counts equal results, writes tune.csv and what every
// study leaves, and returns the results, the best vector first.
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

// countEqual sets Equal of every trial.
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
