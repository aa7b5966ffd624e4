package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"

	"github.com/google/go-cmp/cmp"
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

// TestEASYByAskingIsByCounting: if node counts decide, trial placements give the same
// schedule.
func TestEASYByAskingIsByCounting(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 7))
		nodes := 1 + r.IntN(30)
		jobs := drawJobs(r, nodes, 60, estimates(seed%3))
		want := simulatePolicy(t, jobs, nodes, &EASY{})
		sim := fixedSim(&List{Jobs: jobs}, nodes)
		sim.Policy, sim.Allocator = &EASY{}, askedFirstFree{firstFree{nodes: nodes}}
		got, _ := recorded(t, sim)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d, -counting +asking:\n%s", seed, d)
		}
	}
}

// TestEASYByHand compares with schedules worked out on paper.
func TestEASYByHand(t *testing.T) {
	tests := []struct {
		name  string
		nodes int
		jobs  []Job
		want  map[JobID]Cycle // starts
	}{
		{"one that ends by the shadow time goes ahead", 4,
			[]Job{job(1, 0, 10, 3), job(2, 1, 5, 2), job(3, 2, 8, 1)}, map[JobID]Cycle{1: 0, 2: 10, 3: 2}},
		{"one that ends a second later does not", 4,
			[]Job{job(1, 0, 10, 3), job(2, 1, 5, 4), job(3, 2, 9, 1)}, map[JobID]Cycle{1: 0, 2: 10, 3: 15}},
		{"on extra nodes it may run for any time", 4,
			[]Job{job(1, 0, 10, 3), job(2, 1, 5, 3), job(3, 2, 99, 1)}, map[JobID]Cycle{1: 0, 2: 10, 3: 2}},
		{"extra nodes are used up", 8,
			[]Job{job(1, 0, 10, 6), job(2, 1, 5, 7), job(3, 2, 99, 1), job(4, 2, 99, 1)},
			map[JobID]Cycle{1: 0, 2: 10, 3: 2, 4: 15}},
		{"a job within the shadow time leaves the extra nodes alone", 8,
			[]Job{job(1, 0, 10, 6), job(2, 1, 5, 7), job(3, 2, 3, 1), job(4, 2, 99, 1)},
			map[JobID]Cycle{1: 0, 2: 10, 3: 2, 4: 2}},
		{"all that end at the shadow time leave extra nodes", 4,
			[]Job{job(1, 0, 10, 2), job(2, 0, 10, 1), job(3, 1, 5, 3), job(4, 2, 99, 1)},
			map[JobID]Cycle{1: 0, 2: 0, 3: 10, 4: 2}},
		{"the second in the queue has no reservation", 4,
			[]Job{job(1, 0, 10, 3), job(2, 1, 5, 2), job(3, 2, 9, 2), job(4, 3, 99, 1)},
			map[JobID]Cycle{1: 0, 2: 10, 3: 15, 4: 3}},
		{"the order of arrival, not of fit", 4,
			[]Job{job(1, 0, 10, 2), job(2, 1, 5, 4), job(3, 2, 8, 1), job(4, 2, 8, 2), job(5, 2, 8, 1)},
			map[JobID]Cycle{1: 0, 2: 10, 3: 2, 4: 15, 5: 2}},
		{"an early end brings the head forward", 4,
			[]Job{estimated(job(1, 0, 3, 3), 10), job(2, 1, 5, 4), job(3, 2, 8, 1)},
			map[JobID]Cycle{1: 0, 2: 10, 3: 2}},
		{"a job past its estimate is taken to end now", 4,
			[]Job{estimated(job(1, 0, 10, 3), 4), job(2, 1, 5, 4), job(3, 6, 1, 1)},
			map[JobID]Cycle{1: 0, 2: 10, 3: 15}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sim := fixedSim(&List{Jobs: test.jobs}, test.nodes)
			sim.Policy = &EASY{}
			if d := cmp.Diff(test.want, startsOf(t, sim)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// watched is a policy that recomputes each head's reservation from scratch.
type watched struct {
	*EASY
	first map[JobID]Cycle
}

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

// TestEASYKeepsTheFirstReservation: with valid estimates the head never starts after
// its first reservation, also with contiguous allocation.
func TestEASYKeepsTheFirstReservation(t *testing.T) {
	heads := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 11))
		jobs := drawJobs(r, 16, 80, estimates(seed%2))
		sim := contiguousSim(t, jobs, "first-fit")
		if seed%3 == 0 {
			sim = fixedSim(&List{Jobs: jobs}, 16)
		}
		w := watched{&EASY{}, map[JobID]Cycle{}}
		sim.Policy = w
		sim.Record = func(r *Record) {
			if at, ok := w.first[r.Job.ID]; ok {
				heads++
				if r.Start > at {
					t.Fatalf("seed %d: job %d starts at %d, reserved for %d", seed, r.Job.ID, r.Start, at)
				}
			}
		}
		if _, err := sim.Run(); err != nil {
			t.Fatal(err)
		}
	}
	if heads < 1000 {
		t.Errorf("only %d heads waited", heads)
	}
}

// contiguousSim runs jobs on a 4x4 mesh.
func contiguousSim(t testing.TB, jobs []Job, allocator string) *Sim {
	t.Helper()
	c := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}}))
	sim := fixedSim(&List{Jobs: jobs}, 16)
	sim.Allocator = allocatorOf(allocator, c)
	return sim
}

func shaped(id JobID, submit, run float64, width, height int) Job {
	j := job(id, submit, run, width*height)
	j.Shape = []int{width, height}
	return j
}

// TestEASYContiguousByHand: a 4x4 mesh under First Fit.
func TestEASYContiguousByHand(t *testing.T) {
	first := []Job{shaped(1, 0, 20, 2, 2), shaped(2, 0, 5, 2, 2), shaped(3, 0, 6, 2, 2),
		shaped(4, 0, 30, 2, 2), shaped(5, 1, 10, 4, 2)}
	for _, test := range []struct {
		name string
		then []Job
		want map[JobID]Cycle
	}{
		// Jobs 1 and 2 fill the lower rows, jobs 3 and 4 the upper ones. Job 2 ends at
		// 5 and job 3 at 6. Then 8 nodes are free, but no row of 4x2. Job 1 ends at 20
		// and frees the lower rows.
		{"enough free nodes, no place", nil, map[JobID]Cycle{1: 0, 2: 0, 3: 0, 4: 0, 5: 20}},
		// So its reservation is for 20, and not for 6, when 8 nodes are free. Job 6 may
		// run from 7 to 19. Job 7 may not run to 21 on the lower right, where First Fit
		// would put it.
		{"the shadow time is that of the place",
			[]Job{shaped(6, 7, 12, 2, 2)},
			map[JobID]Cycle{1: 0, 2: 0, 3: 0, 4: 0, 5: 20, 6: 7}},
		{"one that would stand in its place does not go ahead",
			[]Job{shaped(7, 7, 14, 2, 2)},
			map[JobID]Cycle{1: 0, 2: 0, 3: 0, 4: 0, 5: 20, 7: 20}},
		// Elsewhere it may run. With the lower right taken until 19, First Fit puts job
		// 7 on the upper left, where it does not delay job 5.
		{"one that stands elsewhere does", []Job{shaped(6, 7, 12, 2, 2), shaped(7, 7, 50, 2, 2)},
			map[JobID]Cycle{1: 0, 2: 0, 3: 0, 4: 0, 5: 20, 6: 7, 7: 7}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sim := contiguousSim(t, slices.Concat(first, test.then), "first-fit")
			sim.Policy = &EASY{}
			if d := cmp.Diff(test.want, startsOf(t, sim)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// TestEASYWithEveryAllocator: all jobs run, whatever the allocator reserves.
func TestEASYWithEveryAllocator(t *testing.T) {
	for _, name := range []string{"random", "paging:0", "paging:1", "mbs", "buddy2d", "first-fit",
		"best-fit:rotate", "frame-sliding"} {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 5))
			jobs := drawJobs(r, 16, 80, anyhow)
			sim := contiguousSim(t, jobs, name)
			sim.Policy = &EASY{KillAtReservation: seed%2 == 1}
			if ran := len(startsOf(t, sim)); ran != len(jobs) {
				t.Errorf("%s: %d of %d jobs ran", name, ran, len(jobs))
			}
		}
	}
}
