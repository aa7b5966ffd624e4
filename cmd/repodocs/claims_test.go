package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/claims"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
)

// golden is what the golden file of the planted study has.
const golden = "# contend run planted\npoint\treplication\tlog\tfinish_time\tjobs\n" +
	"mbs\t0\t\t100\t5\nrandom\t0\t\t90\t5\n"

// plant returns a repository that has the planted study, which ran with some seeds.
func plant(t *testing.T, seeds ...string) (c *Repository, root string) {
	t.Helper()
	names := metrics.Builtin()
	root = t.TempDir()
	folder := filepath.Join(root, "experiments", "testdata", "golden")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "planted.txt"), golden)
	c = &Repository{Root: root, Judge: claims.Judge{Names: names,
		Load: experimentstest.LoadPlanted(t, "", "")}}
	for _, seed := range seeds {
		if seed == "held out" {
			seed = fmt.Sprint(claims.HeldOutSeed(c.Load("planted")))
		}
		rows, err := c.evaluate(experimentstest.RecordPlanted(t, "planted-seed"+seed, "[runs]\n",
			"[runs]\nseed = "+seed+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		c.Rows = claims.Merge(c.Rows, rows)
	}
	return c, root
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const late = "Random placement is late. <!-- claim: planted.random-late holds -->\n"

// reports fails unless a document has one fault whose text contains want, or none for "".
func reports(t *testing.T, c *Repository, document, want string) {
	t.Helper()
	_, list := c.Fill(document)
	if want == "" && len(list) > 0 || want != "" && (len(list) != 1 ||
		!strings.Contains(list[0].Text, want)) {
		t.Errorf("%q: %v, want %q", document, list, want)
	}
}

// The mark of a sentence in words has the verdict of the rule with all seeds, by runs of today's
// study.
func TestVerdictsOfStoredRuns(t *testing.T) {
	c, root := plant(t, "1", "2", "held out")
	reports(t, c, late, "")
	reports(t, c, "`<!-- claim: STUDY.RULE -->` marks it\n", "")
	reports(t, c, "It <!-- claim: planted.rndom-late holds -->", "has no rule of this name")
	reports(t, c, "It <!-- claim: plnted.random-late holds -->", "neither a built-in study nor a block")
	reports(t, c, "It <!-- claim: planted holds -->", "write <!-- claim: STUDY.RULE VERDICT -->")
	reports(t, c, "It <!-- claim: planted.random-late -->", "write <!-- claim: STUDY.RULE VERDICT -->")
	reports(t, c, "It <!-- claim: planted.random-late greater -->",
		`the mark says "greater", the rule "holds"`)
	reports(t, c, "It <!-- claim: planted.never less -->", `the mark says "less", the rule "fails"`)
	reports(t, c, "It is not. <!-- claim: planted.never fails -->", "")
	reports(t, c, "It is not.\n  <!-- claim: planted.never fails -->", "begins a line")
	_, p := c.Fill("\n" + late + "So <!-- claim: a.b holds -->")
	if len(p) != 1 || p[0].Line != 3 {
		t.Errorf("%v, want line 3", p)
	}
	c.Rows[len(c.Rows)-1].Verdict = "greater"
	reports(t, c, late, `the mark says "holds", the rule "holds, greater"`)
	c.Rows[len(c.Rows)-1].Verdict = "holds"
	golden2 := filepath.Join(root, "experiments", "testdata", "golden", "planted.txt")
	write(t, golden2, strings.Replace(golden, "100\t5", "100\t6", 1)) // another metric
	reports(t, c, late, "")
	write(t, golden2, strings.Replace(golden, "100\t5", "101\t5", 1))
	reports(t, c, late, "stale: the golden file of the study has changed")
	write(t, golden2, golden)
	for _, change := range [][3]string{
		{"min = 0.5", "min = 0.4", "stale: its rule has changed"},
		{"jobs = 5", "jobs = 6", "stale: points of the study have changed"},
		{"a test", "another reason", ""},
		{"why", "set = \"before\"\nwhy", ""},
	} {
		c.Load, c.known = experimentstest.LoadPlanted(t, change[0], change[1]), nil
		reports(t, c, late, change[2])
	}
}

// The program writes the numbers of rules into documents, and finds those that it has not written.
func TestNumbersOfStoredRuns(t *testing.T) {
	c, _ := plant(t, "1", "2", "held out")
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Rule == "random-late" {
			if r.Least, r.Most = 1.151, 1.151; r.Seed == 1 {
				r.Least, r.Most = 1.254, 1.254
			}
		}
	}
	const before, after = "On nodes drawn it takes <!-- claim: planted.random-late ", "<!-- /claim -->"
	for _, k := range []struct{ form, old, want, behind, fault string }{
		{"range", "50 to 120", "1.15 to 1.25", " times as long.\n", ""},
		{"range", "1.15\n  to 1.25", "1.15\n  to 1.25", " times as long.\n", ""},
		{"range%", "", "15 to 25", "% longer.\n", ""},
		{"bound", "5", "0.5 to 2", " times.\n", ""},
		{"range", "3", "1.15 to 1.25", " times, on others 2 to 3 times.\n", `"2 to 3 times" stands`},
		{"range", "3", "1.15 to 1.25", " times, on others twice.\n", `"twice" stands`},
		{"range", "3", "1.15 to 1.25", " times, on 2 to 3<!-- setting --> of 16 nodes.\n", ""},
		{"range", "3", "1.15 to 1.25", " times. Others take 2 to 3 times.\n", ""},
		{"range cycles", "5", "5", ".\n", "takes no unit"},
	} {
		got, faults := c.Fill(before + k.form + " -->" + k.old + after + k.behind)
		if want := before + k.form + " -->" + k.want + after + k.behind; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if (k.fault == "") != (len(faults) == 0) || k.fault != "" &&
			!strings.Contains(faults[0].Text, k.fault) {
			t.Errorf("%s%s: %v, want %q", k.form, k.behind, faults, k.fault)
		}
	}
	reports(t, c, before+"range -->.\n", "no <!-- /claim --> follows")
	reports(t, c, "It holds <!-- /claim -->.\n", "write <!-- claim: STUDY.RULE VERDICT -->")
	reports(t, c, "At most <!-- claim: planted.never bound -->0.5"+after+" times.\n",
		"the rule does not hold")
}

// Sentences about points that are drawn need seeds 1, 2 and the one that is held out.
func TestClaimsNeedThreeSeeds(t *testing.T) {
	c, _ := plant(t)
	reports(t, c, late, "no outcome: contend run planted, then make docs")
	c, _ = plant(t, "1", "held out")
	reports(t, c, late, "a seed is missing: contend run planted --seed 2 -o out/planted-seed2, then")
	c, _ = plant(t, "1", "2", "held out")
	reports(t, c, late, "")
	held := claims.HeldOutSeed(c.Load("planted"))
	for i := range c.Rows {
		if c.Rows[i].Seed == held {
			c.Rows[i].Seed++ // as if it had been drawn from other rules
		}
	}
	reports(t, c, late, fmt.Sprint("a seed is missing: contend run planted --seed ", held))
}

// A page that has the study itself shows the output of contend compare.
func TestClaimsOfBlocks(t *testing.T) {
	c, _ := plant(t)
	page := "```toml file=own.toml\n" + experimentstest.Planted("", "") +
		"```\nSo. <!-- claim: own.random-late holds -->\n"
	output := func(word string) string {
		return "```text output\n" + word + "  random-late: finish_time of random\n```\n"
	}
	reports(t, c, page, "no output of contend compare on this page shows whether it holds")
	reports(t, c, page+output("pass"), "the page shows one seed")
	reports(t, c, page+output("pass")+output("pass"), "")
	reports(t, c, page+output("pass")+output("FAIL"), `the rule "fails"`)
	reports(t, c, strings.ReplaceAll(page+output("pass"), "text output", "text"), "no output")
	reports(t, c, strings.ReplaceAll(page, ".random-late", ".random-soon"), "has no rule of this name")
	got, faults := c.Fill(page + "It takes <!-- claim: own.random-late bound -->7<!-- /claim --> times.\n" +
		output("pass") + output("pass"))
	if !strings.Contains(got, "-->0.5 to 2<!--") || len(faults) > 0 {
		t.Errorf("%s %v", got, faults)
	}
}

// A sentence ends where the next begins, with the mark of a verdict behind its full stop.
func TestSentencesOfDocuments(t *testing.T) {
	d := parseDocument("## A *heading*, of `code`\n\n" +
		"- **One is so.** <!-- claim: a.b holds --> Two (Fig. 2\n" +
		"  of [C](x.md)) is <!-- claim: a.c range -->2<!-- /claim --> times `D`. `E` is.\n\n" +
		"```\nF. G\n```\n" +
		"H <!-- claim: a.d less in the mean -->\n")
	var got []string
	for i := range d.sentences {
		if s := &d.sentences[i]; s.marks != nil {
			got = append(got, d.plain(s)+d.anchor(s.marks[0].at)+" "+s.marks[0].rule+s.marks[0].verdict)
		}
	}
	want := []string{"One is so.#a-heading-of-code bholds",
		"Two (Fig. 2 of C) is 2 times D.#a-heading-of-code c",
		"H#a-heading-of-code dless in the mean"}
	if !slices.Equal(got, want) || len(d.problems) > 0 {
		t.Errorf("%q, want %q; %v", got, want, d.problems)
	}
}
