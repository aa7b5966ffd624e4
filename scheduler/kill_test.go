package scheduler

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// fate is the outcome of a job.
type fate struct {
	start, end Cycle
	killed     bool
}

func fates(t testing.TB, sim *Sim) (map[JobID]fate, Totals) {
	t.Helper()
	got := map[JobID]fate{}
	last := Cycle(0)
	sim.Record = func(r *Record) {
		if _, twice := got[r.Job.ID]; twice || r.End < last {
			t.Errorf("job %d at %d, after %d", r.Job.ID, r.End, last)
		}
		got[r.Job.ID], last = fate{r.Start, r.End, r.Killed}, r.End
	}
	totals := must.Have(sim.Run())
	return got, totals
}

func estimated(j Job, estimate float64) Job { j.Estimate = estimate; return j }

// TestKillAtReservation is pascual2009 sec. 3: "when the time of the reservation is
// reached, the waiting job has to run".
func TestKillAtReservation(t *testing.T) {
	tests := []struct {
		name  string
		nodes int
		jobs  []Job
		want  map[JobID]fate
	}{
		{"one that went ahead and passes its estimate", 4,
			[]Job{job(1, 0, 10, 3), job(2, 1, 5, 4), estimated(job(3, 2, 20, 1), 8)},
			map[JobID]fate{1: {0, 10, false}, 2: {10, 15, false}, 3: {2, 10, true}}},
		{"at the reservation, when nothing else happens", 4,
			[]Job{job(1, 0, 10, 3), job(2, 1, 5, 4), estimated(job(3, 2, 20, 1), 8),
				estimated(job(4, 30, 5, 1), 9)},
			map[JobID]fate{1: {0, 10, false}, 2: {10, 15, false}, 3: {2, 10, true}, 4: {30, 35, false}}},
		{"an early end brings the reservation closer", 4,
			[]Job{estimated(job(1, 0, 6, 3), 10), job(2, 1, 5, 4), estimated(job(3, 2, 20, 1), 8)},
			map[JobID]fate{1: {0, 6, false}, 2: {10, 15, false}, 3: {2, 10, true}}},
		{"one that came before the head is not killed, and none where that would not do", 4,
			[]Job{estimated(job(1, 0, 20, 3), 10), job(2, 1, 5, 4), job(3, 2, 8, 1),
				estimated(job(4, 11, 99, 1), 0)},
			map[JobID]fate{1: {0, 20, false}, 2: {20, 25, false}, 3: {2, 10, false}, 4: {11, 20, true}}},
		{"on extra nodes too, where an earlier job passes its estimate", 4,
			[]Job{estimated(job(1, 0, 20, 1), 10), job(2, 0, 10, 2), job(3, 1, 5, 3), job(4, 2, 50, 1)},
			map[JobID]fate{1: {0, 20, false}, 2: {0, 10, false}, 3: {10, 15, false}, 4: {2, 10, true}}},
		{"those past their estimate, not those on extra nodes", 8,
			[]Job{job(1, 0, 10, 4), job(2, 1, 5, 6), job(3, 2, 40, 2), estimated(job(4, 3, 40, 1), 7),
				estimated(job(5, 4, 40, 1), 6)},
			// Job 3 has the extra nodes. Without jobs 4 and 5 six nodes are free at 10.
			map[JobID]fate{1: {0, 10, false}, 2: {10, 15, false}, 3: {2, 42, false}, 4: {3, 10, true},
				5: {4, 10, true}}},
		{"of two that are in the way, one where that is enough", 6,
			[]Job{job(1, 0, 10, 4), job(2, 1, 5, 5), estimated(job(3, 2, 40, 1), 7),
				estimated(job(4, 3, 40, 1), 6)},
			map[JobID]fate{1: {0, 10, false}, 2: {10, 15, false}, 3: {2, 42, false}, 4: {3, 10, true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sim := fixedSim(&List{Jobs: test.jobs}, test.nodes)
			sim.Policy = &EASY{KillAtReservation: true}
			got, totals := fates(t, sim)
			if d := cmp.Diff(test.want, got, cmp.AllowUnexported(fate{})); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			killed := 0
			for _, f := range got {
				if f.killed {
					killed++
				}
			}
			if totals.Killed != killed || totals.Jobs != len(test.jobs) {
				t.Errorf("%+v", totals)
			}
		})
	}
}

// TestKillAtReservationContiguous: the head's place decides.
func TestKillAtReservationContiguous(t *testing.T) {
	jobs := []Job{shaped(1, 0, 10, 4, 2), shaped(2, 0, 30, 2, 2), shaped(3, 1, 5, 4, 2),
		estimated(shaped(4, 2, 99, 1, 2), 5), estimated(shaped(5, 2, 99, 1, 1), 5)}
	// Jobs 1 and 2 leave 2x2 on the upper right to jobs 4 and 5. Job 1 ends at 10 and
	// frees the lower rows, so nothing is in the way.
	sim := contiguousSim(t, jobs, "first-fit")
	sim.Policy = &EASY{KillAtReservation: true}
	got, _ := fates(t, sim)
	for _, id := range []JobID{4, 5} {
		if got[id].killed {
			t.Errorf("job %d was killed", id)
		}
	}
	if got[3].start != 10 {
		t.Errorf("job 3 starts at %d", got[3].start)
	}
	// A wider job needs all nodes.
	jobs[2] = shaped(3, 1, 5, 4, 4)
	sim = contiguousSim(t, jobs, "first-fit")
	sim.Policy = &EASY{KillAtReservation: true}
	got, _ = fates(t, sim)
	if !got[4].killed || !got[5].killed || got[3].start != 30 || got[4].end != 30 {
		t.Errorf("%+v", got)
	}
}

// TestReservationDoesNotMoveBack: job 3 needs all nodes of the machine except one and
// has a reservation for 10. Job 4 asks for that node and gets a page of four, which the
// counts did not foresee. So from 5 on, when job 5 causes a new computation, job 3
// could run only from 101 on. The first reservation remains in force.
func TestReservationDoesNotMoveBack(t *testing.T) {
	for _, at := range []float64{5, 50} { // at 50 nothing is recomputed
		jobs := []Job{job(1, 0, 10, 12), job(3, 1, 5, 15), job(4, 2, 99, 1), job(5, at, 1, 16)}
		sim := contiguousSim(t, jobs, "paging:1")
		sim.Policy = &EASY{KillAtReservation: true, CountReservations: true}
		got, _ := fates(t, sim)
		if got[3].start != 10 || !got[4].killed || got[4].end != 10 {
			t.Errorf("with a job at %v: %+v", at, got)
		}
	}
}

// TestKillOverruns is johnson2010 sec. I: "jobs still running after their estimated
// running time are killed". A job that ends exactly then is not.
func TestKillOverruns(t *testing.T) {
	jobs := []Job{estimated(job(1, 0, 10, 2), 4), estimated(job(2, 0, 4, 1), 4), job(3, 1, 5, 2),
		estimated(job(4, 20, 3, 4), 0)}
	sim := fixedSim(&List{Jobs: jobs}, 4)
	sim.KillOverruns = true
	got, totals := fates(t, sim)
	want := map[JobID]fate{1: {0, 4, true}, 2: {0, 4, false}, 3: {4, 9, false}, 4: {20, 20, true}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(fate{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if totals.Killed != 2 || totals.Used.Float64() != 8+4+10 {
		t.Errorf("%+v", totals)
	}
}

// TestKillOverrunsCutsRunTimes: under every policy, killing at the estimate gives the
// same schedule as run times cut to the estimate.
func TestKillOverrunsCutsRunTimes(t *testing.T) {
	for name, policy := range allPolicies {
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, 4))
			jobs := drawJobs(r, 12, 60, anyhow)
			cut := slices.Clone(jobs)
			for i := range cut {
				cut[i].RunTime = min(cut[i].RunTime, cut[i].Estimate)
			}
			a := fixedSim(&List{Jobs: jobs}, 12)
			a.Policy, a.KillOverruns = policy.make(), true
			b := fixedSim(&List{Jobs: cut}, 12)
			b.Policy = policy.make()
			got, _ := fates(t, a)
			want, _ := fates(t, b)
			for i := range jobs {
				id := jobs[i].ID
				if got[id].killed != (jobs[i].RunTime > jobs[i].Estimate) {
					t.Fatalf("%s: job %+v: %+v", name, jobs[i], got[id])
				}
				if got[id].start != want[id].start || got[id].end != want[id].end {
					t.Fatalf("%s, seed %d: job %d: %+v, want %+v", name, seed, id, got[id], want[id])
				}
			}
		}
	}
}

// TestKilledInTheLog: a killed job has status 5 and the run time it had.
func TestKilledInTheLog(t *testing.T) {
	var s Schedule
	sim := fixedSim(&List{Jobs: []Job{estimated(job(1, 0, 10, 2), 4), job(2, 0, 3, 1)}}, 4)
	sim.KillOverruns, sim.Record = true, s.Add
	if _, err := sim.Run(); err != nil {
		t.Fatal(err)
	}
	lines := s.Lines()
	if f := lines[0].Fields; f[swfStatus] != 5 || f[swfRun] != 4 {
		t.Errorf("killed: %v", f)
	}
	if f := lines[1].Fields; f[swfStatus] != 1 || f[swfRun] != 3 {
		t.Errorf("not killed: %v", f)
	}
}

// TestCannotKill: killing without a Killer is a caller's bug.
func TestCannotKill(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{estimated(job(1, 0, 10, 2), 4)}}, 4)
	sim.KillOverruns, sim.Executor = true, struct{ Executor }{&Fixed{}}
	got := must.Panic(func() { sim.Run() })
	if !strings.HasPrefix(got, "scheduler: job 1 cannot be killed") {
		t.Errorf("panic %q", got)
	}
}
