package sim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
)

// userLog is a log of n jobs of six users and two queues. Every fifth job has an unknown user.
func userLog(t *testing.T, n int) config.Spec {
	t.Helper()
	var lines []string
	for i := range n {
		user := fmt.Sprint(i * 7 % 6)
		if i%5 == 4 {
			user = "-1"
		}
		lines = append(lines, fmt.Sprintf("%d %d -1 100 %d -1 -1 -1 -1 -1 1 %s 1 1 %d 1 -1 -1", i+1, 10*i,
			1<<(i%4), user, 1+i%2))
	}
	s := shareSpec(t, lines...)
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Iterations: 1}
	s.Job.Pattern = configtest.Mix("ring:1+all-to-all:2+n-body:1")
	return s
}

// labels returns the jobs of a run and the labels of their patterns.
func labels(t *testing.T, s config.Spec, replication int) (jobs []jobLabel) {
	t.Helper()
	plan := configtest.Plan(t, s)
	w, err := new(Simulator).NewWork(plan, replication)
	if err != nil {
		t.Fatal(err)
	}
	for {
		j, err := w.Source.Next()
		if errors.Is(err, io.EOF) {
			return jobs
		}
		user, known := j.User()
		queue, _ := j.Queue()
		if !known {
			user = -1
		}
		jobs = append(jobs, jobLabel{j.Size, user, queue, plan.Job.Patterns[j.Pattern].Label, j.Seed,
			j.Quota})
	}
}

type jobLabel struct {
	size        int
	user, queue int64
	label       string
	seed        uint64
	quota       int64
}

// field returns what jobs share their patterns by.
func (j *jobLabel) field(by string) string {
	switch by {
	case "size":
		return fmt.Sprint(j.size)
	case "user":
		return fmt.Sprint(j.user)
	}
	return fmt.Sprint(j.queue)
}

// Jobs of a group share a pattern, other draws stay, and compared runs have the same patterns.
func TestJobsShareTheirPatterns(t *testing.T) {
	s := userLog(t, 120)
	plain := labels(t, s, 0)
	for _, by := range []config.JobField{config.BySize, config.ByUser, config.ByQueue} {
		seen := map[string]bool{}
		for replication := range 20 {
			s.Job.PatternBy = by
			jobs := labels(t, s, replication)
			of := map[string]string{}
			for i, j := range jobs {
				if replication == 0 && j.seed != plain[i].seed {
					t.Fatalf("by %s: job %d has another seed", by, i+1)
				}
				key := j.field(string(by))
				switch {
				case key == "-1":
					if replication == 0 && j.label != plain[i].label {
						t.Errorf("by %s: job %d of an unknown user has %s, drew %s", by, i+1, j.label,
							plain[i].label)
					}
				case of[key] == "":
					of[key] = j.label
					seen[j.label] = true
				case of[key] != j.label:
					t.Fatalf("by %s: jobs of %s have %s and %s", by, key, of[key], j.label)
				}
			}
			compared := s
			compared.Allocator, compared.Scheduler.Policy = "random", "easy"
			if !slices.Equal(jobs, labels(t, compared, replication)) {
				t.Errorf("by %s: another allocator and policy have other jobs", by)
			}
		}
		if len(seen) != 3 {
			t.Errorf("by %s: 20 replications drew %v only", by, seen)
		}
	}
}

// The first rule that fits counts, and other jobs draw as they would without rules.
func TestRulesGivePatterns(t *testing.T) {
	s := userLog(t, 120)
	plain := labels(t, s, 0)
	s.Job.Rules = configtest.Rules("size 1-2: near-neighbour", "user 3: npb-ft:B",
		"queue 1: all-to-all", "size 8-: npb-ft")
	s.Job.Class, s.Job.Scale = "S", 0.001
	for i, j := range labels(t, s, 0) {
		want := plain[i].label
		switch {
		case j.size <= 2:
			want = "near-neighbour"
		case j.user == 3:
			want = "npb-ft:B"
		case j.queue == 1:
			want = "all-to-all"
		case j.size >= 8:
			want = "npb-ft"
		}
		if j.label != want || j.seed != plain[i].seed {
			t.Errorf("job %d, %+v: %s, want %s", i+1, j, j.label, want)
		}
	}
	checkNotes(t, s, `job.rules: of 120 jobs, "size 1-2: near-neighbour" takes 60, "user 3: `)
	extra := &Extra{Records: metrics.Records{Jobs: true}}
	runOf(t, s, extra)
	at := slices.Index(metrics.JobTable.Names(), "pattern")
	if !slices.ContainsFunc(extra.JobRows, func(row []string) bool { return row[at] == "npb-ft:B" }) {
		t.Error("the table of jobs has no npb-ft:B")
	}
}

// Rules that cannot act are refused, with what would be right.
func TestRulesThatFitNoJob(t *testing.T) {
	for _, c := range []struct {
		rules []string
		want  string
	}{
		{[]string{"user 17: ring"}, `job.rules[0] is "user 17: ring", and gives none of the 40 jobs ` +
			`its pattern: put it before the others, or leave it out: ` +
			`the field user of the jobs is 0, 1, 2, ` +
			`3, 4, 5`},
		{[]string{"size 2-4: ring", "size 4: n-body"},
			`job.rules[1] is "size 4: n-body", and gives none of the 40 jobs its pattern: put it before`},
		{[]string{"queue 1-: ring", "size 16-: n-body"},
			`job.rules[1] is "size 16-: n-body", and gives ` +
				`none of the 40 jobs its pattern: put it before the others, or leave it out: ` +
				`the field size of ` +
				`the jobs is 1, 2, 4, 8`},
	} {
		s := userLog(t, 40)
		s.Job.Rules = configtest.Rules(c.rules...)
		if err := configtest.Check(new(Simulator), s); !contains(err, c.want) {
			t.Errorf("%q: %v, want %s", c.rules, err, c.want)
		}
		s.Workload.Window, s.Workload.Jobs = 20, 20
		if err := configtest.Check(new(Simulator), s); err != nil {
			t.Errorf("%q, with windows: %v", c.rules, err)
		}
	}
	s := userLog(t, 4)
	s.Job.PatternBy = "user"
	text, err := os.ReadFile(s.Workload.Trace)
	if err != nil {
		t.Fatal(err)
	}
	var without []string
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		f[11] = "-1"
		without = append(without, strings.Join(f, " "))
	}
	if err := os.WriteFile(s.Workload.Trace, []byte(strings.Join(without, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := configtest.Check(new(Simulator), s); !contains(err, "job.pattern_by is user, and no job") {
		t.Errorf("a log without users: %v", err)
	}
}

// Models of logs have sizes, but neither users nor queues.
func TestPatternsOfModels(t *testing.T) {
	s := configtest.Tree()
	s.Allocator = config.DefaultSpec().Allocator
	s.Allocator = "random"
	s.Workload.Source, s.Workload.Jobs, s.Workload.SizeClamp = "lublin", 50, 32
	s.Job.Pattern, s.Job.PatternBy = configtest.Mix("ring+n-body"), "size"
	s.Job.Rules = configtest.Rules("size 2-4: all-to-all")
	for _, j := range labels(t, s, 0) {
		if (j.size >= 2 && j.size <= 4) != (j.label == "all-to-all") {
			t.Errorf("%+v", j)
		}
	}
	checkNotes(t, s, `job.rules: of 50 jobs, "size 2-4: all-to-all" takes `)
	s.Job.PatternBy = "user"
	if _, err := s.Plan(); !contains(err, "jobs of workload.source = lublin have none") {
		t.Errorf("users of a model: %v", err)
	}
	s.Job.PatternBy, s.Job.Rules = "size", configtest.Rules("queue 2: ring")
	if _, err := s.Plan(); !contains(err, "job.rules[0] has the field queue") {
		t.Errorf("queues of a model: %v", err)
	}
}

// Rules give patterns from outside, with their parameters.
func TestRulesOfOwnPatterns(t *testing.T) {
	r := ownRegistry()
	keys := map[string]any{"workload.source": "lublin", "workload.size_clamp": int64(16),
		"allocator": "random", "job.pattern": "ring", "job.quota.iterations": 2.0}
	without, err := runOwn(t, r, keys)
	if err != nil {
		t.Fatal(err)
	}
	var lengths [2]metrics.Result
	for i, flits := range []string{"8", "13"} {
		keys["job.rules"] = []any{"size 2-: halves:flits=" + flits}
		if lengths[i], err = runOwn(t, r, keys); err != nil {
			t.Fatal(err)
		}
	}
	if cmp.Equal(without, lengths[0], cmpopts.EquateNaNs()) ||
		cmp.Equal(lengths[0], lengths[1], cmpopts.EquateNaNs()) {
		t.Error("a rule with a pattern from outside, or its parameter, changes nothing")
	}
}
