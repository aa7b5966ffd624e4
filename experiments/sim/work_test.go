package sim

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/laws"
	"contend/internal/must"
	"contend/scheduler"
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
	s := treeLog(t, lines...)
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Iterations: 1}
	s.Job.Pattern = configtest.Mix("ring:1+all-to-all:2+n-body:1")
	return s
}

// jobLabel is a job and the label of its pattern.
type jobLabel struct {
	size        int
	user, queue int64
	label       string
	seed        uint64
	quota       int64
}

// labels returns the jobs of a run and the labels of their patterns.
func labels(t *testing.T, s config.Spec, replication int) (jobs []jobLabel) {
	t.Helper()
	plan := configtest.Plan(t, s)
	w := must.Have(new(Simulator).NewWork(t.Context(), plan, replication))
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

// Jobs of a group share a pattern, other draws stay, and compared runs have the same patterns.
func TestJobsShareTheirPatterns(t *testing.T) {
	s := userLog(t, 120)
	plain := labels(t, s, 0)
	for by, field := range map[config.JobField]func(*jobLabel) int64{
		config.BySize:  func(j *jobLabel) int64 { return int64(j.size) },
		config.ByUser:  func(j *jobLabel) int64 { return j.user },
		config.ByQueue: func(j *jobLabel) int64 { return j.queue },
	} {
		seen := map[string]bool{}
		for replication := range 20 {
			s.Job.PatternBy = by
			jobs := labels(t, s, replication)
			of := map[int64]string{}
			for i, j := range jobs {
				key, first := field(&j), replication == 0
				if first && (j.seed != plain[i].seed || key == -1 && j.label != plain[i].label) {
					t.Fatalf("by %s: job %d is %+v, by itself %+v", by, i+1, j, plain[i])
				}
				if key == -1 {
					continue // an unknown user
				}
				if other, known := of[key]; known && other != j.label {
					t.Fatalf("by %s: jobs of %d have %s and %s", by, key, other, j.label)
				}
				of[key], seen[j.label] = j.label, true
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
}

// Rules that cannot act are refused, with what would be right.
func TestRulesThatFitNoJob(t *testing.T) {
	for want, rules := range map[string][]string{
		`job.rules[0] is "user 17: ring", and gives none of the 40 jobs its pattern: put it before the ` +
			`others, or leave it out: the field user of the jobs is 0, 1, 2, 3, 4, 5`: {"user 17: ring"},
		`job.rules[1] is "size 4: n-body", and gives none`: {"size 2-4: ring", "size 4: n-body"},
		`the field size of the jobs is 1, 2, 4, 8`:         {"queue 1-: ring", "size 16-: n-body"},
	} {
		s := userLog(t, 40)
		s.Job.Rules = configtest.Rules(rules...)
		mustRefuse(t, s, want)
		s.Workload.Window, s.Workload.Jobs = 20, 20
		if err := configtest.Check(new(Simulator), s); err != nil {
			t.Errorf("%q, with windows: %v", rules, err)
		}
	}
	s := userLog(t, 4)
	s.Job.PatternBy = "user"
	text := ""
	for line := range strings.Lines(string(must.Have(os.ReadFile(s.Workload.Trace)))) {
		f := strings.Fields(line)
		f[11] = "-1" // the user
		text += strings.Join(f, " ") + "\n"
	}
	s.Workload.Trace = written(t, "log.swf", text)
	mustRefuse(t, s, "job.pattern_by is user, and no job")
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
	mustRefuse(t, s, "jobs of workload.source = lublin have none")
	s.Job.PatternBy, s.Job.Rules = "size", configtest.Rules("queue 2: ring")
	mustRefuse(t, s, "job.rules[0] has the field queue")
}

// with256Nodes are machines of 256 nodes, of which the first has sides.
var with256Nodes = map[string]config.MachineSpec{
	"mesh":     {Topology: "mesh", Dims: []int{16, 16}, Concentration: 1},
	"tree":     {Topology: "tree", Arity: 4, Levels: 4},
	"fat tree": {Topology: "fat-tree", Children: []int{16, 16}, Rails: 1},
	"dragonfly": {Topology: "dragonfly", GroupRouters: 4, GlobalLinks: 2, Concentration: 8,
		Groups: 8, Arrangement: "absolute"},
	"hyperx": {Topology: "hyperx", Dims: []int{8, 8}, Concentration: 4},
}

// jobsOf returns the jobs of replication 1 of a spec.
func jobsOf(t *testing.T, s config.Spec) (list []scheduler.Job) {
	t.Helper()
	w := must.Have(new(Simulator).NewWork(t.Context(), configtest.Plan(t, s), 1))
	for {
		j, err := w.Source.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, j)
	}
}

// A job asks a machine without sides for as many processors as a square mesh of as many nodes.
// Submissions, quotas and seeds are the same too.
func TestSidesAskEveryMachineForTheSameJobs(t *testing.T) {
	for name, side := range map[string]scheduler.SideConfig{
		"default":     {Distribution: "uniform", Min: 1},
		"bounded":     {Distribution: "uniform", Min: 6, Max: 16},
		"rounded":     {Distribution: "uniform", Min: 1, Max: 13, Round: "up"},
		"exponential": {Distribution: "exponential", Outside: "clamp"},
		"increasing":  {Distribution: "increasing"},
		"fixed":       {Distribution: "fixed", Value: 5},
	} {
		jobs := map[string][]scheduler.Job{}
		for kind, m := range with256Nodes {
			s := config.DefaultSpec()
			s.Machine, s.Workload.Side, s.Workload.Jobs = m, side, 200
			s.Allocator = "random"
			jobs[kind] = jobsOf(t, s)
		}
		for kind, list := range jobs {
			if d := cmp.Diff(jobs["mesh"], list); d != "" {
				t.Errorf("%s sides on a %s: %s", name, kind, d)
			}
		}
	}
}

// By hand: sides of 6 to 16 make 36 to 256 processors, and 11 x 11 = 121 in the mean. The mean of
// 2000 jobs is within four standard errors, 4 x 50 / sqrt(2000).
func TestAreasOfDrawnSides(t *testing.T) {
	s := config.DefaultSpec()
	s.Machine, s.Allocator = with256Nodes["dragonfly"], "random"
	s.Workload.Side.Min, s.Workload.Side.Max, s.Workload.Jobs = 6, 16, 2000
	sum, least, most := 0, 1<<30, 0
	for _, j := range jobsOf(t, s) {
		sum, least, most = sum+j.Size, min(least, j.Size), max(most, j.Size)
	}
	if mean := float64(sum) / 2000; least != 36 || most != 256 || mean < 116.5 || mean > 125.5 {
		t.Errorf("jobs of %d to %d processors, %g in the mean; want 36 to 256, 121", least, most, mean)
	}
}

// A machine without sides takes sides up to that of the largest square with no more nodes.
func TestSidesBeyondAMachineWithoutSides(t *testing.T) {
	for _, c := range []struct{ nodes, side int }{{256, 16}, {255, 15}, {240, 15}} {
		s := config.DefaultSpec()
		s.Machine, s.Allocator = with256Nodes["tree"], "random"
		s.Machine.Nodes, s.Workload.Jobs = c.nodes, 5
		s.Workload.Side.Min, s.Workload.Side.Max = c.side, c.side
		if err := configtest.Check(new(Simulator), s); err != nil {
			t.Errorf("side %d of %d nodes: %v", c.side, c.nodes, err)
		}
		s.Workload.Side.Max++
		mustRefuse(t, s, "workload.side.max")
		mustRefuse(t, s, "counts as a square")
	}
}

// with64Nodes are machines of 64 nodes, as machine.topology takes them.
var with64Nodes = []string{"mesh:8x8", "torus:4x4x4", "hypercube:6", "tree:4x3", "fat-tree:4x4x4",
	"dragonfly:a4h2p2g8", "hyperx:4x4:p4"}

// A law: jobs of drawn sizes are the same on all machines of as many nodes, to submissions, quotas
// and seeds, for any seed; with bounds given they are those of larger machines too. Their mean is
// within five standard errors of that of the distribution.
func TestSizesAreTheSameOnEveryMachine(t *testing.T) {
	laws.AtMost(t, 30)
	rapid.Check(t, func(r *rapid.T) {
		low := rapid.IntRange(1, 7).Draw(r, "low")
		high := rapid.IntRange(10, 64).Draw(r, "high")
		size := fmt.Sprintf(rapid.SampledFrom([]string{"uniform:%d,%d", "log-uniform:%d,%d",
			"power-of-two:%d,%d", "%d:0.7+9+%d:0.3", "fixed:%[2]d"}).Draw(r, "size"), low, high)
		bounded := !strings.HasPrefix(size, "fixed")
		if rapid.Bool().Draw(r, "machine's bounds") {
			bounded, size = false, rapid.SampledFrom([]string{"uniform", "log-uniform:2", "power-of-two",
				fmt.Sprintf("exponential:%d", low)}).Draw(r, "unbounded size")
		}
		spec := func(machine string) config.Spec {
			return specWith(t, map[string]any{"machine.topology": machine, "workload.size": size,
				"workload.jobs": int64(300), "runs.seed": rapid.Int64Range(1, 99).Draw(r, "seed"),
				"allocator": "random", "job.quota.distribution": "exponential"})
		}
		first := spec(with64Nodes[0])
		want := jobsOf(t, first)
		mean, squares := 0.0, 0.0
		for _, j := range want {
			mean, squares = mean+float64(j.Size)/300, squares+float64(j.Size*j.Size)/300
			if j.Shape != nil {
				r.Fatalf("%s: the job %+v has a shape", size, j)
			}
		}
		g := must.Have(scheduler.NewSynthetic(configtest.Plan(t, first).Workload.Synthetic))
		if e := math.Sqrt(max(0, squares-mean*mean) / 300); math.Abs(mean-g.MeanSize()) > 5*e+1e-9 {
			r.Errorf("%s: mean %g, want %g within 5 x %g", size, mean, g.MeanSize(), e)
		}
		others := slices.Clone(with64Nodes[1:])
		if bounded {
			others = append(others, "mesh:9x9", "dragonfly:a4h2p4")
		}
		for _, machine := range others {
			s := spec(machine)
			s.Seed = first.Seed
			if d := cmp.Diff(want, jobsOf(t, s)); d != "" {
				r.Errorf("%s on %s: %s", size, machine, d)
			}
		}
	})
}

// A job with a size alone gets the most nearly square submesh from allocators that give submeshes:
// 3x2 for 5 and 6 nodes, 3x3 for 7.
func TestSizesHaveNearlySquarePlaces(t *testing.T) {
	s := specWith(t, map[string]any{"machine.topology": "mesh:8x8", "workload.size": "5+6+7",
		"workload.jobs": int64(40), "allocator": "first-fit", "job.run": "fixed"})
	_, extra := rowsOf(t, s, withJobs)
	if len(extra.JobRows) != 40 {
		t.Fatalf("%d jobs ran", len(extra.JobRows))
	}
	for _, row := range extra.JobRows {
		var x, y []int
		for text := range strings.SplitSeq(row.Nodes, ",") {
			first, last, several := strings.Cut(text, "-")
			from := must.Have(strconv.Atoi(first))
			to := from
			if several {
				to = must.Have(strconv.Atoi(last))
			}
			for n := from; n <= to; n++ {
				x, y = append(x, n%8), append(y, n/8)
			}
		}
		sides := [2]int{slices.Max(x) - slices.Min(x) + 1, slices.Max(y) - slices.Min(y) + 1}
		if want := map[int][2]int{5: {3, 2}, 6: {3, 2}, 7: {3, 3}}[row.Processors]; sides != want {
			t.Errorf("%d nodes on %v, want %v", row.Processors, sides, want)
		}
	}
}

// The messages of the mean-sized job are those of a size that the jobs have, if all are powers of
// two: by hand the mean of 2, 4 and 8 is 14/3, and fft of 4 processes sends 8 messages.
func TestQuotaOfTheMeanSize(t *testing.T) {
	for size, want := range map[string]int64{"power-of-two:2,8": 8, "2+4+8": 8, "8": 24} {
		s := specWith(t, map[string]any{"machine.topology": "torus:4x4x4", "workload.size": size,
			"workload.jobs": int64(5), "allocator": "random", "job.pattern": "fft",
			"job.quota.mean_iterations": 1.0})
		for _, j := range jobsOf(t, s) {
			if j.Quota != want {
				t.Errorf("%s: quota %d, want %d", size, j.Quota, want)
			}
		}
	}
	s := specWith(t, map[string]any{"machine.topology": "mesh:8x8", "workload.size": "4",
		"job.pattern": "near-neighbour", "job.grid": "shape"})
	mustRefuse(t, s, "grid = shape, but the job of 4 processes has none")
}

// A job does whole iterations of its pattern at its own size, whatever else is on the machine: with
// job.quota.iterations = k it sends k times the messages of an iteration, from each source of jobs,
// on each topology, under each mapping, with jumps and without.
func TestJobsDoWholeIterations(t *testing.T) {
	of := map[string]func(n int) int{ // messages of an iteration, from the definitions
		"all-to-all": func(n int) int { return n * (n - 1) },
		"one-to-all": func(n int) int { return n - 1 },
		"ring":       func(n int) int { return n }, "random": func(n int) int { return n },
		"all-gather-ring": func(n int) int { return n * (n - 1) },
	}
	machines := []string{"mesh:8x8", "torus:8x8", "tree:4x3", "dragonfly:a4h2p2g9", "hyperx:4x4:p4"}
	set := func(machine, pattern string, k int) map[string]any {
		return map[string]any{"machine.topology": machine, "network.virtual_channels": int64(4),
			"workload.source": "synthetic", "workload.jobs": int64(4), "workload.side.max": int64(3),
			"job.pattern": pattern, "allocator": "random", "job.quota.iterations": float64(k),
			"job.mapping": []string{"random", "allocated"}[k%2], "runs.seed": int64(k)}
	}
	for i, machine := range machines {
		for pattern, messages := range of {
			k := 1 + i%3
			one := set(machine, pattern, k)
			checkMessages(t, one, k, messages)
			one["workload.source"] = "list"
			for _, key := range []string{"job.pattern", "workload.jobs", "workload.side.max"} {
				delete(one, key)
			}
			one["workload.list"] = []any{"processes = 9; pattern = " + pattern,
				"processes = 4; pattern = " + pattern}
			checkMessages(t, one, k, messages)
			delete(one, "workload.list")
			delete(one, "allocator")
			one["workload.source"], one["job.pattern"], one["workload.processes"] = "together", pattern,
				int64(5+i)
			checkMessages(t, one, k, messages)
		}
	}
	for _, pattern := range []string{"ring", "all-to-all"} {
		const k = 300
		long := set("mesh:8x8", pattern, k)
		full := checkMessages(t, long, k, of[pattern])
		long["runs.fast_forward"] = 0.2
		r := checkMessages(t, long, k, of[pattern])
		if r["time_jumped"] == 0 || r["messages"] != full["messages"] {
			t.Errorf("%s: %v%% of the time jumped over, %v messages, in full %v", pattern, r["time_jumped"],
				r["messages"], full["messages"])
		}
	}
}

// checkMessages runs jobs that do k iterations, and compares the messages that each has sent.
func checkMessages(t *testing.T, set map[string]any, k int, messages func(n int) int,
) map[string]float64 {
	t.Helper()
	r, x := rowsOf(t, specWith(t, set), withJobs)
	sizes, sent := jobColumn(t, x, "processors"), jobColumn(t, x, "messages")
	for i, n := range sizes {
		want := k * messages(int(n))
		if n == 1 { // it has nobody to send to
			want = 0
		}
		if int(sent[i]) != want {
			t.Errorf("%v: a job of %v processes sends %v messages, want %d", set, n, sent[i], want)
		}
	}
	if len(sizes) == 0 {
		t.Errorf("%v: no jobs", set)
	}
	return r
}

// A drawn number of iterations is whole, and its mean is the given one. Means of messages are the
// same for all sizes, and are those of the mean-sized job (lo1994 App. A); jobs of other sizes then
// end within an iteration, which is counted.
func TestDrawnQuotas(t *testing.T) {
	s := specWith(t, map[string]any{"workload.jobs": int64(4000),
		"machine.dims": []any{int64(8), int64(8)}, "job.quota.distribution": "exponential", "job.quota.iterations": 20.0})
	iterations, n := 0.0, 0
	for _, j := range labels(t, s, 0) {
		per := int64(max(1, j.size*(j.size-1)))
		if j.quota%per != 0 {
			t.Fatalf("a job of %d processes sends %d messages", j.size, j.quota)
		}
		if j.size > 1 {
			iterations, n = iterations+float64(j.quota/per), n+1
		}
	}
	if mean := iterations / float64(n); math.Abs(mean-20) > 1.2 { // four standard errors
		t.Errorf("%v iterations in the mean, want 20", mean)
	}
	s = specWith(t, map[string]any{"workload.jobs": int64(50),
		"machine.dims": []any{int64(8), int64(8)}, "job.quota.mean_iterations": 2.0, "job.quota.processes": int64(16)})
	cut := CutJobs{Least: 1}
	for _, j := range labels(t, s, 0) {
		if j.quota != 2*16*15 {
			t.Fatalf("a job of %d processes sends %d messages", j.size, j.quota)
		}
		if per := int64(j.size * (j.size - 1)); per > 0 {
			cut.Jobs++
			if j.quota < per {
				cut.Cut++
				share := 480 / float64(per)
				cut.Least, cut.Most = min(cut.Least, share), max(cut.Most, share)
			}
		}
	}
	got := must.Have(new(Simulator).CutJobs(t.Context(), configtest.Plan(t, s)))
	if got != cut || cut.Cut == 0 || got.Note(configtest.Plan(t, s)) == "" {
		t.Errorf("cut jobs %+v, want %+v", got, cut)
	}
	s = specWith(t, map[string]any{"job.quota.iterations": 3.0})
	got = must.Have(new(Simulator).CutJobs(t.Context(), configtest.Plan(t, s)))
	if got != (CutJobs{}) {
		t.Errorf("whole iterations are cut: %+v", got)

	}
}
