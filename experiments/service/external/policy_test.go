package external

import (
	"fmt"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/submesh"
	"contend/internal/must"
	"contend/internal/written"
	"contend/router/topology"
	"contend/scheduler"
)

// simulate runs jobs under a program that answers as a script says, and returns what became of
// them: the start and the end of each, in the order of the ends.
func simulate(t *testing.T, script string, jobs []scheduler.Job,
	set ...func(*Policy)) (string, *Policy, error) {
	t.Helper()
	site, _ := siteOf(t)
	p := must.Have(NewPolicy(childCommand(t, "", "says:{};"+script), site))
	for _, f := range set {
		f(p)
	}
	text := ""
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: p,
		Allocator: must.Have(submesh.New("first-fit", site.Machine, submesh.Options{})),
		Executor:  &scheduler.Fixed{}, Free: allocation.NewFreeSet(16),
		Stop: func() bool { return site.Run.Err() != nil },
		Record: func(r *scheduler.Record) {
			text += fmt.Sprintf("%d:%d-%d ", r.Job.ID, r.Start, r.End)
		}}
	_, err := sim.Run()
	if failure := site.Run.Err(); failure != nil {
		err = failure
	}
	return strings.TrimSpace(text), p, err
}

// threeJobs are twoJobs and a small job that could start at once.
var threeJobs = append(twoJobs[:2:2], scheduler.Job{ID: 3, Submit: 3, Size: 1, RunTime: 1})

// twoJobs are a job of a quarter of the machine and one of all of it.
var twoJobs = []scheduler.Job{{ID: 1, Size: 4, Shape: []int{2, 2}, RunTime: 10, Estimate: 12},
	{ID: 2, Submit: 3, Size: 16, Shape: []int{4, 4}, RunTime: 5, Estimate: 6}}

// A program that sets one timer after the other while nothing happens is stopped, with its line.
// Timers between which jobs are submitted, start or end may be as many as it likes.
func TestTimersWithoutEnd(t *testing.T) {
	const script = `{"start":[1]};{"timer":NEXT}`
	for _, c := range []struct {
		limit int
		want  string
	}{
		{5, `it has set 5 timers in a row, between which nothing happened: set timers farther apart, ` +
			`or wait for the next event (it answers {"timer":6}; line 8 was {"now":5,"free":12,`},
		{10, ""}, // the job ends in cycle 10
	} {
		got, _, err := simulate(t, script, twoJobs[:1], func(p *Policy) { p.maxTimersInARow = c.limit })
		switch {
		case c.want == "" && (err != nil || got != "1:0-10"):
			t.Errorf("limit %d: %s, %v", c.limit, got, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("limit %d: %v\nwant %s", c.limit, err, c.want)
		}
	}
}

// Answers start jobs, kill jobs and set timers, and the next lines have the outcome.
func TestPolicy(t *testing.T) {
	for _, c := range []struct {
		script string
		jobs   []scheduler.Job
		want   string
	}{
		{`{"start":[1]};{};{"start":[2]};{};{"start":[2]};{};{}`, twoJobs, "1:0-10 2:10-15"},
		{`{"timer":2};{"start":[1]};{};{};{"start":[2]};{};{}`, twoJobs, "1:2-12 2:12-17"},
		{`{"start":[1],"timer":7};{};{};{"kill":[1],"start":[2]};{};{}`, twoJobs, "1:0-7 2:7-12"},
		{`{"timer":9};{"timer":0,"start":[2,1]};{};{"start":[1]};{};{}`, twoJobs, "2:3-8 1:8-18"},
		{`{"start":[1]};{};{"start":[2,3]};{};{"start":[3,2]};{};{"start":[2]};{};{}`, threeJobs,
			"1:0-10 3:10-11 2:11-16"}, // after 2, which is refused, 3 is not tried
	} {
		got, p, err := simulate(t, c.script, c.jobs)
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.script, got, err, c.want)
		}
		if len(p.waiting)+len(p.running) > 0 {
			t.Errorf("%s: jobs are left over", c.script)
		}
	}
}

// What is wrong with an answer ends the run, with the line of events and what would be right.
func TestBrokenDecisions(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{`x`, `: write an object in a line, and other text to standard error (it ` +
			`answers x; line 2 was {"now":0,"free":16,` +
			`"events":[{"submit":1,"size":4,"shape":[2,2],"estimate":12}]})`},
		{`{"start":[1]};x`, `line 3 was {"now":0,"free":12,"events":[{"start":1,"nodes":[0,1,4,5]}]}`},
		{`{"start":[1]};{};{"start":[2]};x`, `line 5 was {"now":3,"free":12,"events":[{"refused":2}]}`},
		{`{"start":[1]};{};{"kill":[1]};x`, `{"now":3,"free":16,"events":[{"end":1,"killed":true}]}`},
		{`{"start":[1]};{"timer":5};{};x`, `{"now":5,"free":12,"events":[{"timer":5}]}`},
		{`{"start":[1]};{};{};x`, `{"now":10,"free":16,"events":[{"end":1}]}`},
		{`{"start":[3]}`, "it starts job 3, which does not wait: start jobs that were submitted, " +
			"each once"},
		{`{"start":[1,1]}`, "it starts job 1, which does not wait"},
		{`{"kill":[1]}`, "it kills job 1, which does not run: kill jobs that have started and not ended"},
		{`{"timer":0};{"timer":3}`, "timer is 3, and it is cycle 3: give a later cycle, or 0"},
		{`{"timer":-1}`, "timer is -1, and it is cycle 0"},
		{`{"start":[1]};{};{"start":[2]};{"start":[2]}`,
			"it starts job 2, which was refused in this cycle"},
		{`{"starts":[1]}`, `unknown key "starts": did you mean "start"?`},
		{`{"start":[1.5]}`, `start is [1.5]: give a list of jobs`},
	} {
		script := strings.ReplaceAll(c.script, `{"timer":0};`, `{"timer":99};`)
		_, _, err := simulate(t, script, twoJobs)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.script, err, c.want)
		}
	}
}

// A job that sends messages cannot be killed, and the first line of a policy says so.
func TestKillWithoutKiller(t *testing.T) {
	site, _ := siteOf(t)
	p := must.Have(NewPolicy(childCommand(t, "", `says:{};{"start":[1]};{"kill":[1]}`), site))
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: twoJobs}, Policy: p,
		Allocator: must.Have(submesh.New("first-fit", site.Machine, submesh.Options{})),
		Executor:  struct{ scheduler.Executor }{&scheduler.Fixed{}}, Free: allocation.NewFreeSet(16),
		Stop: func() bool { return site.Run.Err() != nil }}
	if _, err := sim.Run(); err == nil || site.Run.Err() == nil ||
		!strings.Contains(site.Run.Err().Error(), "jobs that send messages cannot be killed") {
		t.Errorf("%v, %v", err, site.Run.Err())
	}
	line := string(written.JSON(p.firstLine()))
	if !strings.HasSuffix(line, `"cycles_per_second":1,"kills":false}`) {
		t.Error(line)
	}
}

// Whatever a program answers, it is read as an answer that keeps the rules, or it is an error.
func FuzzAnswers(f *testing.F) {
	for _, line := range []string{`{"nodes":[3,4]}`, `{"nodes":[3],"reserved":[4,5]}`,
		`{"refused":""}`,
		`{"error":"no"}`, `{"start":[1,2],"kill":[3],"timer":9}`, `{"timer":null}`, `{}`, `null`, `[]`,
		"{\"nodes\":[3,4]}\x00", `{"nodes":[3,4]}{}`, `{"NODES":[3,4],"nodes":null}`, "\xff",
		`{"nodes":[1e9,4]}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		free := allocation.NewFreeSet(8)
		free.Take([]topology.Node{0, 1, 2})
		nodes, ok, err := readPlacement([]topology.Node{7}, line, free, 2)
		switch {
		case ok && (err != nil || len(nodes) < 3):
			t.Fatalf("%q: %v, %v", line, nodes, err)
		case !ok && len(nodes) != 1:
			t.Fatalf("%q: refused, and dst is %v", line, nodes)
		case ok:
			free.Take(nodes[1:]) // which panics on a node that is not free
		}
		readDecision(line)
	})
}
