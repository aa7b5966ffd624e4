package site

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/scheduler"
)

// result returns a run with metrics.
func result(values map[string]float64) (r metrics.Result) {
	for name, v := range values {
		r.Metrics = append(r.Metrics, metrics.Metric{Name: name, Value: v})
	}
	return r
}

// replays returns the replays of two points of very many jobs that nothing slows down, with three
// moments, whose response times and load are given: with all moments, and with halves of them.
func replays(load float64, of, own []float64) *answering {
	a := &answering{Results: &experiments.Results{Study: &study.Study{}}, moments: 3}
	a.Study.Runs.Confidence = 0.95
	for _, times := range [][]float64{of, own} {
		var list []metrics.Result
		for _, t := range times {
			list = append(list, result(map[string]float64{"response_time": t, "submitted_load": load,
				"dilation": 1, "jobs": 1e20}))
		}
		a.results = append(a.results, list)
		a.draws = append(a.draws, nil)
	}
	return a
}

// Verdicts by hand. Ratios with the halves of both splits are 2·2^(1/2) and 2·2^(-1/2): half of the
// difference of their logarithms is ln 2/2, and Student's t of two degrees of freedom is 4.3027.
func TestVerdictOfReplays(t *testing.T) {
	root := math.Sqrt2
	half := 4.3027 * math.Ln2 / 2
	wide := fmt.Sprintf("%.3f to %.3f", 2*math.Exp(-half), 2*math.Exp(half))
	small := math.Exp(math.Ln2 / 200)
	narrow := fmt.Sprintf("%.3f to %.3f", 2*math.Exp(-half/100), 2*math.Exp(half/100))
	for _, c := range []struct {
		load    float64
		of, own []float64
		want    []string
	}{
		{0.7, []float64{2, 2 * root, 2 / root, 2 / root, 2 * root}, []float64{1, 1, 1, 1, 1},
			[]string{"2.000", wide, "moments", "cannot tell"}},
		{0.7, []float64{2, 2 * small, 2 / small}, []float64{1, 1, 1},
			[]string{"2.000", narrow, "moments", "longer"}},
		{0.7, []float64{1, 1, 1}, []float64{2, 2 * small, 2 / small},
			[]string{"0.500", fmt.Sprintf("%.3f to %.3f", 0.5*math.Exp(-half/100),
				0.5*math.Exp(half/100)), "moments", "shorter"}},
		{0.7, []float64{3, 3, 3}, []float64{3, 3, 3}, []string{"1.000", "", "", "the same"}},
		{1.01, []float64{2, 2 * small, 2 / small}, []float64{1, 1, 1},
			[]string{"2.000", narrow, "moments", "overloaded as it is"}},
	} {
		if got := replays(c.load, c.of, c.own).answerCells(0, 1, "response_time",
			false); !slices.Equal(got, c.want) {
			t.Errorf("%v over %v: %q, want %q", c.of, c.own, got, c.want)
		}
	}
	one := replays(0.7, []float64{3}, []float64{1})
	one.moments = 1
	if got := one.answerCells(0, 1, "response_time", false); !slices.Equal(got,
		[]string{"3.000", "", "", "cannot tell"}) {
		t.Errorf("one moment: %q", got)
	}
}

// The error of the method by hand: two allocators slow jobs down by a tenth and a fifth at loads of
// 0.4 and 0.5, and 19,600 jobs have a luck of a thousandth. The luck of a schedule by five replays
// whose logarithms are 0, 1, 0, 1 and 0.5: their deviation, the root of 0.25, times that of 1 + 1/5
// and Student's t of four degrees of freedom, 2.7764.
func TestErrorOfTheMethod(t *testing.T) {
	a := replays(0.4, []float64{1}, []float64{1})
	a.results[0][0] = result(map[string]float64{"dilation": 1.1, "submitted_load": 0.4})
	a.results[1][0] = result(map[string]float64{"dilation": 1.2, "submitted_load": 0.5})
	share := methodShare * 0.3 / 0.5
	if got, want := a.methodVariance(0, 1, 19600), share*share+1e-6; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	a.results[1][0] = result(map[string]float64{"dilation": 1.2, "submitted_load": 1.01,
		"utilization": 80}) // a tenth is half of what is free
	share = methodShare * 0.3 / 0.1
	if got, want := a.methodVariance(0, 1, 19600), share*share+1e-6; math.Abs(got-want) > 1e-12 {
		t.Errorf("beyond a load of 1 %v, want %v", got, want)
	}
	a.draws = make([][]metrics.Result, 2)
	luckIs := func(want float64) {
		t.Helper()
		if got := a.luckHalf(0, 1, "response_time"); math.Abs(got-want) > 1e-4 {
			t.Errorf("a half of %v, want %v", got, want)
		}
	}
	luckIs(0)
	for _, x := range []float64{0, 1, 0, 1, 0.5} {
		a.draws[0] = append(a.draws[0], result(map[string]float64{"response_time": 3 * math.Exp(x)}))
		a.draws[1] = append(a.draws[1], result(map[string]float64{"response_time": 3}))
	}
	luckIs(0.5 * math.Sqrt(1.2) * 2.7764)
}

// By hand: run times 1.05 times those of the log under the own rule give 1.05 times its load.
func TestContentionIsCountedTwice(t *testing.T) {
	for load, want := range map[float64]string{0.808: "", 0.84: "--loads 0.952"} {
		a := replays(load, []float64{1}, []float64{1})
		a.Study.Axes = []study.Axis{{Key: allocatorKey, Values: []any{"own"}}}
		a.Study.Table.Relative = "own"
		a.Points = []study.Point{{Labels: []string{"own"}, Spec: config.DefaultSpec()}}
		a.results[0][0] = result(map[string]float64{"submitted_load": load})
		a.replay = func(_ context.Context, _ *config.Plan, _ int,
			factor func(*scheduler.Job, float64) float64) (metrics.Result, error) {
			return result(map[string]float64{"submitted_load": 0.8 * factor(nil, 5)}), nil
		}
		got, err := a.countedTwice(t.Context())
		if err != nil || !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("load %v: %q, %v", load, got, err)
		}
	}
}

// Times of the whole log are in hours.
func TestTimesOfTheWholeLog(t *testing.T) {
	for load, want := range map[float64][]string{0.7: {"1.5", "2.5", "0.7"}, 1.2: {"1.5", "2.5", "1.2"}} {
		a := replays(load, []float64{9000}, []float64{9000})
		a.results[0][0] = result(map[string]float64{"wait_time": 5400, "response_time": 9000,
			"submitted_load": load})
		a.Runs = [][]metrics.Result{nil}
		if got := a.useCells(0)[:3]; !slices.Equal(got, want) {
			t.Errorf("load %v: %q, want %q", load, got, want)
		}
	}
}

// moment returns a moment with jobs of 4 nodes, and one of 8 nodes without a channel between them.
func moment(jobs, dilation, distance float64) metrics.Result {
	return result(map[string]float64{"jobs_size_4": jobs, "dilation_size_4": dilation,
		"mean_pairwise_distance_size_4": distance, "jobs_size_8": 1, "dilation_size_8": 1,
		"mean_pairwise_distance_size_8": 0})
}

// Rates by hand: 10 jobs run 1.25 times as long at a distance of 1, and 30 jobs 1.5 times at 2.
// That is an excess of 17.5 over 70 channels, and a class without distances has the rate of all
// jobs. Two channels of that rate, which count in each class, leave it.
func TestRatesOfMoments(t *testing.T) {
	a := replays(0.5, []float64{1, 1, 1}, []float64{1, 1, 1})
	a.Points = []study.Point{{}}
	a.Runs = [][]metrics.Result{{moment(10, 1.25, 1), moment(30, 1.5, 2)}}
	a.moments = 2
	for _, size := range []int{1, 4, 7, 8, 300} {
		if got := a.rates(0, 0).of(size).perChannel; math.Abs(got-0.25) > 1e-12 {
			t.Errorf("%d nodes: %v", size, got)
		}
	}
	first := 1 // the half with the first moment
	if !a.has(first, 0) {
		first = 2
	}
	if a.has(first, 1) || a.has(3-first, 0) || !a.has(3-first, 1) {
		t.Error("halves of two moments are not one each")
	}
	a.Runs[0][1] = moment(30, 1.48, 2) // 16.9 over 70, alone 14.4 over 60
	want := []float64{16.9 / 70, 0.25, 0.24}
	for k, set := range []int{0, first, 3 - first} {
		if got := a.rates(0, set).of(4); math.Abs(got.perChannel-want[k]) > 1e-12 {
			t.Errorf("set %d: %v, want %v", set, got.perChannel, want[k])
		}
	}
	// The spread follows from the deviations of the moments, if that of jobs is uniform.
	r := 16.9 / 70
	squares := math.Pow(10*(0.25-r), 2) + math.Pow(30*(0.48-2*r), 2)
	mean := 10*r*r + 30*4*r*r
	if got := a.rates(0, 0).of(4).spread; math.Abs(got-math.Sqrt(3*squares/mean)) > 1e-12 {
		t.Errorf("spread %v, want %v", got, math.Sqrt(3*squares/mean))
	}
}

// The factor of a job by hand, on a machine with distances and on one without.
func TestFactorOfAJob(t *testing.T) {
	r := rate{min: 4, perChannel: 0.1, spread: 0.5}
	for _, c := range [][3]float64{{2, 0, 1.2}, {2, 1, 1.3}, {2, -1, 1.1}, {0, 1, 1},
		{math.NaN(), 0, 1.1}} {
		if got := r.factor(c[0], c[1]); math.Abs(got-c[2]) > 1e-12 {
			t.Errorf("distance %v, luck %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
	if got := (rate{min: 1, perChannel: 0.1}).factor(math.NaN(), 0); got != 1 {
		t.Errorf("one node: %v", got)
	}
}

func TestSizesInWords(t *testing.T) {
	for metric, want := range map[string]string{"response_time": "all sizes",
		"response_time_size_1": "1 node", "response_time_size_8": "8 to 15 nodes",
		"response_time_size_131072": "131072 nodes and more"} {
		if got := sizeRange(metric); got != want {
			t.Errorf("%s: %s", metric, got)
		}
	}
}

// Runs without dilations or distances, as of an earlier program, give no answer: factors of 1 would
// be none.
func TestAnswerNeedsRates(t *testing.T) {
	for name, run := range map[string]map[string]float64{
		"dilations": {"response_time": 3, "dilation": 2},
		"distances": {"dilation_size_4": 2, "jobs_size_4": 1, "mean_pairwise_distance": 1},
	} {
		a := replays(0.5, []float64{1, 1}, []float64{1, 1})
		a.Study.Name, a.Study.Table.Relative = "s", "slurm-tree"
		a.Study.Table.Metrics = []string{"dilation"}
		a.Points = []study.Point{{Labels: []string{"random", "1"}}}
		a.Runs = [][]metrics.Result{{result(run)}}
		refused := func(why string) {
			_, err := Answer(t.Context(), a.Results, "", nil, 1)
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v", name, err)
			}
		}
		refused("its runs are no moments of a log")
		a.Study.Base.Workload.Snapshots = true
		refused("the runs of random, 1 do not say how many")
	}
}

// An answer is the mean of thirty replays of a short log whose jobs are slowed unequally, with
// halves of the moments of ten, and of a long log one. A job has the same luck under every
// allocator and with every half.
func TestReplaysDifferByLuck(t *testing.T) {
	for jobs, want := range map[float64]int{300: 30, 20_000: 3, 100_000: 1} {
		a := replays(0.5, []float64{1, 1, 1}, []float64{1, 1, 1})
		a.Points = []study.Point{{Spec: config.DefaultSpec()}, {Spec: config.DefaultSpec()}}
		runs := []metrics.Result{moment(10, 1.25, 1), moment(30, 1.5, 1), moment(30, 1.1, 1)}
		a.Runs = [][]metrics.Result{runs, runs}
		var drawn [][]float64
		a.replay = func(_ context.Context, _ *config.Plan, k int,
			factor func(*scheduler.Job, float64) float64) (metrics.Result, error) {
			if k != len(drawn) {
				t.Errorf("draw %d has the draws of %d", len(drawn), k)
			}
			x := []float64{factor(&scheduler.Job{ID: 1, Size: 4}, 1),
				factor(&scheduler.Job{ID: 2, Size: 4}, 1)}
			drawn = append(drawn, x)
			return result(map[string]float64{"jobs": jobs, "response_time": x[0]}), nil
		}
		r := meansOf(must.Have(a.replayed(t.Context(), 0, 0)))
		first, sum := drawn, 0.0
		for _, x := range first {
			sum += x[0]
			if x[0] == x[1] || x[0] < 1 || x[0] > 2 {
				t.Errorf("jobs run for %v times as long", x)
			}
		}
		if got, _ := r.Value("response_time"); len(first) != want ||
			math.Abs(got-sum/float64(want)) > 1e-12 || want > 1 && first[0][0] == first[1][0] {
			t.Errorf("%v jobs: %d replays, mean %v of %v", jobs, len(first), got, first)
		}
		drawn = nil
		must.Have(a.replayed(t.Context(), 1, 0))
		if !cmp.Equal(drawn, first) {
			t.Errorf("another point: %v, want %v", drawn, first)
		}
		drawn = nil
		if must.Have(a.replayed(t.Context(), 1, 1)); len(drawn) != max(1, want/3) {
			t.Errorf("%d replays with half of the moments", len(drawn))
		}
	}
}
