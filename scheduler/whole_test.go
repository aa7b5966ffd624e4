package scheduler

import "testing"

// WholeSeconds finds each kind of time that one cycle per second would round.
func TestWholeSeconds(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*Job)
		speedup float64
		want    bool
	}{
		"whole":            {func(*Job) {}, 0, true},
		"submit":           {func(j *Job) { j.Submit = 5.25 }, 0, false},
		"run time":         {func(j *Job) { j.RunTime = 10.000001 }, 0, false},
		"estimate":         {func(j *Job) { j.Estimate = 0.5 }, 0, false},
		"speed-up":         {func(*Job) {}, 0.15, false},
		"whole speed-up":   {func(*Job) {}, 0.5, true},
		"none of a single": {func(j *Job) { j.Size = 1 }, 0.15, true},
	} {
		jobs := []Job{{ID: 1, Submit: 1, RunTime: 20, Estimate: 20, Size: 1},
			{ID: 2, Submit: 5, RunTime: 10, Estimate: 12, Size: 4}}
		c.change(&jobs[1])
		if got := WholeSeconds(jobs, c.speedup); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Counting microseconds gives whole seconds the same schedule, job by job: a real log
// under FCFS and EASY.
func TestMicrosecondsScheduleLikeSeconds(t *testing.T) {
	jobs := readKTH(t)
	for _, policies := range [][2]Policy{{FCFS{}, FCFS{}}, {&EASY{}, &EASY{}}} {
		want := simulatePolicy(t, jobs, 100, policies[0])
		sim := fixedSim(&List{Jobs: jobs}, 100)
		sim.Policy, sim.Clock = policies[1], Clock{CyclesPerSecond: 1e6}
		sim.Executor = &Fixed{Clock: sim.Clock}
		got, _ := recorded(t, sim)
		for i, r := range got {
			if (recordOf{r.ID, r.Submit / 1e6, r.Start / 1e6, r.End / 1e6}) != want[i] {
				t.Fatalf("%T: job %+v, in seconds %+v", policies[0], r, want[i])
			}
		}
	}
}

// The latest time a log may have fits the clock at a millionth of a second.
func TestMicrosecondsFit(t *testing.T) {
	clock := Clock{CyclesPerSecond: 1e6}
	if c := clock.Cycles(maxSeconds); c >= MaxCycle/2 || clock.Seconds(c) != maxSeconds {
		t.Errorf("%v s are %d cycles", maxSeconds, c)
	}
	jobs := []Job{job(1, maxSeconds-0.5, maxSeconds, 4), job(2, maxSeconds, maxSeconds-0.25, 4)}
	sim := fixedSim(&List{Jobs: jobs}, 4)
	sim.Clock, sim.Executor = clock, &Fixed{Clock: clock}
	totals, err := sim.Run()
	if want := 3*maxSeconds - 0.75; err != nil || clock.Seconds(totals.Finish) != want {
		t.Errorf("finish %v, %v; want %v", clock.Seconds(totals.Finish), err, want)
	}
}
