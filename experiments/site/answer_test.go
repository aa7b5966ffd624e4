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

// replays returns the replays of two points, whose response times and load are given.
func replays(load float64, of, own []float64) *answering {
	a := &answering{Results: &experiments.Results{Study: &study.Study{}}, groups: len(of) - 1}
	a.Study.Runs.Confidence = 0.95
	for _, times := range [][]float64{of, own} {
		var list []metrics.Result
		for _, t := range times {
			list = append(list, result(map[string]float64{"response_time": t, "submitted_load": load}))
		}
		a.results = append(a.results, list)
	}
	return a
}

// Verdicts by hand. Without a group ratios are 2·2^(1/2), 2 and 2·2^(-1/2): with three groups
// pseudo-values of the logarithm are ln 2 - ln 2, ln 2 and ln 2 + ln 2, whose standard deviation is
// ln 2, and Student's t of two degrees of freedom is 4.3027.
func TestVerdictOfReplays(t *testing.T) {
	root := math.Sqrt2
	half := 4.3027 * math.Ln2 / math.Sqrt(3)
	wide := fmt.Sprintf("%.3f to %.3f", 2*math.Exp(-half), 2*math.Exp(half))
	small := math.Exp(math.Ln2 / 200)
	narrow := fmt.Sprintf("%.3f to %.3f", 2*math.Exp(-half/100), 2*math.Exp(half/100))
	for _, c := range []struct {
		load    float64
		of, own []float64
		want    []string
	}{
		{0.7, []float64{2, 2 * root, 2, 2 / root}, []float64{1, 1, 1, 1},
			[]string{"2.000", wide, "cannot tell"}},
		{0.7, []float64{2, 2 * small, 2, 2 / small}, []float64{1, 1, 1, 1},
			[]string{"2.000", narrow, "longer"}},
		{0.7, []float64{1, 1, 1, 1}, []float64{2, 2 * small, 2, 2 / small},
			[]string{"0.500", fmt.Sprintf("%.3f to %.3f", 0.5*math.Exp(-half/100),
				0.5*math.Exp(half/100)), "shorter"}},
		{0.7, []float64{3, 3, 3}, []float64{3, 3, 3}, []string{"1.000", "", "the same"}},
		{0.7, []float64{3, 3}, []float64{1, 1}, []string{"3.000", "", "cannot tell"}},
		{1.01, []float64{3, 3, 3}, []float64{3, 3, 3}, []string{"", "", "overloaded as it is"}},
	} {
		if got := replays(c.load, c.of, c.own).answerCells(0, 1, "response_time",
			false); !slices.Equal(got, c.want) {
			t.Errorf("%v over %v: %q, want %q", c.of, c.own, got, c.want)
		}
	}
}

// Times of the whole log are in hours, and none are printed where queues grow without end.
func TestTimesOfTheWholeLog(t *testing.T) {
	for load, want := range map[float64][]string{0.7: {"1.5", "2.5", "0.7"}, 1.2: {"", "", "1.2"}} {
		a := replays(load, []float64{9000}, []float64{9000})
		a.results[0][0] = result(map[string]float64{"wait_time": 5400, "response_time": 9000,
			"submitted_load": load})
		a.Runs = [][]metrics.Result{nil}
		if got := a.useCells(0)[:3]; !slices.Equal(got, want) {
			t.Errorf("load %v: %q, want %q", load, got, want)
		}
	}
}

// Factors are pooled over windows by the time that jobs ran: 10 jobs of 100 s that took 1.25 times
// as long and 30 of 60 s that took 1.5 times as long take 2800 s in place of 2000. A class of few
// jobs has the factor of all jobs, here 4·2800 + 8·60 over 4·2000 + 8·20 processor seconds.
func TestFactorsOfWindows(t *testing.T) {
	window := func(jobs, service, by float64) metrics.Result {
		return result(map[string]float64{"jobs_size_4": jobs, "service_time_size_4": service,
			"dilation_size_4": by, "jobs_size_8": 1, "service_time_size_8": 30, "dilation_size_8": 3})
	}
	a := replays(0.5, []float64{1, 1, 1}, []float64{1, 1, 1})
	a.Runs = [][]metrics.Result{{window(10, 100, 1.25), window(30, 60, 1.5)}}
	by := func(without, size int) float64 {
		list, _ := a.factors(0, without)
		return list[slices.IndexFunc(list, func(f factor) bool { return f.min == size })].by
	}
	for _, c := range []struct {
		without, size int
		want          float64
	}{{-1, 4, 1.4}, {-1, 8, 11680.0 / 8160}, {0, 4, 1.5}, {1, 4, 1.25}, {-1, 1, 11680.0 / 8160}} {
		if got := by(c.without, c.size); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("without window %d, jobs of %d nodes: %v, want %v", c.without, c.size, got, c.want)
		}
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

// Runs without dilations, as of an earlier program, give no answer: factors of 1 would be none.
func TestAnswerNeedsDilations(t *testing.T) {
	a := replays(0.5, []float64{1, 1}, []float64{1, 1})
	a.Study.Name, a.Study.Table.Relative = "s", "slurm-tree"
	a.Study.Table.Metrics = []string{"dilation"}
	a.Points = []study.Point{{Labels: []string{"random", "1"}}}
	a.Runs = [][]metrics.Result{{result(map[string]float64{"response_time": 3, "dilation": 2})}}
	_, err := Answer(t.Context(), a.Results, nil, 1)
	if err == nil || !strings.Contains(err.Error(), "the runs of random, 1 do not say how many times") {
		t.Errorf("%v", err)
	}
}

// An answer is the mean of ten replays of a short log, whose run times differ by half a percent, and
// of a long log one replay. A job has the same times under every allocator and without any group.
func TestReplaysDifferByLuck(t *testing.T) {
	for jobs, want := range map[float64]int{300: 10, 20_000: 3, 100_000: 1} {
		a := replays(0.5, []float64{1, 1, 1}, []float64{1, 1, 1})
		a.Points = []study.Point{{Spec: config.DefaultSpec()}, {Spec: config.DefaultSpec()}}
		a.Runs = [][]metrics.Result{{}, {}}
		var drawn [][]float64
		a.replay = func(_ context.Context, _ *config.Plan, factor func(*scheduler.Job) float64) (
			metrics.Result, error) {
			x := []float64{factor(&scheduler.Job{ID: 1, Size: 4}), factor(&scheduler.Job{ID: 2, Size: 4})}
			drawn = append(drawn, x)
			return result(map[string]float64{"jobs": jobs, "response_time": x[0]}), nil
		}
		r := must.Have(a.replayed(t.Context(), 0, -1))
		first, sum := drawn, 0.0
		for _, x := range first {
			sum += x[0]
			if x[0] == x[1] || math.Abs(x[0]-1) > luck || math.Abs(x[1]-1) > luck {
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
	}
}
