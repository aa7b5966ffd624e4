package scheduler

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// transformed returns the changed jobs.
func transformed(t testing.TB, jobs []Job, c TransformConfig) []Job {
	t.Helper()
	w := must.Have(NewTransform(&List{Jobs: jobs}, c))
	return must.Have(ReadAll(w))
}

func TestTransform(t *testing.T) {
	jobs := []Job{job(1, 10, 4, 7), job(2, 12, 6, 24),
		{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 30, Shape: []int{6, 5}}}
	tests := []struct {
		name   string
		config TransformConfig
		want   []Job
	}{
		{"first 2", TransformConfig{First: 2}, jobs[:2]},
		{"more than there are", TransformConfig{First: 9}, jobs},
		{"load", TransformConfig{Load: 2}, []Job{job(1, 10, 4, 7), job(2, 11, 6, 24),
			{ID: 3, Submit: 15, RunTime: 1, Estimate: 5, Size: 30, Shape: []int{6, 5}}}},
		{"work multiple", TransformConfig{Work: 0.5}, []Job{job(1, 10, 2, 7), job(2, 12, 3, 24),
			{ID: 3, Submit: 20, RunTime: 0.5, Estimate: 2.5, Size: 30, Shape: []int{6, 5}}}},
		{"divide", TransformConfig{Divide: 4}, []Job{job(1, 10, 4, 2), job(2, 12, 6, 6),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 8}}},
		{"divide by all there is", TransformConfig{Divide: math.MaxInt}, []Job{job(1, 10, 4, 1),
			job(2, 12, 6, 1), {ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 1}}},
		{"clamp", TransformConfig{Max: 24}, []Job{job(1, 10, 4, 7), job(2, 12, 6, 24),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 24}}},
		{"round down", TransformConfig{Round: "down"}, []Job{job(1, 10, 4, 4), job(2, 12, 6, 16),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 16, Shape: []int{4, 4}}}},
		{"round to nearest", TransformConfig{Round: "nearest"}, []Job{job(1, 10, 4, 8), job(2, 12, 6, 32),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 32, Shape: []int{8, 4}}}},
		{"round up, at most 30", TransformConfig{Round: "up", Max: 30},
			[]Job{job(1, 10, 4, 8), job(2, 12, 6, 16),
				{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 30}}},
		{"divide, then round, then clamp", TransformConfig{Divide: 3, Round: "up", Max: 9},
			[]Job{job(1, 10, 4, 4), job(2, 12, 6, 8),
				{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 8}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, transformed(t, jobs, test.config)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	if jobs[2].Shape[0] != 6 {
		t.Error("the source's shape was changed")
	}
}

// TestAssignPattern: frequencies follow the weights, and the seeds do not depend on
// them.
func TestAssignPattern(t *testing.T) {
	jobs := make([]Job, 10_000)
	for i := range jobs {
		jobs[i] = job(JobID(i), 0, 1, 1)
	}
	some := transformed(t, jobs, TransformConfig{Assign: true, Patterns: []float64{1, 4}, Seed: 3})
	one := transformed(t, jobs, TransformConfig{Assign: true, Seed: 3})
	second := 0
	for i := range some {
		second += some[i].Pattern
		if some[i].Seed != one[i].Seed || some[i].Seed == 0 || one[i].Pattern != 0 {
			t.Fatalf("job %d: %+v, %+v", i, some[i], one[i])
		}
	}
	if second < 7800 || second > 8200 { // five standard deviations
		t.Errorf("pattern 1 drawn %d times, expected 8000", second)
	}
}

func TestReplicate(t *testing.T) {
	jobs := []Job{job(4, 10, 4, 7), job(9, 100, 6, 24), job(5, 1000, 1, 2)}
	got, err := Replicate(jobs, 3, 20, 1)
	if err != nil || len(got) != 9 {
		t.Fatalf("%d jobs, error %v", len(got), err)
	}
	seen := map[JobID]bool{}
	for i, j := range got {
		if seen[j.ID] || j.Submit < 0 || i > 0 && j.Submit < got[i-1].Submit {
			t.Errorf("job %+v", j)
		}
		seen[j.ID] = true
		original := jobs[i/3] // 20 seconds do not mix them
		if j.Size != original.Size || j.Submit < original.Submit-20 || j.Submit > original.Submit+20 {
			t.Errorf("job %+v is no copy of %+v", j, original)
		}
	}
}

// Submissions move by a uniform draw, the same for the same seed, and stay in order.
func TestShake(t *testing.T) {
	var jobs []Job
	for i := range 2000 {
		jobs = append(jobs, Job{ID: JobID(i), Submit: float64(10 * i), Size: 1 + i%5})
	}
	shaken := slices.Clone(jobs)
	if err := Shake(shaken, 60, 3); err != nil {
		t.Fatal(err)
	}
	sum, widest := 0.0, 0.0
	for i, j := range shaken {
		moved := j.Submit - jobs[j.ID].Submit
		sum, widest = sum+moved, max(widest, math.Abs(moved))
		if j.Size != jobs[j.ID].Size || j.Submit < 0 || i > 0 && j.Submit < shaken[i-1].Submit {
			t.Fatalf("job %d is %+v", i, j)
		}
	}
	// Uniform from -60 to 60: the standard deviation is 35, and that of the mean of
	// 2000 is 0.8.
	if widest > 60 || widest < 59 || math.Abs(sum/2000) > 4 {
		t.Errorf("moved by %v on average, by %v at most", sum/2000, widest)
	}
	again := slices.Clone(jobs)
	if err := Shake(again, 60, 3); err != nil || !reflect.DeepEqual(again, shaken) {
		t.Errorf("the same seed shakes otherwise: %v", err)
	}
}

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

// ofUsers returns jobs of users 0 to users-1 in turn.
func ofUsers(n, users int) []Job {
	jobs := make([]Job, n)
	for i := range jobs {
		jobs[i] = job(JobID(i), float64(i), 1, 1)
		jobs[i].SWF = new([18]float64)
		jobs[i].SWF[swfUser], jobs[i].SWF[swfQueue] = float64(i%users), -1
	}
	return jobs
}

// All jobs of a group have the same pattern, whichever other jobs there are. Frequencies of groups
// follow the weights, and the seed decides.
func TestGroupsShareTheirPatterns(t *testing.T) {
	const users = 10_000
	drawn := func(jobs []Job, seed uint64) []Job {
		if err := DrawGroupPatterns(jobs, []float64{1, 4}, seed, (*Job).User); err != nil {
			t.Fatal(err)
		}
		return jobs
	}
	jobs := drawn(ofUsers(2*users, users), 7)
	some, other := drawn(ofUsers(users, users)[:50], 7), drawn(ofUsers(users, users), 8)
	second, differ := 0, 0
	for i := range users {
		second += jobs[i].Pattern
		if other[i].Pattern != jobs[i].Pattern {
			differ++
		}
		if jobs[i].Pattern != jobs[users+i].Pattern || i < 50 && some[i].Pattern != jobs[i].Pattern {
			t.Fatalf("two jobs of user %d have different patterns", i)
		}
	}
	// Five standard deviations; 2·0.2·0.8 = 0.32 of all differ with another seed.
	if second < 7800 || second > 8200 || differ < 3000 || differ > 3400 {
		t.Errorf("pattern 1 drawn %d times, expected 8000; %d differ, expected 3200", second, differ)
	}
}

// Jobs without a group keep their patterns.
func TestUnknownGroupsKeepTheirPatterns(t *testing.T) {
	jobs := ofUsers(3, 3)
	jobs = append(jobs, job(9, 0, 1, 1)) // generated
	for i := range jobs {
		jobs[i].Pattern = i
	}
	if err := DrawGroupPatterns(jobs, []float64{1}, 7, (*Job).Queue); err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		if jobs[i].Pattern != i {
			t.Errorf("job %d has pattern %d, want its own", i, jobs[i].Pattern)
		}
	}
	if err := DrawGroupPatterns(jobs, []float64{-1}, 7, (*Job).User); err == nil {
		t.Error("a negative weight")
	}
}

// Fields 12 and 15 of the standard are the user and the queue.
func TestUserAndQueueOfALine(t *testing.T) {
	var line [18]float64
	for i := range line {
		line[i] = float64(i + 1)
	}
	j := Job{SWF: &line}
	if u, ok := j.User(); u != 12 || !ok {
		t.Errorf("user %d, %v", u, ok)
	}
	if q, ok := j.Queue(); q != 15 || !ok {
		t.Errorf("queue %d, %v", q, ok)
	}
}
