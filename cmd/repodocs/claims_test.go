package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// planted is a study with two rules: of what is drawn, and of what is not.
const planted = `name = "planted"
[machine]
dims = [4, 4]
[workload]
jobs = 5
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[tolerances]]
name = "random-late"
rule = "bounds"
metric = "finish_time"
of = "random"
relative_to = "mbs"
min = 0.5
why = "a test"
[[tolerances]]
name = "never"
rule = "bounds"
metric = "finish_time"
of = "random"
relative_to = "mbs"
max = 0.5
`

// golden is what the golden file of the planted study has.
const golden = "# contend run planted\npoint\treplication\tlog\tfinish_time\tjobs\n" +
	"mbs\t0\t\t100\t5\nrandom\t0\t\t90\t5\n"

// plant returns a checker of a repository that has the planted study, which ran with some seeds.
func plant(t *testing.T, seeds ...string) (c *Repository, root string) {
	t.Helper()
	names := metrics.Builtin()
	root = t.TempDir()
	folder := filepath.Join(root, "experiments", "testdata", "golden")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "planted.txt"), golden)
	c = &Repository{Root: root, Names: names, Load: loader(t, planted, names)}
	for _, seed := range seeds {
		dir := filepath.Join(t.TempDir(), "planted-seed"+seed)
		r, err := experimentstest.Record(dir, strings.Replace(planted, "[runs]\n",
			"[runs]\nseed = "+seed+"\n", 1), experiments.Tables{})
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.Evaluate(r.Folder.Dir)
		if err != nil {
			t.Fatal(err)
		}
		c.Outcomes = mergeOutcomes(c.Outcomes, list)
	}
	return c, root
}

func loader(t *testing.T, text string, names *config.Registry) func(string) *study.Study {
	return func(name string) *study.Study {
		if name != "planted" {
			return nil
		}
		st, err := study.Parse("planted.toml", text, names)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const sentence = "Random placement is late.\n<!-- claim: planted.random-late -->\n"

// reports fails unless a document has one problem whose text contains want, or none for "".
func reports(t *testing.T, c *Repository, document, want string) {
	t.Helper()
	list := c.Claims(document)
	if want == "" && len(list) > 0 || want != "" && (len(list) != 1 ||
		!strings.Contains(list[0].Text, want)) {
		t.Errorf("%q: %v, want %q", document, list, want)
	}
}

func TestClaimsOfStoredRuns(t *testing.T) {
	c, root := plant(t, "1", "2")
	reports(t, c, sentence, "")
	reports(t, c, "`<!-- claim: STUDY.RULE -->` marks it\n", "")
	reports(t, c, "<!-- claim: planted.rndom-late -->", "has no rule of this name")
	reports(t, c, "<!-- claim: plnted.random-late -->", "neither a built-in study nor a block")
	reports(t, c, "<!-- claim: planted -->", "write claim: STUDY.RULE")
	reports(t, c, "<!-- claim planted.random-late -->", "")
	reports(t, c, "<!-- claim: planted.never -->", "the rule fails with seed 1")
	if p := c.Claims("\n" + sentence + "<!-- claim: a.b -->"); len(p) != 1 || p[0].Line != 4 {
		t.Errorf("%v, want line 4", p)
	}
	golden2 := filepath.Join(root, "experiments", "testdata", "golden", "planted.txt")
	write(t, golden2, strings.Replace(golden, "100\t5", "100\t6", 1)) // another metric
	reports(t, c, sentence, "")
	write(t, golden2, strings.Replace(golden, "100\t5", "101\t5", 1))
	reports(t, c, sentence, "stale: the golden file of the study has changed")
	write(t, golden2, golden)
	for _, change := range [][3]string{
		{"min = 0.5", "min = 0.4", "stale: its rule has changed"},
		{"jobs = 5", "jobs = 6", "stale: points of the study have changed"},
		{"a test", "another reason", ""},
	} {
		c.Load, c.known = loader(t, strings.Replace(planted, change[0], change[1], 1), c.Names), nil
		reports(t, c, sentence, change[2])
	}
}

func TestClaimsNeedTwoSeeds(t *testing.T) {
	c, _ := plant(t)
	reports(t, c, sentence, "docs/claims.csv has no outcome")
	c, _ = plant(t, "2")
	reports(t, c, sentence, "evaluated with seed 2 alone")
	c.Outcomes[1].Chance = NothingDrawn
	reports(t, c, sentence, "")
}

// The rules of a study are judged by runs of its points alone: those of other points are no runs.
func TestRunsOfOtherPointsDoNotCount(t *testing.T) {
	c, _ := plant(t)
	dir := filepath.Join(t.TempDir(), "planted")
	if _, err := experimentstest.Record(dir, planted, experiments.Tables{}); err != nil {
		t.Fatal(err)
	}
	c.Load = loader(t, strings.Replace(planted, "jobs = 5", "jobs = 6", 1), c.Names)
	list, err := c.Evaluate(dir)
	if err != nil || len(list) != 2 || list[0].Holds || list[0].Value != "not run" {
		t.Errorf("%+v, %v", list, err)
	}
}

// Results of a study that flags changed are not those of the study, unless their folder says so.
func TestRunsOfChangedStudies(t *testing.T) {
	c, _ := plant(t)
	for _, k := range []struct{ folder, changed, want string }{
		{"planted", "--set machine.dims=[8,8]", "is the whole study, unchanged"},
		{"planted-seed2", "--set machine.dims=[8,8]", "is the whole study, unchanged"},
		{"other", "--set machine.dims=[8,8]", "is the whole study, unchanged"},
		{"planted-quick", "--quick", "is the whole study, unchanged"},
		{"planted-large-seed2", "--set machine.dims=[8,8]", ""},
	} {
		dir := filepath.Join(t.TempDir(), k.folder)
		if _, err := experimentstest.Record(dir, "changed = [\""+k.changed+"\"]\n"+planted,
			experiments.Tables{}); err != nil {
			t.Fatal(err)
		}
		list, err := c.Evaluate(dir)
		if k.want != "" && (err == nil || !strings.Contains(err.Error(), k.want)) ||
			k.want == "" && (err != nil || len(list) != 2 || list[0].Study != "planted-large") {
			t.Errorf("%s after %s: %v, %v, want %q", k.folder, k.changed, list, err, k.want)
		}
		if k.want == "" {
			c.Outcomes = list
			c.Outcomes[0].Chance = NothingDrawn
			reports(t, c, "<!-- claim: planted-large.random-late -->", "")
		}
	}
}

// A page that has the study itself shows the output of contend compare.
func TestClaimsOfBlocks(t *testing.T) {
	c, _ := plant(t)
	page := "```toml file=own.toml\n" + planted + "```\n<!-- claim: own.random-late -->\n"
	output := func(word string) string {
		return "```text output\n" + word + "  random-late: finish_time of random\n```\n"
	}
	reports(t, c, page, "no output of contend compare on this page shows that it holds")
	reports(t, c, page+output("pass"), "the page shows one seed")
	reports(t, c, page+output("pass")+output("pass"), "")
	reports(t, c, page+output("pass")+output("FAIL"), "says that it fails")
	reports(t, c, strings.ReplaceAll(page+output("pass"), "text output", "text"), "no output")
	reports(t, c, strings.ReplaceAll(page, ".random-late", ".random-soon"), "has no rule of this name")
}

// New outcomes replace those of the same study and seed; the others stay.
func TestOutcomesStayInTheFile(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o777); err != nil {
		t.Fatal(err)
	}
	a1, a2, b := Outcome{Study: "a", Rule: "r", Seed: 1, Groups: "1 of 2", Chance: Drawn,
		Digests: Digests{"1", "2", "3"}}, Outcome{Study: "a", Rule: "r", Seed: 2},
		Outcome{Study: "b", Rule: "q", Seed: 1, Holds: true, Words: "x, y"}
	if err := writeOutcomes(root, mergeOutcomes([]Outcome{b, a2}, []Outcome{a1})); err != nil {
		t.Fatal(err)
	}
	list, err := readOutcomes(root)
	if err != nil || len(list) != 3 || list[0] != a1 || list[1] != a2 || list[2] != b {
		t.Errorf("%+v, %v", list, err)
	}
	other := Outcome{Study: "a", Rule: "other", Seed: 1}
	list = mergeOutcomes(list, []Outcome{other})
	if len(list) != 3 || list[0] != other || list[1] != a2 {
		t.Errorf("%+v", list)
	}
}

// A change of the printed numbers or the break-even that a rule is about makes its outcome stale.
func TestDigestsOfRules(t *testing.T) {
	c, root := plant(t)
	st := c.Load("planted")
	of := func(rule, metric string) string {
		t.Helper()
		d, err := digestsOf(root, st, &study.Tolerance{Rule: rule, Metric: metric}, c.Names)
		if err != nil {
			t.Fatal(err)
		}
		return d.Rule
	}
	ratio, bounds, even := of("ratio", "jobs"), of("bounds", "jobs"), of("bounds", "pays")
	st.Published.CSV = "allocator,jobs\nmbs,5\n"
	st.BreakEvens = []study.BreakEven{{Name: "pays", Metric: "finish_time"}}
	if of("ratio", "jobs") == ratio || of("bounds", "pays") == even || of("bounds", "jobs") != bounds {
		t.Error("the digest of a rule is not of what it is about")
	}
}

// Problem is a fault of a line of a document.
type Problem struct {
	Line int
	Text string
}

// claimMark is the comment behind a sentence that concludes. Its text is STUDY.RULE.
var claimMark = regexp.MustCompile(`<!--\s*claim:?(.*?)-->`)

// inlineCode shows what marks look like and is none.
var inlineCode = regexp.MustCompile("`[^`]*`")

// Claims returns the sentences of a document whose rule is missing, stale, failed, or was
// evaluated with too few seeds.
func (c *Repository) Claims(document string) (list []Problem) {
	d := parseDocument(document)
	for _, l := range d.prose {
		for _, m := range claimMark.FindAllStringSubmatch(inlineCode.ReplaceAllString(l.text, ""), -1) {
			name, rule, ok := strings.Cut(strings.TrimSpace(m[1]), ".")
			why := "write claim: STUDY.RULE"
			if ok {
				why = c.claim(d, name, rule)
			}
			if why != "" {
				list = append(list, Problem{l.number, strings.TrimSpace(m[1]) + ": " + why})
			}
		}
	}
	return list
}

// claim says why a document cannot conclude by a rule, "" if it can.
func (c *Repository) claim(d *document, name, rule string) string {
	if text, file := d.study(name); file != "" {
		return c.blockClaim(d, file, text, rule)
	}
	st := c.studyOf(name)
	if st == nil {
		return "neither a built-in study nor a block of this page has this name"
	}
	if ruleOf(st, rule) == nil {
		return "the study " + st.Name + " has no rule of this name"
	}
	var rows []Outcome
	for _, o := range c.Outcomes {
		if o.Study == name && o.Rule == rule {
			rows = append(rows, o)
		}
	}
	if rows == nil {
		return fmt.Sprintf("docs/claims.csv has no outcome: contend run %s, then make docs", name)
	}
	return c.barred(rows)
}

// blockClaim says why a document cannot conclude by a rule of a study in a block of it, "" if it
// can: tested output of contend compare shows that the rule holds, with two seeds where something
// is drawn.
func (c *Repository) blockClaim(d *document, file, text, rule string) string {
	st, err := study.Parse(file, text, c.Names)
	if err != nil {
		return err.Error()
	}
	t := ruleOf(st, rule)
	if t == nil {
		return "the study in " + file + " has no rule of this name"
	}
	chance, err := chanceOf(st, t, c.Names)
	if err != nil {
		return err.Error()
	}
	passed, failed := d.outputs("pass  "+rule+": "), d.outputs("FAIL  "+rule+": ")
	switch {
	case failed > 0:
		return "the output on this page says that it fails"
	case passed == 0:
		return "no output of contend compare on this page shows that it holds"
	case passed < 2 && chance == Drawn:
		return "the page shows one seed, and the study's points are drawn: compare another seed too"
	}
	return ""
}
