package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainEASY is Fig. 1 of Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, evaluated from
// scratch for each job that starts.
func plainEASY(now float64, waiting []Job, running []plainRun, free int) int {
	if waiting[0].Size <= free {
		return 0
	}
	shadow, extra := plainShadow(now, waiting[0], running, free)
	for i, j := range waiting {
		if i > 0 && j.Size <= free && (now+j.Estimate <= shadow || j.Size <= extra) {
			return i
		}
	}
	return -1
}

// plainShadow returns the head's reservation and the extra nodes.
func plainShadow(now float64, head Job, running []plainRun, free int) (shadow float64, extra int) {
	shadow = math.Inf(1)
	for _, r := range running { // the earliest end at which enough nodes are free
		at, sum := max(now, r.estimated()), free
		for _, other := range running {
			if max(now, other.estimated()) <= at {
				sum += other.Size
			}
		}
		if sum >= head.Size && at < shadow {
			shadow, extra = at, sum-head.Size
		}
	}
	return shadow, extra
}

// plainEnding is plainEASY in which jobs go ahead only if they end in time.
func plainEnding(now float64, waiting []Job, running []plainRun, free int) int {
	if waiting[0].Size <= free {
		return 0
	}
	shadow, _ := plainShadow(now, waiting[0], running, free)
	return slices.IndexFunc(waiting,
		func(j Job) bool { return j.Size <= free && now+j.Estimate <= shadow })
}

// watched is a policy that recomputes each head's reservation from scratch.
type watched struct {
	*EASY
	first map[JobID]Cycle
}

// Schedule runs the policy and notes the reservation of a new head.
func (w watched) Schedule(s *State) {
	w.EASY.Schedule(s)
	head := s.Head()
	if head == nil {
		return
	}
	var probe shadow
	probe.find(s, head, s.counting)
	if _, known := w.first[head.Job.ID]; !known {
		w.first[head.Job.ID] = probe.at
	}
}

// With valid estimates and contiguous allocation the head never starts after its first reservation.
// Where node counts decide, the invariants hold this.
func TestEASYKeepsTheFirstReservation(t *testing.T) {
	heads := 0
	for seed := range uint64(400) {
		jobs := drawJobs(rand.New(rand.NewPCG(seed, 11)), 16, 80, estimates(seed%2))
		sim, w := meshSim([]int{4, 4}, "first-fit"), watched{&EASY{}, map[JobID]Cycle{}}
		sim.Source, sim.Policy = &List{Jobs: jobs}, w
		records, _ := recorded(t, sim)
		for _, r := range records {
			if at, ok := w.first[r.ID]; ok {
				heads++
				if r.Start > at {
					t.Fatalf("seed %d: job %d starts at %d, reserved for %d", seed, r.ID, r.Start, at)
				}
			}
		}
	}
	if heads < 1000 {
		t.Errorf("only %d heads waited", heads)
	}
}
