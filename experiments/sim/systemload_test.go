package sim

import (
	"context"
	"io"
	"math"
	"reflect"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/stats"
	"contend/internal/must"
	"contend/scheduler"
)

// loadedSpec is jobs of a pattern that arrive at a load, on a mesh of 8x8.
func loadedSpec(t testing.TB, pattern string, load float64) config.Spec {
	t.Helper()
	return specWith(t, map[string]any{"machine.dims": []any{int64(8), int64(8)},
		"workload.jobs": int64(300), "workload.side.max": int64(4), "job.pattern": pattern,
		"job.quota.distribution": "exponential", "workload.system_load": load})
}

// loadedJobs returns the jobs of a replication of a spec.
func loadedJobs(
	t testing.TB, s *Simulator, spec config.Spec, replication int,
) (jobs []scheduler.Job) {
	t.Helper()
	w := must.Have(s.NewWork(t.Context(), configtest.Plan(t, spec), replication))
	for {
		j, err := w.Source.Next()
		if err == io.EOF {
			return jobs
		}
		jobs = append(jobs, must.Have(j, err))
	}
}

// Pairs of neighbours that play ping-pong alternate, so that a job of 7 messages takes 7 times the
// latency of a packet over one hop of an idle mesh: two routers of 2 cycles, three links of 1, and
// 7 flits more. At a load of half a job, one comes every 14 latencies.
func TestLoadByHand(t *testing.T) {
	s := loadedSpec(t, "ping-pong", 0.5)
	s.Workload.Processors, s.Workload.Interarrival.Kind = 2, "fixed"
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Messages: 7}
	const latency = 2*2 + 3*1 + 7
	for i, j := range loadedJobs(t, new(Simulator), s, 0) {
		if want := float64(14 * latency * (i + 1)); math.Abs(j.Submit-want) > 1e-6 {
			t.Fatalf("job %d is submitted at %v, want %v", j.ID, j.Submit, want)
		}
	}
	m := mustRun(t, s, 0)
	if load, _ := m.Value("service_load"); math.Abs(load-0.5) > 1e-9 {
		t.Errorf("the load is %v, want 0.5", load)
	}
	s.Job.CyclesPerSecond = 10
	if j := loadedJobs(t, new(Simulator), s, 0)[0]; math.Abs(j.Submit-1.4*latency) > 1e-9 {
		t.Errorf("at 10 cycles a time unit the first job is submitted at %v, want %v", j.Submit,
			1.4*latency)
	}
}

// alone simulates jobs alone, one after the other, each to its end.
func alone(t testing.TB, s *Simulator, spec config.Spec, jobs []scheduler.Job) (times []float64) {
	t.Helper()
	plan := configtest.Plan(t, spec)
	w := must.Have(s.NewWork(t.Context(), plan, 0))
	for i := range jobs {
		j := &jobs[i]
		x := must.Have(s.simulateAlone(t.Context(), plan, w, 0, j, compactPlace(plan.Machine, j.Size)))
		times = append(times, x.Value)
	}
	return times
}

// The mean time alone is that of thousands of jobs that are simulated to their end, also of
// patterns whose parts of iterations take longer than their shares, and of a mix.
func TestMeanTimeAlone(t *testing.T) {
	for _, pattern := range []string{"all-to-all", "one-to-all", "n-body", "fft+ring:2"} {
		s, simulator := loadedSpec(t, pattern, 1), new(Simulator)
		s.Workload.Side.Round, s.Workload.Jobs = "down", 3000
		w := must.Have(simulator.NewWork(t.Context(), configtest.Plan(t, s), 0))
		got := must.Have(w.load())
		want := stats.EstimateOf(alone(t, simulator, s, loadedJobs(t, simulator, s, 1)), 0.95)
		if math.Abs(got.cycles-want.Mean) > want.Half+got.half || got.half > 0.04*got.cycles {
			t.Errorf("%s: a job takes %v ± %v cycles alone, want %v ± %v", pattern, got.cycles, got.half,
				want.Mean, want.Half)
		}
	}
}

// The load that is asked for comes out: as service_load, and as the mean time of the jobs of each
// replication alone over the mean time between their submissions.
func TestLoadComesOutAsAsked(t *testing.T) {
	const asked, replications = 0.25, 20
	s, simulator := loadedSpec(t, "all-to-all", asked), new(Simulator)
	plan := configtest.Plan(t, s)
	var measured, want []float64
	for n := range replications {
		r := must.Have(simulator.Run(t.Context(), plan, n, nil))
		load, _ := r.Value("service_load")
		measured = append(measured, load)
		jobs := loadedJobs(t, simulator, s, n)
		between := (jobs[len(jobs)-1].Submit - jobs[0].Submit) / float64(len(jobs)-1)
		want = append(want, stats.Mean(alone(t, simulator, s, jobs))/between)
	}
	for name, values := range map[string][]float64{"service_load": measured, "jobs alone": want} {
		e := stats.EstimateOf(values, 0.95)
		if math.Abs(e.Mean-asked) > e.Half || e.Half > 0.1*asked {
			t.Errorf("%s: the load is %v ± %v, want %v", name, e.Mean, e.Half, asked)
		}
	}
	if r := stats.Mean(measured) / stats.Mean(want); math.Abs(r-1) > 0.02 {
		t.Errorf("service_load is %v of the load of the same jobs alone", r)
	}
}

// Loads differ in the unit of the submissions alone, allocators in nothing. The mean time alone is
// the same for every replication.
func TestLoadsHaveTheSameJobs(t *testing.T) {
	simulator, base := new(Simulator), loadedSpec(t, "one-to-all", 1)
	base.Workload.Jobs = 50
	want := loadedJobs(t, simulator, base, 2)
	for _, load := range []float64{0.1, 1, 8} {
		for _, allocator := range []string{"mbs", "random"} {
			s := base
			s.Workload.SystemLoad, s.Allocator = load, allocatorOf(allocator)
			for i, j := range loadedJobs(t, simulator, s, 2) {
				if math.Abs(j.Submit*load/want[i].Submit-1) > 1e-12 {
					t.Fatalf("%s, load %v: job %d is submitted at %v, at load 1 at %v", allocator, load, j.ID,
						j.Submit, want[i].Submit)
				}
				if j.Submit = want[i].Submit; !reflect.DeepEqual(j, want[i]) {
					t.Fatalf("%s, load %v: job %+v, want %+v", allocator, load, j, want[i])
				}
			}
		}
	}
	if n := len(simulator.memos.aloneMeans.values); n != 1 {
		t.Errorf("jobs alone were measured %d times", n)
	}
	checkNotes(t, base, "workload.system_load: a job of one-to-all alone takes ")
}

// On another machine than the one that jobs are calibrated on, service_load is the load of that
// machine. Here packets take their time to be routed, and twice as long is about half the load.
func TestLoadOfAReference(t *testing.T) {
	s := loadedSpec(t, "ping-pong", 0.5)
	s.Workload.Processors, s.Workload.Interarrival.Kind = 2, "fixed"
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Messages: 7}
	s.Network.RoutingCycles, s.Job.CalibrateOn = 9, "machine.dims = [8, 8]"
	const reference, own = 2*2 + 3*1 + 7, 2*9 + 3*1 + 7
	if load, _ := mustRun(t, s, 0).Value("service_load"); math.Abs(load-0.5*own/reference) > 1e-9 {
		t.Errorf("the load is %v, want %v", load, 0.5*own/reference)
	}
}

// ending is a context that is cancelled when it has been asked a few times whether it is.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A context that ends while jobs alone are measured, or before, stops the measurement, and nothing
// half measured is kept.
func TestJobsAloneAreStopped(t *testing.T) {
	log := writeLog(t, [][3]float64{{0, 9000, 64}})
	for name, spec := range map[string]config.Spec{"load": loadedSpec(t, "all-to-all", 0.5),
		"log": logSpec(log, "all-to-all")} {
		plan := configtest.Plan(t, spec)
		want := must.Have(new(Simulator).Notes(t.Context(), plan))
		for _, left := range []int{0, 2} {
			simulator := new(Simulator)
			ends := func() context.Context { return &ending{t.Context(), left} }
			_, run := simulator.Run(ends(), plan, 0, nil)
			_, notes := simulator.Notes(ends(), plan)
			for _, err := range []error{simulator.Check(ends(), plan), notes, run} {
				if err != context.Canceled {
					t.Errorf("%s, asked %d times: stopped with %v", name, left, err)
				}
			}
			if got := must.Have(simulator.Notes(t.Context(), plan)); !slices.Equal(got, want) {
				t.Errorf("%s, asked %d times: then the notes are %q, want %q", name, left, got, want)
			}
		}
	}
}

func TestLoadIsRefused(t *testing.T) {
	s := loadedSpec(t, "ring", 0.5)
	s.Workload.Processors = 1
	mustRefuse(t, s, "workload.system_load is 0.5, and no job sends a message")
	s = loadedSpec(t, "ring", 0.5)
	s.Job.CalibrateOn = "machine.dims = [2, 2]"
	mustRefuse(t, s, "the machine jobs are calibrated on has 4 nodes")
}

// Without a load of messages nothing is measured alone, and there is no service_load. Where jobs
// have run times it is their mean over the mean time between submissions.
func TestServiceLoadOfRunTimes(t *testing.T) {
	s := loadedSpec(t, "ring", 0)
	if load, ok := mustRun(t, s, 0).Value("service_load"); ok {
		t.Errorf("the load is %v, and nothing says how long jobs take alone", load)
	}
	s = specWith(t, map[string]any{"job.run": "fixed", "workload.system_load": 2.0,
		"workload.jobs": int64(9), "workload.service.distribution": "fixed",
		"workload.service.mean": 3.0, "workload.interarrival.distribution": "fixed"})
	if load, _ := mustRun(t, s, 0).Value("service_load"); math.Abs(load-2) > 1e-5 {
		t.Errorf("the load is %v, want 2", load)
	}
}

// A calibration that is known is not made again. One whose time is up says how long it would take,
// is near the whole one, and is not kept.
func TestCalibrationsAreKept(t *testing.T) {
	s := loadedSpec(t, "all-to-all", 0.5)
	var whole, again, cut Simulator
	want := loadedJobs(t, &whole, s, 0)
	list := whole.Calibrations.List()
	if len(list) != 1 || whole.Calibrations.Seconds() == 0 {
		t.Fatalf("%+v in %v s", list, whole.Calibrations.Seconds())
	}
	list[0].Cycles *= 2
	again.Calibrations.Restore(list)
	got := loadedJobs(t, &again, s, 0)
	if last := len(want) - 1; math.Abs(got[last].Submit/want[last].Submit-2) > 1e-9 ||
		again.Calibrations.Seconds() != 0 {
		t.Errorf("submitted at %v, want twice %v", got[last].Submit, want[last].Submit)
	}
	cut.Calibrations.Budget = 1
	rough := loadedJobs(t, &cut, s, 0)
	kept := slices.ContainsFunc(cut.Calibrations.List(),
		func(c Calibration) bool { return c.Key == list[0].Key })
	if r := rough[9].Submit / want[9].Submit; r < 0.2 || r > 5 || kept ||
		cut.Calibrations.Seconds() == 0 {
		t.Errorf("%v of the time, %v s", r, cut.Calibrations.Seconds())
	}
}

// A target load counts processor time: of jobs of one size it is the system load times the share of
// the machine that a job has, and of jobs that are seldom together the utilization.
func TestTargetLoadOfDrawnJobs(t *testing.T) {
	submissions := func(set func(s *config.Spec)) (times []float64) {
		s := loadedSpec(t, "all-to-all", 0.5)
		s.Workload.Processors = 16
		set(&s)
		for _, j := range loadedJobs(t, new(Simulator), s, 0) {
			times = append(times, j.Submit)
		}
		return times
	}
	nodes := float64(configtest.Plan(t, loadedSpec(t, "all-to-all", 0.5)).Machine.Nodes())
	want := submissions(func(*config.Spec) {})
	got := submissions(func(s *config.Spec) {
		s.Workload.SystemLoad, s.Workload.TargetLoad = 0, 0.5*16/nodes
	})
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6*want[i] {
			t.Fatalf("job %d is submitted at %v, want %v", i, got[i], want[i])
		}
	}
	for _, target := range []float64{0.01, 0.02} {
		s := loadedSpec(t, "all-to-all", 0)
		s.Workload.Processors, s.Workload.Size, s.Workload.Jobs = 0, "2:0.7+16:0.3", 2000
		s.Workload.TargetLoad = target
		if v, _ := mustRun(t, s, 0).Value("utilization"); math.Abs(v/100/target-1) > 0.1 {
			t.Errorf("the utilization is %v%%, want %v", v, 100*target)
		}
	}
}
