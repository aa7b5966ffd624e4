package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/router/topology"
	"contend/scheduler"
)

// An allocator queried about its own decisions decides the same way: both sets of metrics agree.
func TestDecisionOfTheSituationItself(t *testing.T) {
	for _, name := range []string{"mc1x1", "mm-inc", "best-fit-1d:hilbert", "first-fit", "paging:1",
		"mc1x1-tie:2,13,20,6"} {
		for _, policy := range []string{"fcfs", "easy", "sjf"} {
			s := configtest.Crowded(t, name)
			s.Scheduler.Policy, s.Scheduler.Decision = policy, name
			r := mustRun(t, s, 0)
			for _, metric := range []string{"sum_pairwise_distance", "mean_pairwise_distance",
				"components"} {
				got, want := configtest.Value(t, r, "decision_"+metric), configtest.Value(t, r, metric)
				if math.Abs(got-want) > 1e-9*want {
					t.Errorf("%s, %s: decision_%s is %v, %s %v", name, policy, metric, got, metric, want)
				}
			}
			if refused := configtest.Value(t, r, "decision_refused"); refused != 0 {
				t.Errorf("%s, %s: %v%% of its own decisions refused", name, policy, refused)
			}
		}
	}
}

// A second allocator does not change the run, nor its random numbers.
func TestAskingChangesNothing(t *testing.T) {
	for _, situation := range []string{"random", "mc1x1", "first-fit"} {
		s := configtest.Crowded(t, situation)
		want := mustRun(t, s, 0)
		for _, decision := range []string{"random", "mc1x1", "best-fit", "optimal:20"} {
			s.Scheduler.Decision = decision
			got := mustRun(t, s, 0)
			for _, m := range want.Metrics {
				if x, ok := got.Value(m.Name); ok && x != m.Value || !ok && !math.IsNaN(m.Value) {
					t.Errorf("%s asked under %s: %s is %v, alone %v", decision, situation, m.Name, x, m.Value)
				}
			}
			own := configtest.Value(t, got, "sum_pairwise_distance")
			if decision == "random" && configtest.Value(t, got, "decision_sum_pairwise_distance") == own {
				t.Errorf("random asked under %s draws the same numbers", situation)
			}
			if len(got.Metrics) != len(want.Metrics)+5 {
				t.Errorf("%s asked under %s: %d metrics, alone %d", decision, situation, len(got.Metrics),
					len(want.Metrics))
			}
		}
	}
}

// both queries a second allocator at each request to the first.
type both struct {
	allocation.Allocator
	second          allocation.Allocator
	meter           *allocation.Meter
	sum             int64
	asked, answered int
}

func (b *both) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	dst, ok := b.Allocator.Allocate(dst, free, req)
	if ok {
		b.asked++
		if nodes, ok := b.second.Allocate(nil, free, req); ok {
			b.answered++
			b.sum += b.meter.Measure(nodes[:req.Size]).PairwiseSum
		}
	}
	return dst, ok
}

// Metrics of decisions agree with a count by hand. Under FCFS an allocator that places a job is
// queried exactly when the job starts.
func TestDecisionAgainstAWrappedAllocator(t *testing.T) {
	var jobs []scheduler.Job
	var rows [][3]float64
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		rows = append(rows, [3]float64{float64(i), float64(1 + r.IntN(20)), float64(1 + r.IntN(40))})
		jobs = append(jobs, scheduler.Job{ID: scheduler.JobID(i + 1), Submit: rows[i][0],
			RunTime: rows[i][1], Size: int(rows[i][2])})
	}
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
	if err != nil {
		t.Fatal(err)
	}
	made := func(name string) allocation.Allocator {
		a, err := config.Builtin().NewAllocator(name, allocation.Site{Machine: machine})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	meter, err := allocation.NewMeter(machine)
	if err != nil {
		t.Fatal(err)
	}
	b := &both{Allocator: made("mm"), second: made("first-fit"), meter: meter}
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: scheduler.FCFS{}, Allocator: b,
		Executor: &scheduler.Fixed{}, Free: allocation.NewFreeSet(64)}
	if _, err := sim.Run(); err != nil {
		t.Fatal(err)
	}
	s := fixedLog(t, rows)
	s.Allocator, s.Scheduler.Decision = "", "first-fit"
	s.Allocator = configtest.Crowded(t, "mm").Allocator
	_, got := lines(t, s)
	if b.asked != 300 || b.answered == 0 || b.answered == 300 {
		t.Fatalf("%d decisions, %d of them also First Fit's: the test shows nothing", b.asked, b.answered)
	}
	if x, want := configtest.Value(t, &got, "decision_sum_pairwise_distance"),
		float64(b.sum)/float64(b.answered); math.Abs(x-want) > 1e-9*want {
		t.Errorf("decision_sum_pairwise_distance is %v, want %v", x, want)
	}
	if x, want := configtest.Value(t, &got, "decision_refused"),
		100*float64(300-b.answered)/300; math.Abs(x-want) > 1e-9 {
		t.Errorf("decision_refused is %v, want %v", x, want)
	}
}

// A search with a limit of 1 proves little. A search without a limit proves everything.
func TestProven(t *testing.T) {
	small := func(allocator, decision string) config.Spec {
		s := configtest.Crowded(t, allocator)
		s.Machine.Dims, s.Workload.Jobs, s.Scheduler.Decision = []int{5, 5}, 150, decision
		return s
	}
	if p := configtest.Value(t, mustRun(t, small("mc1x1", "optimal"), 0), "decision_proven"); p != 100 {
		t.Errorf("%v%% proven", p)
	}
	// One to three processors, or all free ones, need no search.
	low := configtest.Value(t, mustRun(t, small("mc1x1", "optimal:1"), 0), "decision_proven")
	own := configtest.Value(t, mustRun(t, small("optimal:1", ""), 0), "proven")
	if low <= 0 || low >= 100 || own <= 0 || own >= 100 {
		t.Errorf("without a search %v%% of the decisions asked for are proven, %v%% of its own", low, own)
	}
}
