package scheduler

import "testing"

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
