package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/must"
)

// TestQueueAgainstSlice starts jobs at random places of the queue and compares the
// queue with a plain slice.
func TestQueueAgainstSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := State{version: 1, free: allocation.NewFreeSet(100_000), allocator: firstFree{nodes: 100_000},
		executor: &Fixed{}, byID: map[JobID]*Entry{}}
	s.checks.begin(&Sim{})
	var want []JobID
	for id := JobID(1); id <= 5000; id++ {
		if err := s.submit(job(id, 0, 1, 1), 0); err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
		for len(want) > 0 && r.IntN(100) < 49 {
			i := r.IntN(min(len(want), 20))
			if !s.Start(slices.Collect(s.Queue())[i]) {
				t.Fatal("a job that fits did not start")
			}
			want = append(want[:i], want[i+1:]...)
		}
		if s.Waiting() != len(want) {
			t.Fatalf("%d wait, want %d", s.Waiting(), len(want))
		}
		for i, e := range slices.Collect(s.Queue()) {
			if e.Job.ID != want[i] {
				t.Fatalf("job %d waits at %d, want %d", e.Job.ID, i, want[i])
			}
		}
	}
	if len(s.queue.entries) > 2*len(want)+2*blockPlaces {
		t.Errorf("%d places, %d jobs wait", len(s.queue.entries), len(want))
	}
}

// scheduling is a policy that is a function.
type scheduling func(*State)

// Schedule implements Policy.
func (p scheduling) Schedule(s *State) { p(s) }

// A policy that starts a job again, or on nodes that another job may have, panics.
func TestWrongPolicies(t *testing.T) {
	jobs := []Job{job(1, 0, 5, 2), job(2, 0, 5, 2)}
	var first *Entry
	for want, policy := range map[string]scheduling{
		"scheduler: job 2 is started on nodes that were not just found for it": func(s *State) {
			found := slices.Collect(s.Queue())
			for _, e := range found {
				s.Place(e)
			}
			for _, e := range found {
				s.Commit(e)
			}
		},
		"scheduler: the policy starts job 1, which does not wait": func(s *State) {
			if first == nil {
				first = s.Head()
			}
			s.Start(first)
		},
	} {
		if got := must.Panic(func() { simulatePolicy(t, jobs, 4, policy) }); got != want {
			t.Errorf("panic %q, want %s", got, want)
		}
	}
}
