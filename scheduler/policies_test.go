package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/allocation"
	"contend/internal/must"
)

// plainRun is a running job in the reference.
type plainRun struct {
	Job
	start, end float64
}

// estimated returns the estimated end.
func (r plainRun) estimated() float64 { return r.start + r.Estimate }

// plainRule returns the index of a waiting job that starts now, or -1 for none.
type plainRule func(now float64, waiting []Job, running []plainRun, free int) int

// plainly simulates jobs in the plainest way, by counting nodes. At each time at which
// a job ends or arrives, or at the next multiple of poll if that is not 0, all jobs that have ended
// leave first. Then all jobs that have arrived join the queue. Then the rule is applied until it
// starts no more jobs.
func plainly(jobs []Job, nodes int, poll float64, rule plainRule) []recordOf {
	var records []recordOf
	var waiting []Job
	var running []plainRun
	free := nodes
	for len(jobs)+len(running) > 0 {
		now := 1e300
		if len(jobs) > 0 {
			now = jobs[0].Submit
		}
		for _, r := range running {
			now = min(now, r.end)
		}
		if poll > 0 {
			now = math.Ceil(now/poll) * poll
		}
		running = slices.DeleteFunc(running, func(r plainRun) bool {
			if r.end <= now {
				free += r.Size
			}
			return r.end <= now
		})
		for len(jobs) > 0 && jobs[0].Submit <= now {
			waiting, jobs = append(waiting, jobs[0]), jobs[1:]
		}
		for len(waiting) > 0 {
			i := rule(now, waiting, running, free)
			if i < 0 {
				break
			}
			j := waiting[i]
			records = append(records, recordOf{j.ID, Cycle(j.Submit), Cycle(now), Cycle(now + j.RunTime)})
			running = append(running, plainRun{j, now, now + j.RunTime})
			free -= j.Size
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
	return records
}

// plainFCFS starts the first job if it fits.
func plainFCFS(_ float64, waiting []Job, _ []plainRun, free int) int {
	if waiting[0].Size <= free {
		return 0
	}
	return -1
}

// compareWithPlain compares a policy with a rule, job by job.
func compareWithPlain(t rapid.TB, jobs []Job, nodes int, p Policy, poll float64, rule plainRule) {
	t.Helper()
	sim := fixedSim(&List{Jobs: jobs}, nodes)
	sim.Policy = p
	got, totals := recorded(t, sim)
	want := plainly(jobs, nodes, poll, rule)
	slices.SortFunc(want, byID)
	slices.SortFunc(got, byID)
	if !slices.Equal(got, want) {
		t.Fatalf("%d nodes, %+v\n-reference +simulation:\n%s", nodes, jobs[:min(len(jobs), 20)],
			cmp.Diff(want, got))
	}
	work, finish := 0.0, Cycle(0)
	for i, j := range jobs {
		work += float64(j.Size) * j.RunTime
		finish = max(finish, want[i].End)
	}
	if totals.Used.Float64() != work || totals.Finish != finish || totals.Jobs != len(jobs) {
		t.Fatalf("totals %+v, want work %v, finish %d, %d jobs", totals, work, finish, len(jobs))
	}
}

// byID orders records by job number.
func byID(a, b recordOf) int { return int(a.ID - b.ID) }

// always returns a rule that needs nothing of its own.
func always(rule plainRule) func(nodes int) plainRule { return func(int) plainRule { return rule } }

// allPolicies are the policies, and the plain rules of those that have one. Those rules hold for
// estimates of some kinds.
var allPolicies = map[string]struct {
	make  func() Policy
	rule  func(nodes int) plainRule
	seeds uint64
	kinds []estimates
}{
	"fcfs": {func() Policy { return FCFS{} }, always(plainFCFS), 500, []estimates{exact}},
	"easy": {func() Policy { return &EASY{} }, always(plainEASY), 700,
		[]estimates{exact, above, anyhow}},
	"easy, no extra nodes": {func() Policy { return &EASY{NoExtraNodes: true} },
		always(plainEnding), 300, []estimates{exact, above, anyhow}},
	"easy, kill": {func() Policy { return &EASY{KillAtReservation: true} }, nil, 0, nil},
	"conservative": {func() Policy { return &Conservative{} }, plainConservatively, 120,
		[]estimates{exact, above}},
	"sjf": {func() Policy { return &SJF{} }, always(plainFront(shorter)), 500,
		[]estimates{exact, above, anyhow}},
	"cplant": {func() Policy { return &Cplant{} }, always(plainFront(smaller)), 500,
		[]estimates{exact, above, anyhow}},
	"cplant, polled": {func() Policy { return &Cplant{PollSeconds: 7} },
		always(plainFront(smaller)), 500, []estimates{exact, above, anyhow}},
}

// Every policy starts each job when the plain rule does, on many random workloads.
func TestPoliciesAgainstPlain(t *testing.T) {
	for name, p := range allPolicies {
		t.Run(name, func(t *testing.T) {
			for seed := range p.seeds {
				for _, kind := range p.kinds {
					r := rand.New(rand.NewPCG(seed, uint64(kind)))
					nodes := 1 + r.IntN(30)
					jobs, poll := drawJobs(r, nodes, 1+r.IntN(80), kind), 0.0
					if c, ok := p.make().(*Cplant); ok {
						poll = c.PollSeconds
					}
					compareWithPlain(t, jobs, nodes, p.make(), poll, p.rule(nodes))
				}
			}
		})
	}
}

// A log of 28,489 jobs, that of johnson2010.
func TestPoliciesAgainstPlainOnKTH(t *testing.T) {
	jobs := readKTH(t)
	compareWithPlain(t, jobs, 100, &EASY{}, 0, plainEASY)
	compareWithPlain(t, jobs, 100, FCFS{}, 0, plainFCFS)
}

// estimates is the relation of the estimates of random jobs to their run times.
type estimates int

const (
	exact  estimates = iota
	above            // never below the run time
	anyhow           // sometimes below the run time
)

// drawJobs draws a workload on the given number of nodes in which queues form.
func drawJobs(r *rand.Rand, nodes, n int, kind estimates) []Job {
	jobs, now := make([]Job, n), 0
	gap, longest := 1+r.IntN(12), 1+r.IntN(40)
	for i := range jobs {
		now += r.IntN(gap)
		run := r.IntN(longest)
		jobs[i] = job(JobID(i+1), float64(now), float64(run), 1+r.IntN(nodes)>>r.IntN(4))
		jobs[i].Size = max(1, jobs[i].Size)
		switch kind {
		case above:
			jobs[i].Estimate += float64(r.IntN(longest) * r.IntN(2))
		case anyhow:
			jobs[i].Estimate = float64(r.IntN(longest + 10))
		}
	}
	return jobs
}

// readKTH returns the jobs of the log of johnson2010.
func readKTH(t testing.TB) []Job {
	t.Helper()
	jobs := must.Have(ReadAll(openTrace(t, "KTH-SP2-1996-2.swf.gz")))
	if len(jobs) != 28489 {
		t.Errorf("%d jobs, the log has 28489", len(jobs))
	}
	return jobs
}

// CountDecides implements allocation.Counting.
func (a firstFree) CountDecides() bool { return a.page <= 1 }

var _ allocation.Counting = firstFree{}

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

// plainConservative keeps a reservation for each waiting job. It tries all times at
// which something ends to find where a reservation fits.
type plainConservative struct {
	reserved map[JobID]float64
	running  []plainRun // running jobs at the last call
}

// busy returns the greatest number of nodes in use at any time in [from, to).
func (p *plainConservative) busy(from, to float64, running []plainRun, waiting []Job,
	except JobID) int {
	used := func(at float64) int {
		sum := 0
		for _, r := range running {
			if max(r.estimated(), r.start+1) > at {
				sum += r.Size
			}
		}
		for _, j := range waiting {
			if start, ok := p.reserved[j.ID]; ok && j.ID != except && start <= at &&
				at < start+max(1, j.Estimate) {
				sum += j.Size
			}
		}
		return sum
	}
	most := used(from)
	for _, j := range waiting {
		if start, ok := p.reserved[j.ID]; ok && from < start && start < to {
			most = max(most, used(start))
		}
	}
	return most
}

// earliest returns the first time from now on at which the job fits.
func (p *plainConservative) earliest(j Job, nodes int, now float64, running []plainRun,
	waiting []Job) float64 {
	times := []float64{now}
	for _, r := range running {
		times = append(times, max(now, r.estimated(), r.start+1))
	}
	for _, w := range waiting {
		if start, ok := p.reserved[w.ID]; ok {
			times = append(times, start+max(1, w.Estimate))
		}
	}
	slices.Sort(times)
	for _, at := range times {
		if p.busy(at, at+max(1, j.Estimate), running, waiting, j.ID)+j.Size <= nodes {
			return at
		}
	}
	panic("no place")
}

// plainConservatively returns the rule for estimates that are never too short.
func plainConservatively(nodes int) plainRule {
	p := &plainConservative{reserved: map[JobID]float64{}}
	return func(now float64, waiting []Job, running []plainRun, free int) int {
		if p.ended(running) {
			for _, j := range waiting {
				if _, ok := p.reserved[j.ID]; ok {
					p.reserved[j.ID] = p.earliest(j, nodes, now, running, waiting)
				}
			}
		}
		p.running = slices.Clone(running)
		for _, j := range waiting {
			if _, ok := p.reserved[j.ID]; !ok {
				p.reserved[j.ID] = p.earliest(j, nodes, now, running, waiting)
			}
		}
		for i, j := range waiting {
			if p.reserved[j.ID] <= now && j.Size <= free {
				delete(p.reserved, j.ID)
				p.running = append(p.running, plainRun{j, now, now + j.RunTime})
				return i
			}
		}
		return -1
	}
}

// ended reports whether a job that ran has left.
func (p *plainConservative) ended(running []plainRun) bool {
	for _, r := range p.running {
		if !slices.ContainsFunc(running, func(other plainRun) bool { return other.ID == r.ID }) {
			return true
		}
	}
	return false
}

// Jobs that pass their estimates upset the plan, but all jobs run under any allocator.
func TestConservativeWithOverruns(t *testing.T) {
	for _, allocator := range []string{"mbs", "first-fit", "paging:1"} {
		for seed := range uint64(60) {
			jobs := drawJobs(rand.New(rand.NewPCG(seed, 5)), 16, 80, anyhow)
			sim := meshSim([]int{4, 4}, allocator)
			sim.Source, sim.Policy, sim.KillOverruns = &List{Jobs: jobs}, &Conservative{}, seed%3 == 0
			if records, _ := recorded(t, sim); len(records) != len(jobs) {
				t.Fatalf("%s: %d of %d jobs ran", allocator, len(records), len(jobs))
			}
		}
	}
}

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

// shorter is the order of SJF.
func shorter(a, b Job) bool { return a.Estimate < b.Estimate }

// smaller is the order of Cplant.
func smaller(a, b Job) bool {
	return a.Size < b.Size || a.Size == b.Size && a.Estimate < b.Estimate
}
