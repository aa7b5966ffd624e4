package sim

import (
	"math"
	"testing"

	"contend/experiments/config/configtest"
)

// A second allocator does not change the run, nor its random numbers.
func TestAskingChangesNothing(t *testing.T) {
	for _, situation := range []string{"random", "mc1x1", "first-fit"} {
		s := configtest.Crowded(t, situation)
		want := runOf(t, s)
		for _, decision := range []string{"random", "mc1x1", "best-fit", "optimal:20"} {
			s.Scheduler.Decision = decision
			got := runOf(t, s)
			for name, v := range want {
				if x, ok := got[name]; !ok || x != v && !math.IsNaN(v) {
					t.Errorf("%s asked under %s: %s is %v, alone %v", decision, situation, name, x, v)
				}
			}
			if decision == "random" &&
				got["decision_sum_pairwise_distance"] == got["sum_pairwise_distance"] {
				t.Errorf("random asked under %s draws the same numbers", situation)
			}
			if len(got) != len(want)+5 {
				t.Errorf("%s asked under %s: %d metrics, alone %d", decision, situation, len(got), len(want))
			}
		}
	}
}

// By hand, on four nodes in a line: four jobs of one node take nodes 0 to 3. When those on 0 and 2
// end at 10, a job of two takes both, which first fit, for which they are not next to each other,
// refuses. When those on 1 and 3 end at 20, a job of two takes them, which first fit refuses, too.
// At 50 the line is empty, and first fit puts a job of three next to each other: its pairs are 1, 1
// and 2 apart.
func TestDecisionByHand(t *testing.T) {
	s := fixedLog(t, [][3]float64{{0, 10, 1}, {0, 20, 1}, {0, 10, 1}, {0, 20, 1}, {1, 30, 2},
		{2, 30, 2}, {60, 1, 3}})
	s.Machine.Dims, s.Scheduler.Decision = []int{4, 1}, "first-fit"
	s.Allocator = allocatorOf("sequential")
	got := runOf(t, s)
	wantMetrics(t, got, map[string]float64{"decision_refused": 200.0 / 7,
		"decision_sum_pairwise_distance": 4.0 / 5, "sum_pairwise_distance": (2 + 2 + 4) / 7.0})
}

// A search with a limit of 1 proves little. A search without a limit proves everything.
func TestProven(t *testing.T) {
	proven := func(allocator, decision, metric string) float64 {
		s := configtest.Crowded(t, allocator)
		s.Machine.Dims, s.Workload.Jobs, s.Scheduler.Decision = []int{5, 5}, 150, decision
		return runOf(t, s)[metric]
	}
	if p := proven("mc1x1", "optimal", "decision_proven"); p != 100 {
		t.Errorf("%v%% proven", p)
	}
	// One to three processors, or all free ones, need no search.
	low, own := proven("mc1x1", "optimal:1", "decision_proven"), proven("optimal:1", "", "proven")
	if low <= 0 || low >= 100 || own <= 0 || own >= 100 {
		t.Errorf("without a search %v%% of the decisions asked for are proven, %v%% of its own", low, own)
	}
}

// An allocator queried about its own decisions decides the same way: both sets of metrics agree.
func TestDecisionOfTheSituationItself(t *testing.T) {
	for _, name := range []string{"mc1x1", "mm-inc", "best-fit-1d:hilbert", "first-fit", "paging:1",
		"mc1x1-tie:2,13,20,6"} {
		for _, policy := range []string{"fcfs", "easy", "sjf"} {
			s := configtest.Crowded(t, name)
			s.Scheduler.Policy, s.Scheduler.Decision = policy, name
			r := runOf(t, s)
			for _, metric := range []string{"sum_pairwise_distance", "mean_pairwise_distance",
				"components"} {
				if got, want := r["decision_"+metric], r[metric]; !(math.Abs(got-want) <= 1e-9*want) {
					t.Errorf("%s, %s: decision_%s is %v, %s %v", name, policy, metric, got, metric, want)
				}
			}
			if refused, ok := r["decision_refused"]; refused != 0 || !ok {
				t.Errorf("%s, %s: %v%% of its own decisions refused", name, policy, refused)
			}
		}
	}
}
