package sim

import (
	"reflect"
	"testing"
	"time"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
)

// calibratedLogs has specs whose jobs of a log, of three sizes, are made from measured iterations.
func calibratedLogs(t *testing.T) map[string]config.Spec {
	path := writeLog(t, [][3]float64{{0, 20000, 64}, {30000, 40000, 7}, {60000, 30000, 16},
		{80000, 1234, 1}, {90000, 30000, 7}})
	times, share, iteration, rate := logSpec(path, "all-to-all"), logSpec(path, "all-to-all"),
		logSpec(path, "all-to-all"), logSpec(path, "all-to-all")
	share.Job.Share = 0.3
	iteration.Job.Iteration, iteration.Job.CyclesPerSecond = 20, 1000
	rate.Job.Quota = config.QuotaSpec{Messages: 200}
	rate.Job.CyclesPerSecond = input.Automatic
	return map[string]config.Spec{"times": times, "share": share, "iteration": iteration,
		"rate": rate}
}

// The iterations by which run times of a log become messages are measured once for each kind of job
// and shown. A command that knows them measures none, one with other settings measures its own.
func TestCalibrationsOfLogsAreKept(t *testing.T) {
	for name, spec := range calibratedLogs(t) {
		var whole, again, doubled, other Simulator
		shown := map[int]bool{}
		whole.Calibrations.Show = func(done float64, most int) {
			if shown[int(done)] = true; done > 4 || most != 4 {
				t.Errorf("%s: %v of %d jobs", name, done, most)
			}
		}
		want := loadedJobs(t, &whole, spec, 0)
		list := whole.Calibrations.List()
		kinds := 3 // a job of one process sends nothing
		if name == "iteration" {
			kinds *= 4 // the first iteration and several, with and without computing time
		}
		if len(list) != kinds || whole.Calibrations.Seconds() == 0 || !shown[3] {
			t.Fatalf("%s: %d calibrations in %v s, shown %v", name, len(list),
				whole.Calibrations.Seconds(), shown)
		}
		again.Calibrations.Restore(list)
		if got := loadedJobs(t, &again, spec, 0); !reflect.DeepEqual(got, want) ||
			again.Calibrations.Seconds() != 0 || len(again.Calibrations.List()) != kinds {
			t.Errorf("%s: with known calibrations %+v in %v s, want %+v", name, got,
				again.Calibrations.Seconds(), want)
		}
		for i := range list {
			list[i].Cycles *= 2
		}
		doubled.Calibrations.Restore(list)
		if got := loadedJobs(t, &doubled, spec, 0); reflect.DeepEqual(got, want) && name != "rate" {
			t.Errorf("%s: iterations that are known to take twice as long make the same jobs", name)
		}
		slower := spec
		slower.Network.RoutingCycles = 9
		other.Calibrations.Restore(list)
		loadedJobs(t, &other, slower, 0)
		if n := len(other.Calibrations.List()) - kinds; n < 3 || other.Calibrations.Seconds() == 0 {
			t.Errorf("%s: another network has %d calibrations of its own", name, n)
		}
	}
}

// A calibration of a log whose time is up is near the whole one, says how long that takes, and is
// not kept. Others on the machine may slow one of the two down, so it is so in one of five trials.
func TestCalibrationsOfLogsEndInTime(t *testing.T) {
	spec := logSpec(writeLog(t, [][3]float64{{0, 1e6, 128}, {1e6, 1e6, 120}, {2e6, 1e6, 112}}),
		"all-to-all")
	spec.Machine.Dims = []int{16, 16}
	kept, r := 0, 0.0
	for range 5 {
		var whole, cut Simulator
		want := loadedJobs(t, &whole, spec, 0)
		cut.Calibrations.Budget = time.Duration(1e8 * whole.Calibrations.Seconds()) // a tenth of it
		got := loadedJobs(t, &cut, spec, 0)
		for i := range want {
			if r := float64(got[i].Quota) / float64(want[i].Quota); r < 0.2 || r > 5 {
				t.Errorf("job %d: %v of the messages", want[i].ID, r)
			}
		}
		kept = len(cut.Calibrations.List())
		if r = cut.Calibrations.Seconds() / whole.Calibrations.Seconds(); kept == 0 && r > 0.1 && r < 10 {
			return
		}
	}
	t.Errorf("%d are kept, expected to take %v of the time", kept, r)
}

// Jobs that no point can run with are refused before anything is measured: by allocator, pattern,
// mapping, machine of the reference, and by keys that need jobs.
func TestJobsAreRefusedBeforeTheyAreMeasured(t *testing.T) {
	logs := calibratedLogs(t)
	load := loadedSpec(t, "all-to-all", 0.5)
	big := configtest.Net(8, 72, 72)
	big.Workload.Source, big.Workload.Trace = "swf", writeLog(t, [][3]float64{{0, 100, 5000}})
	big.Workload.Jobs, big.Job = 0, logs["times"].Job
	big.Job.Pattern = configtest.Mix("ring")
	for _, c := range []struct {
		spec config.Spec
		set  func(*config.Spec)
		want string
	}{
		{logs["times"], func(s *config.Spec) { s.Job.Pattern = configtest.Mix("npb-bt:S") },
			"job 1: pattern npb-bt"},
		{logs["rate"], func(s *config.Spec) { s.Machine.Dims = []int{8, 4} }, "asks for 64 processors"},
		{logs["share"], func(s *config.Spec) { s.Job.CalibrateOn = "machine.dims = [4, 4]" },
			"calibrated on has 16 nodes"},
		{logs["share"], func(s *config.Spec) {
			s.Machine.Topology, s.Machine.Arity, s.Machine.Levels = "tree", 4, 3
		}, "needs a mesh"},
		{logs["iteration"], func(s *config.Spec) {
			s.Machine.Dims, s.Allocator = []int{12, 6}, "buddy2d"
		}, "buddy"},
		{load, func(s *config.Spec) { s.Job.Pattern = configtest.Mix("npb-bt:S") }, "npb-bt"},
		{load, func(s *config.Spec) { s.Job.CalibrateOn = "machine.dims = [2, 2]" },
			"calibrated on has 4 nodes"},
		{load, func(s *config.Spec) { s.Workload.Processors = 1 }, "no job sends a message"},
		{big, func(s *config.Spec) { s.Job.Mapping = "greedy" }, "at most 4096 are mapped by traffic"},
	} {
		s, simulator := c.spec, new(Simulator)
		c.set(&s)
		plan, err := s.Plan()
		if err == nil {
			if err = simulator.CheckParts(plan); err == nil {
				err = simulator.CheckJobs(t.Context(), plan, 1)
			}
		}
		if !contains(err, c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if n := len(simulator.memos.iterations.values); n > 0 || simulator.Calibrations.Seconds() > 0 {
			t.Errorf("%q: %d iterations were measured before", c.want, n)
		}
	}
	for name, s := range logs {
		simulator := new(Simulator)
		if err := simulator.CheckJobs(t.Context(), configtest.Plan(t, s), 1); err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}
}
