package tune

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/spectest"
)

// Vectors that Plain takes for the same give the same results, and the simplest
// of them is simplest.
func TestPlainVectorsBehaveTheSame(t *testing.T) {
	plan := TuneStudy("", "easy", "sum_pairwise_distance").Base
	plan.Machine.Dims, plan.Workload.Source, plan.Workload.Jobs = []int{6, 6}, "lublin", 150
	plan.CountTies = true
	s := &cosim.Simulator{}
	run := func(a spec.AllocatorSpec) metrics.Result {
		with := plan
		with.Allocator = a
		r, err := spectest.Run(context.Background(), s.Run, with, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	given := func(v Vector) spec.AllocatorSpec {
		a := plan.Allocator
		a.ScanRadius, a.Available, a.Wall, a.Border = v[0], v[1], v[2], v[3]
		return a
	}
	vectors := []Vector{{0, 0, 0, 0}, {3, 0, 0, 0}, {0, 0, 0, 7}, {4, 0, 0, 3}, {0, 4, 6, 1},
		{2, 4, 6, 8}, {3, 0, 5, 0}, {1, 6, 0, 0}}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		vectors = append(vectors, Vector{rng.IntN(4), 2 * rng.IntN(3), 2 * rng.IntN(3),
			2 * rng.IntN(3)})
	}
	different := map[string]bool{}
	for _, v := range vectors {
		p := v.Plain()
		if p.Plain() != p {
			t.Errorf("%v became %v and that %v", v, p, p.Plain())
		}
		a, b := run(given(v)), run(p.allocator(plan.Allocator))
		text, _ := a.MarshalJSON()
		if plain, _ := b.MarshalJSON(); string(plain) != string(text) {
			t.Errorf("%v and %v give different results", v, p)
		}
		different[string(text)] = true
	}
	if len(different) < 8 {
		t.Errorf("only %d different results: the test tells little apart", len(different))
	}
}

func TestBoxes(t *testing.T) {
	box, err := ParseBox("af=0:2, bf=4,scan_radius=0:1",
		Box{Vector{9, 9, 3, 9}, Vector{9, 9, 3, 9}})
	if want := (Box{Vector{0, 0, 3, 4}, Vector{1, 2, 3, 4}}); err != nil || box != want {
		t.Fatalf("%v, %v; want %v", box, err, want)
	}
	want := []Vector{{0, 0, 1, 0}, {0, 1, 3, 0}, {0, 2, 3, 0}, {1, 0, 3, 4}, {1, 1, 3, 4},
		{1, 2, 3, 4}}
	if got := box.Vectors(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for text, says := range map[string]string{
		"": "is not a parameter", "xx=1": "is not a parameter", "sr=1,sr=2": "twice", "sr": "not a range",
		"sr=3:1": "not a range", "sr=0,af=0,wf=0,bf=0:3": "no vector of it breaks ties",
		"wf=-1":    "not a range",
		"wf=1:2:3": "not a range", "bf=1:2000000": "not a range", "af=0:999,wf=0:999,bf=0:999": "points",
	} {
		var bad *input.Error
		if _, err := ParseBox(text, DefaultBox()); !errors.As(err, &bad) ||
			!strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "such as sr=0:5") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// valley is a simulation whose distances are least near (2, 13, 20, 6), and
// counts its runs.
func valley(runs *atomic.Int32) experiments.RunFunc {
	return func(_ context.Context, plan *spec.Plan, _ int, _ *cosim.Extra) (metrics.Result, error) {
		runs.Add(1)
		a := plan.Allocator.Config
		if a.Name == "mc1x1" {
			return metrics.Result{Metrics: []metrics.Metric{{Name: "sum_pairwise_distance",
				Value: 600}}}, nil
		}
		v := Vector{a.ScanRadius, a.Available, a.Wall, a.Border}
		got, want := v.shares(), Vector{2, 13, 20, 6}.shares()
		off := math.Abs(float64(v[0] - 2))
		for i := range got {
			off += math.Abs(got[i] - want[i])
		}
		return metrics.Result{Metrics: []metrics.Metric{{Name: "sum_pairwise_distance",
			Value: 500 + 10*off}}}, nil
	}
}

func tuneIn(t *testing.T, dir string, workers int, run experiments.RunFunc,
	ctx context.Context) (*Tuning, *experiments.Results, error) {
	t.Helper()
	st := TuneStudy("any.swf", "fcfs", "sum_pairwise_distance")
	st.Base.Workload.Source = "lublin" // which needs no file
	st.Base.Workload.Jobs = 10
	folder, err := experiments.OpenFolder(dir, st, "test", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	runner := &experiments.Runner{Names: spec.BuiltinNames(), Run: run, Workers: workers,
		Folder: folder, Log: slog.New(slog.DiscardHandler)}
	tuner := Tuner{Runner: runner, Study: st, Box: Box{Vector{1, 0, 0, 0}, Vector{3, 2, 2, 2}},
		Rounds: 40, Beam: 3}
	found, err := tuner.Run(ctx)
	if err != nil {
		return found, nil, err
	}
	results, err := tuner.Finish(found, spec.BuiltinNames())
	return found, results, err
}

// The local search finds the bottom of a valley the box does not reach, with the
// same files at any number of workers, and after it was interrupted; what was
// run is not run again.
func TestTuneFindsTheValley(t *testing.T) {
	var runs atomic.Int32
	one, two := t.TempDir(), t.TempDir()
	found, results, err := tuneIn(t, one, 1, valley(&runs), context.Background())
	if err != nil {
		t.Fatal(err)
	}
	best := found.Trials[0]
	if best.Value > 500.2 || best.Vector[0] != 2 || best.Round == 0 {
		t.Errorf("the best is %+v", best)
	}
	if want := 100 * (1 - best.Value/600); found.Base != 600 || best.Gain != want {
		t.Errorf("base %v, gain %v, want %v", found.Base, best.Gain, want)
	}
	if n := int(runs.Load()); n != len(found.Trials)+1 || len(results.Points) != n {
		t.Errorf("%d runs, %d trials, %d points", n, len(found.Trials), len(results.Points))
	}
	if !slices.IsSortedFunc(found.Trials, func(a, b Trial) int {
		return int(math.Copysign(1, a.Value-b.Value))
	}) && found.Trials[0].Value > found.Trials[1].Value {
		t.Error("the best is not first")
	}

	ctx, stop := context.WithCancel(context.Background())
	runs.Store(0)
	interrupting := func(
		c context.Context, plan *spec.Plan, rep int, x *cosim.Extra,
	) (metrics.Result, error) {
		if runs.Load() == 90 {
			stop()
		}
		return valley(&runs)(c, plan, rep, x)
	}
	if _, _, err := tuneIn(t, two, 3, interrupting, ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	before := int(runs.Load())
	if _, _, err := tuneIn(t, two, 3, valley(&runs), context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := int(runs.Load()); before < 90 || n != len(found.Trials)+1 {
		t.Errorf("%d runs until it was interrupted, %d in all, want %d", before, n,
			len(found.Trials)+1)
	}
	for _, name := range []string{"tune.csv", "runs.jsonl", "spec.toml"} {
		a, err := os.ReadFile(filepath.Join(one, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(two, name))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}

func TestClustersJoinSimilarRatios(t *testing.T) {
	f := &Tuning{Metric: "m"}
	for i, v := range []Vector{{4, 29, 5, 0}, {2, 1, 0, 0}, {4, 52, 9, 0}, {4, 23, 4, 0},
		{3, 23, 4, 0}, {4, 15, 2, 0}, {4, 19, 2, 0}} {
		f.Trials = append(f.Trials, Trial{Vector: v, Value: float64(i)})
	}
	var got [][]int
	for _, c := range f.Clusters() {
		var ranks []int
		for _, m := range c.Members {
			ranks = append(ranks, int(m.Value))
		}
		got = append(got, ranks)
	}
	// 19:2 is not like 29:5, but like 15:2, which is.
	if want := [][]int{{0, 2, 3, 5, 6}, {1}, {4}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
