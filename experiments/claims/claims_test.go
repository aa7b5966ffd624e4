package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/must"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The held-out seed is drawn from what the rules of a study require: it changes with every bound of
// any of them, and not with reasons or with what is said of the time when they were set.
func TestHeldOutSeed(t *testing.T) {
	seed := HeldOutSeed(experimentstest.LoadPlanted(t, "", "")("planted"))
	if seed < 3 || seed > 1_000_000 {
		t.Errorf("the seed is %d", seed)
	}
	for _, c := range []struct {
		old, replaced string
		same          bool
	}{
		{"a test", "another reason", true}, {"why", "set = \"before\"\nwhy", true},
		{"jobs = 5", "jobs = 6", true},
		{"min = 0.5", "min = 0.50001", false}, {"max = 0.5", "max = 0.4", false},
		{"never", "ever", false}, {`"planted"`, `"sown"`, false},
	} {
		got := HeldOutSeed(experimentstest.LoadPlanted(t, c.old, c.replaced)("planted"))
		if (got == seed) != c.same {
			t.Errorf("with %s for %s the seed is %d, before %d", c.replaced, c.old, got, seed)
		}
	}
}

// A folder is judged by the rules of today: a row for each, with its numbers and the command that
// makes its runs.
func TestFoldersAreJudged(t *testing.T) {
	j := Judge{Names: metrics.Builtin(), Load: experimentstest.LoadPlanted(t, "", "")}
	rows, err := j.Folder(experimentstest.RecordPlanted(t, "planted-seed2", "[runs]\n",
		"[runs]\nseed = 2\n"))
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	r := &rows[0]
	if r.Verdict != Holds || rows[1].Verdict != Fails || r.Within != 1 || r.Of != 1 || r.Seed != 2 ||
		r.Least != r.Most || !(r.Low < r.Least && r.Least < r.High) ||
		r.Command != "contend run planted --seed 2 -o out/planted-seed2" {
		t.Errorf("%+v", rows)
	}
	if again := must.Have(Read("", Text(rows))); fmt.Sprint(again) != fmt.Sprint(rows) {
		t.Errorf("the file has %v, the judge %v", again, rows)
	}
}

// The range of a rule is of the groups that were run. Of several groups there is no interval.
func TestMeasuredRanges(t *testing.T) {
	var r Row
	group := report.Group{Run: true, Mean: 3, Low: 2, High: 4}
	groups := []report.Group{group, {Run: true, Mean: 2}, {}}
	r.measure(&study.Tolerance{}, &report.Verdict{Groups: groups})
	if r.Least != 2 || r.Most != 3 || !math.IsNaN(r.Low) || !math.IsNaN(r.High) {
		t.Errorf("%+v", r)
	}
	r.measure(&study.Tolerance{}, &report.Verdict{Groups: []report.Group{group}})
	if r.Least != 3 || r.Most != 3 || r.Low != 2 || r.High != 4 {
		t.Errorf("%+v", r)
	}
}

// The rules of a study are judged by runs of its points alone: those of other points are no runs.
func TestRunsOfOtherPointsDoNotCount(t *testing.T) {
	j := Judge{Names: metrics.Builtin(), Load: experimentstest.LoadPlanted(t, "jobs = 5", "jobs = 6")}
	rows, err := j.Folder(experimentstest.RecordPlanted(t, "planted", "", ""))
	if err != nil || len(rows) != 2 || rows[0].Verdict != Fails || !math.IsNaN(rows[0].Least) {
		t.Errorf("%+v, %v", rows, err)
	}
}

// Results of a study that flags changed are not those of the study, unless their folder says so.
func TestRunsOfChangedStudies(t *testing.T) {
	j := Judge{Names: metrics.Builtin(), Load: experimentstest.LoadPlanted(t, "", "")}
	for _, k := range []struct{ folder, changed, want string }{
		{"planted", "--set machine.dims=[8,8]", "is the whole study, unchanged"},
		{"planted-seed2", "--set machine.dims=[8,8]", "is the whole study, unchanged"},
		{"other", "--set machine.dims=[8,8]", "is the whole study, unchanged"},
		{"planted-quick", "--quick", "is the whole study, unchanged"},
		{"planted-large-seed2", "--set machine.dims=[8,8]", ""},
	} {
		rows, err := j.Folder(experimentstest.RecordPlanted(t, k.folder, "name",
			"changed = [\""+k.changed+"\"]\nname"))
		if k.want != "" && (err == nil || !strings.Contains(err.Error(), k.want)) ||
			k.want == "" && (err != nil || len(rows) != 2 || rows[0].Study != "planted-large" ||
				rows[0].Command != "contend run planted --set machine.dims=[8,8] -o out/planted-large") {
			t.Errorf("%s after %s: %+v, %v, want %q", k.folder, k.changed, rows, err, k.want)
		}
	}
}

// A change of the printed numbers or the break-even that a rule is about makes its outcome stale.
func TestDigestsOfRules(t *testing.T) {
	st := experimentstest.LoadPlanted(t, "", "")("planted")
	of := func(rule, metric string) string {
		t.Helper()
		d, err := DigestsOf(st, &study.Tolerance{Rule: rule, Metric: metric})
		if err != nil {
			t.Fatal(err)
		}
		return d.OfRule
	}
	ratio, bounds, even := of("ratio", "jobs"), of("bounds", "jobs"), of("bounds", "pays")
	st.Published.CSV = "allocator,jobs\nmbs,5\n"
	st.BreakEvens = []study.BreakEven{{Name: "pays", Metric: "finish_time"}}
	if of("ratio", "jobs") == ratio || of("bounds", "pays") == even || of("bounds", "jobs") != bounds {
		t.Error("the digest of a rule is not of what it is about")
	}
}

// The verdict on a ratio follows from bounds on one side of 1, or near it on both.
func TestVerdicts(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		min, max float64
		interval bool
		drawn    bool
		holds    bool
		want     string
	}{
		{1, inf, true, true, true, Greater}, {1.2, 3, true, true, true, Greater},
		{1, inf, true, true, false, Fails}, {1, inf, false, true, true, "greater in the mean"},
		{1, inf, false, false, true, Greater}, {-inf, 1, true, true, true, Less},
		{0.2, 0.9, false, true, true, "less in the mean"}, {0.9, 1.1, true, true, true, Alike},
		{1, 1, true, true, true, Alike}, {0.7, 1.1, true, true, true, Holds},
		{0.9, inf, true, true, true, Holds},
	} {
		rule := &study.Tolerance{Rule: study.BoundsRule, Relative: "mbs", Interval: c.interval}
		if !math.IsInf(c.min, 0) {
			rule.Min = &c.min
		}
		if !math.IsInf(c.max, 0) {
			rule.Max = &c.max
		}
		if got := VerdictOf(rule, c.drawn, c.holds); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
		if rule.Relative = ""; c.holds && VerdictOf(rule, c.drawn, true) != Holds {
			t.Errorf("%+v: a value that is no ratio has a direction", c)
		}
	}
}

// Numbers in sentences are those of the rows, over groups and seeds.
func TestNumbers(t *testing.T) {
	nan, min, max := math.NaN(), 1.3, 0.95
	bounds := &study.Tolerance{Rule: study.BoundsRule, Min: &min}
	one := []Row{{Of: 1, Within: 1, Least: 1.277, Most: 1.277, Low: 1.249, High: 1.306},
		{Of: 1, Least: 1.238, Most: 1.238}}
	many := []Row{{Of: 3, Within: 3, Least: 0.153, Most: 0.629, Low: nan},
		{Of: 3, Within: 2, Least: 0.2, Most: 0.9}}
	for _, c := range []struct {
		form, unit string
		rows       []Row
		rule       *study.Tolerance
		want       string
	}{
		{"range", "", one, bounds, "1.24 to 1.28"}, {"range", "", one[:1], bounds, "1.28"},
		{"range", "", many, bounds, "0.153 to 0.900"}, {"range%", "", one, bounds, "24 to 28"},
		{"range%", "", many, bounds, "10 to 85"},
		{"interval", "times", one, bounds, "1.28 times (1.25 to 1.31; seeds 1.24 to 1.28)"},
		{"interval", "%", one[:1], bounds, "1.28% (1.25 to 1.31)"},
		{"interval", "", many, bounds, "error: the rule has several groups, or no interval"},
		{"bound", "", nil, bounds, "1.3"},
		{"bound", "", nil, &study.Tolerance{Rule: study.BoundsRule, Min: &max, Max: &min}, "0.95 to 1.3"},
		{"bound", "", nil, &study.Tolerance{Rule: "ratio", Within: 0.03}, "3"},
		{"bound", "", nil, &study.Tolerance{Rule: "ranking"}, "error: the rule has no bounds"},
		{"range", "", nil, bounds, "error: the rule has no outcome"},
		{"range", "", []Row{{Least: 37, Most: 37}}, bounds, "37"},
		{"range", "", []Row{{Least: 11.1, Most: 23}}, bounds, "11.1 to 23.0"},
		{"range", "", []Row{{Least: 0.9997, Most: 1}}, bounds, "1.00"},
		{"range", "", []Row{{Least: 99.996, Most: 100}}, bounds, "100"},
		{"range%", "", []Row{{Least: 0.9, Most: 1.2}}, bounds, "error: 0.900 to 1.20 lie on both sides"},
		{"range", "times", one, bounds, "error: the form range takes no unit"},
		{"rnge", "", one, bounds, "error: rnge is no form"},
	} {
		got, err := Number(c.form, c.unit, c.rule, c.rows)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s %s of %+v: %q, want %q", c.form, c.unit, c.rows, got, c.want)
		}
	}
}

// Rows are the same after they were written and read; new rows replace those of the same study and
// seed.
func TestRowsStayInTheFile(t *testing.T) {
	nan := math.NaN()
	a1 := Row{Study: "a", Rule: "r", Seed: 1, Within: 1, Of: 2, Least: 0.5, Most: math.Inf(1),
		Low: nan, High: nan, Digests: Digests{"1", "2", "3"}}
	a2, b := a1, a1
	a2.Seed, b.Study, b.Sentence = 2, "b", "x, y"
	rows, err := Read(File, Text(Merge([]Row{b, a2}, []Row{a1})))
	if diff := cmp.Diff([]Row{a1, a2, b}, rows, cmpopts.EquateNaNs()); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	other := a1
	other.Rule = "other"
	rows = Merge(rows, []Row{other})
	if len(rows) != 3 || rows[0].Rule != "other" || rows[1].Seed != 2 {
		t.Errorf("%+v", rows)
	}
	for text, want := range map[string]string{"x,y\n": "no table with the header",
		strings.Replace(string(Text(rows)), ",1,2,", ",one,2,", 1): File + ":2: within: "} {
		if _, err := Read(File, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The rows of the program are sorted, so that its table has one row for each rule.
func TestBuiltinRows(t *testing.T) {
	rows := Builtin()
	if len(rows) < 100 || len(Cited(rows)) == 0 || len(ByRule(rows)) >= len(rows) {
		t.Errorf("%d rows, %d of documents", len(rows), len(Cited(rows)))
	}
	if !slices.EqualFunc(rows, Merge(nil, rows), func(a, b Row) bool {
		return a.Study == b.Study && a.Rule == b.Rule && a.Seed == b.Seed
	}) {
		t.Error("the rows are not sorted")
	}
}
