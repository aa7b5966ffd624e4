package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainFront starts the first waiting job in an order if it fits.
func plainFront(before func(a, b Job) bool) plainRule {
	return func(_ float64, waiting []Job, _ []plainRun, free int) int {
		best := 0
		for i := range waiting {
			if before(waiting[i], waiting[best]) {
				best = i
			}
		}
		if waiting[best].Size <= free {
			return best
		}
		return -1
	}
}

func shorter(a, b Job) bool { return a.Estimate < b.Estimate }

func smaller(a, b Job) bool {
	return a.Size < b.Size || a.Size == b.Size && a.Estimate < b.Estimate
}

// polled simulates the jobs on a machine on which events happen only at multiples of
// poll.
func polled(jobs []Job, nodes int, poll float64) map[JobID]Cycle {
	starts := map[JobID]Cycle{}
	var waiting []Job
	var running []plainRun
	for now := 0.0; len(starts) < len(jobs); now += poll {
		free := nodes
		running = slices.DeleteFunc(running, func(r plainRun) bool { return r.end <= now })
		for _, r := range running {
			free -= r.Size
		}
		waiting = waiting[:0]
		for _, j := range jobs {
			if _, started := starts[j.ID]; !started && j.Submit <= now {
				waiting = append(waiting, j)
			}
		}
		for len(waiting) > 0 {
			i := plainFront(smaller)(now, waiting, nil, free)
			if i < 0 {
				break
			}
			j := waiting[i]
			starts[j.ID] = Cycle(now)
			running = append(running, plainRun{j, now, now + j.RunTime})
			free -= j.Size
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	return starts
}

// TestCplantPolls only at the multiples of the given time.
func TestCplantPolls(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		nodes := 1 + r.IntN(30)
		jobs := drawJobs(r, nodes, 60, anyhow)
		for i := range jobs {
			jobs[i].RunTime++ // a job of no length would end and free its nodes at the same poll
		}
		poll := 1 + r.IntN(40)
		want := polled(jobs, nodes, float64(poll))
		for _, got := range simulatePolicy(t, jobs, nodes, &Cplant{PollSeconds: float64(poll)}) {
			if got.Start != want[got.ID] || got.Start%Cycle(poll) != 0 {
				t.Fatalf("seed %d: job %d starts at %d, want %d; polls every %d", seed, got.ID, got.Start,
					want[got.ID], poll)
			}
		}
	}
}

// TestPollTimes: polls are at multiples in seconds, at the nearest cycle, each once.
func TestPollTimes(t *testing.T) {
	tests := []struct {
		rate, poll float64
		want       []Cycle
	}{
		{1, 10, []Cycle{0, 10, 20, 30}},
		{1, 2.5, []Cycle{0, 3, 5, 8, 10}},
		{1000, 0.25, []Cycle{0, 250, 500}},
		{1, 0.01, []Cycle{0, 1, 2, 3}}, // not more often than every cycle
		{0.5, 3, []Cycle{0, 2, 3, 5}},
	}
	for _, test := range tests {
		s := State{clock: Clock{test.rate}}
		p := Cplant{PollSeconds: test.poll}
		at := Cycle(-1)
		for i, want := range test.want {
			next := p.poll(&s, at)
			for between := at; between < next; between++ {
				if p.poll(&s, between) != next {
					t.Errorf("every %v s: after %d comes %d", test.poll, between, p.poll(&s, between))
				}
			}
			if at = next; at != want {
				t.Errorf("every %v s at %v cycles/s: poll %d at %d, want %d", test.poll, test.rate, i, at, want)
			}
		}
	}
}

// TestCplantSkipsIdlePolls: a machine that waits for one long job does not poll a
// million times.
func TestCplantSkipsIdlePolls(t *testing.T) {
	asked := &asking{Cplant: Cplant{PollSeconds: 1}}
	simulatePolicy(t, []Job{job(1, 0, 1e6, 4), job(2, 5, 1, 4)}, 4, asked)
	if asked.times > 10 {
		t.Errorf("asked %d times", asked.times)
	}
}

type asking struct {
	Cplant
	times int
}

func (a *asking) Schedule(s *State) { a.times++; a.Cplant.Schedule(s) }
