package scheduler

import (
	"math/rand/v2"
	"testing"

	"contend/allocation"
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
			if !s.Start(waiting(&s)[i]) {
				t.Fatal("a job that fits did not start")
			}
			want = append(want[:i], want[i+1:]...)
		}
		if s.Waiting() != len(want) {
			t.Fatalf("%d wait, want %d", s.Waiting(), len(want))
		}
		for i, e := range waiting(&s) {
			if e.Job.ID != want[i] {
				t.Fatalf("job %d waits at %d, want %d", e.Job.ID, i, want[i])
			}
		}
	}
	if len(s.queue.entries) > 2*len(want)+2*blockPlaces {
		t.Errorf("%d places, %d jobs wait", len(s.queue.entries), len(want))
	}
}

// waiting lists the queue.
func waiting(s *State) (list []*Entry) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		list = append(list, s.queue.entries[place])
	}
	return list
}
