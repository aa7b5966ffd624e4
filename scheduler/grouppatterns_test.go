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

// All jobs of a group have the same pattern, whichever other jobs there are, and
// frequencies of groups follow the weights.
func TestGroupsShareTheirPatterns(t *testing.T) {
	const users = 10_000
	jobs := ofUsers(2*users, users)
	if err := DrawGroupPatterns(jobs, []float64{1, 4}, 7, (*Job).User); err != nil {
		t.Fatal(err)
	}
	second := 0
	for i := range users {
		second += jobs[i].Pattern
		if jobs[i].Pattern != jobs[users+i].Pattern {
			t.Fatalf("two jobs of user %d have the patterns %d and %d", i, jobs[i].Pattern,
				jobs[users+i].Pattern)
		}
	}
	if second < 7800 || second > 8200 { // five standard deviations
		t.Errorf("pattern 1 drawn %d times, expected 8000", second)
	}
	some := ofUsers(2*users, users)[users-100 : users-50]
	if err := DrawGroupPatterns(some, []float64{1, 4}, 7, (*Job).User); err != nil {
		t.Fatal(err)
	}
	for i := range some {
		if some[i].Pattern != jobs[users-100+i].Pattern {
			t.Errorf("user %d has another pattern among other jobs", users-100+i)
		}
	}
	other := ofUsers(users, users)
	if err := DrawGroupPatterns(other, []float64{1, 4}, 8, (*Job).User); err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i := range other {
		if other[i].Pattern != jobs[i].Pattern {
			differ++
		}
	}
	if differ < 3000 || differ > 3400 { // 2·0.2·0.8 = 0.32 of all
		t.Errorf("with another seed %d of %d users have another pattern", differ, users)
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
