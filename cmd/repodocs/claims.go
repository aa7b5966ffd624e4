package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/claims"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// rowsFile and claimsFile are the paths of the rows of all rules and of the table of claims.
var (
	rowsFile   = filepath.Join("experiments", "studies", claims.File)
	claimsFile = filepath.Join("docs", "claims.md")
)

// evaluate judges the named rules of a built-in study by the results in a folder.
func (c *Repository) evaluate(dir string) ([]claims.Row, error) {
	rows, err := c.Folder(dir)
	for i := range rows {
		st := c.studyOf(rows[i].Study)
		if rows[i].Minutes = rows[0].Minutes; i == 0 {
			rows[i].Minutes = c.minutes(st.Name)
		}
		rows[i].Results, err = goldenDigest(c.Root, st.Name, claims.RuleOf(st, rows[i].Rule))
		if err != nil {
			return nil, err
		}
	}
	return rows, err
}

// minutes returns the forecast time of a built-in study on two processors, "" if there is none.
func (c *Repository) minutes(name string) string {
	var simulator sim.Simulator
	runner := experiments.Runner{Names: c.Names, Run: simulator.Run, Workers: 2,
		Folder: experiments.NewMemory("repodocs"), Log: slog.New(slog.DiscardHandler)}
	f, err := runner.ForecastStudy(context.Background(), c.Load(name))
	if err != nil || f.Seconds == 0 {
		return ""
	}
	return tables.Significant(max(0.1, f.Seconds/60), 1)
}

// goldenDigest returns the digest of the column of a rule's metric in the golden file of a study,
// or of the whole file: rules about jumps over time need several metrics, and the small version may
// lack one.
func goldenDigest(root, name string, t *study.Tolerance) (string, error) {
	path := filepath.Join(root, "experiments", "testdata", "golden", name+".txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 3 {
		return "", fmt.Errorf("%s holds no runs", path)
	}
	column := slices.Index(strings.Split(lines[1], "\t"), t.Metric)
	if column < 0 || t.Covers() {
		return claims.Digest(lines...), nil
	}
	var kept []string
	for i, line := range lines[2:] {
		fields := strings.Split(line, "\t")
		if len(fields) <= column {
			return "", fmt.Errorf("%s:%d: %d fields", path, i+3, len(fields))
		}
		kept = append(kept, strings.Join(append(fields[:3:3], fields[column]), "\t"))
	}
	return claims.Digest(kept...), nil
}

// ofToday reports whether a row is of a rule of today and of a seed with which it is judged: a seed
// that was drawn from other rules does not count.
func (c *Repository) ofToday(r *claims.Row) bool {
	st := c.studyOf(r.Study)
	return st != nil && claims.RuleOf(st, r.Rule) != nil && slices.Contains(seedsOf(st), r.Seed)
}

// rowsOf returns the rows of a rule.
func (c *Repository) rowsOf(name, rule string) (rows []claims.Row) {
	for _, r := range c.Rows {
		if r.Study == name && r.Rule == rule && c.ofToday(&r) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Fill returns a document with the numbers of its marks as the rows have them, and its faults:
// marks of no rule, verdicts that the rows do not have, stale rows, numbers in sentences with marks
// that no mark encloses.
func (c *Repository) Fill(text string) (string, []Problem) {
	d := parseDocument(text)
	for i := len(d.sentences) - 1; i >= 0; i-- { // from the end, so that places stay
		s := &d.sentences[i]
		if n := d.loose(s); n != "" && s.marks != nil {
			d.problem(s.marks[0].at, "%q stands in a sentence with a claim: have a mark enclose it, or "+
				"write <!-- setting --> or <!-- printed --> behind it", n)
		}
		for k := len(s.marks) - 1; k >= 0; k-- {
			m := &s.marks[k]
			number, why := c.mark(d, m)
			if why != "" {
				d.problem(m.at, "%s.%s: %s", m.study, m.rule, why)
			}
			if old := strings.Fields(text[m.from:m.to]); number != "" &&
				!slices.Equal(old, strings.Fields(number)) {
				text = text[:m.from] + number + text[m.to:]
			}
		}
	}
	return text, d.problems
}

// mark returns the number of a mark, and says what is wrong with the mark, "" if nothing is.
func (c *Repository) mark(d *document, m *mark) (number, why string) {
	var t *study.Tolerance
	var rows []claims.Row
	verdict := ""
	if text, file := d.study(m.study); file != "" {
		t, verdict, why = c.ofBlock(d, file, text, m.rule)
	} else if st := c.studyOf(m.study); st == nil {
		return "", "neither a built-in study nor a block of this page has this name"
	} else if t = claims.RuleOf(st, m.rule); t == nil {
		return "", "the study " + st.Name + " has no rule of this name"
	} else if rows = c.rowsOf(m.study, m.rule); rows == nil {
		return "", "no outcome: contend run " + m.study + ", then make docs"
	} else {
		verdict, why = c.verdict(st, t, rows)
	}
	if why != "" {
		return "", why
	}
	if m.form == "" {
		if m.verdict != verdict {
			why = fmt.Sprintf("the mark says %q, the rule %q", m.verdict, verdict)
		}
		return "", why
	}
	number, err := claims.Number(m.form, m.unit, t, rows)
	if err != nil {
		return "", err.Error()
	}
	if strings.HasPrefix(m.form, "bound") && (verdict == claims.Fails ||
		strings.Contains(verdict, ", ")) {
		return number, "the rule does not hold, and the mark has its bound"
	}
	return number, ""
}

// ofBlock returns a rule of a study in a block of a document and its verdict. Tested output of
// contend compare has to show it, with two seeds where something is drawn.
func (c *Repository) ofBlock(d *document, file, text, rule string) (t *study.Tolerance, verdict,
	why string) {
	st, err := study.Parse(file, text, c.Names)
	if err != nil {
		return nil, "", err.Error()
	}
	if t = claims.RuleOf(st, rule); t == nil {
		return nil, "", "the study in " + file + " has no rule of this name"
	}
	drawn, err := claims.Drawn(st, t)
	if err != nil {
		return nil, "", err.Error()
	}
	passed, failed := d.outputs("pass  "+rule+": "), d.outputs("FAIL  "+rule+": ")
	switch {
	case passed+failed == 0:
		return nil, "", "no output of contend compare on this page shows whether it holds"
	case passed+failed < 2 && drawn:
		return nil, "", "the page shows one seed, and the study's points are drawn: compare another too"
	}
	return t, claims.VerdictOf(t, drawn, failed == 0), ""
}

// verdict returns the verdict of a rule by its rows, those of different seeds if they differ. It
// says why the rows cannot tell, "" if they can.
func (c *Repository) verdict(st *study.Study, t *study.Tolerance, rows []claims.Row) (verdict,
	why string) {
	now, err := claims.DigestsOf(st, t)
	if err == nil {
		now.Results, err = goldenDigest(c.Root, st.Name, t)
	}
	if err != nil {
		return "", err.Error()
	}
	drawn, err := claims.Drawn(st, t)
	if err != nil {
		return "", err.Error()
	}
	for _, r := range rows {
		if why := r.Stale(now); why != "" {
			return "", fmt.Sprintf("the outcome of seed %d is stale: %s; run the study again, then make docs",
				r.Seed, why)
		}
	}
	for _, seed := range seedsOf(st) {
		if drawn && !slices.ContainsFunc(rows, func(r claims.Row) bool { return r.Seed == seed }) {
			return "", "a seed is missing: " + claims.CommandOf(st.Name, seed) + ", then make docs"
		}
	}
	return strings.Join(claims.Verdicts(rows), ", "), ""
}

// seedsOf returns the seeds with which a study is run whose points are drawn.
func seedsOf(st *study.Study) []int64 { return []int64{1, 2, claims.HeldOutSeed(st)} }

// WriteClaims judges the named rules of the studies whose results are in the folders below out, and
// writes all that rests on rows: the rows, the table of claims, and the numbers in documents.
func (c *Repository) WriteClaims(out string) error {
	specs, err := filepath.Glob(filepath.Join(out, "*", "spec.toml"))
	if err != nil {
		return err
	}
	var judged []claims.Row
	for _, spec := range specs {
		dir := filepath.Dir(spec)
		if !c.claimed(filepath.Base(dir)) {
			continue
		}
		rows, err := c.evaluate(dir)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(judged, func(r claims.Row) bool {
			return len(rows) > 0 && r.Study == rows[0].Study && r.Seed == rows[0].Seed
		}) {
			return &input.Error{Where: dir, Right: "keep one folder for each seed", Problem: fmt.Sprintf(
				"another folder has seed %d of %s too", rows[0].Seed, rows[0].Study)}
		}
		judged = append(judged, rows...)
	}
	c.Rows = claims.Merge(c.Rows, judged)
	files, _, err := c.claimFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err == nil {
			err = written.Replace(filepath.Join(c.Root, name), []byte(files[name]))
		}
	}
	return err
}

// claimed reports whether a folder of results is one by whose rules documents conclude: of a
// built-in study with any seed, or of one with rows that flags changed.
func (c *Repository) claimed(folder string) bool {
	name, _, _ := strings.Cut(folder, "-seed")
	return slices.Contains(studies.Names(), name) ||
		slices.ContainsFunc(c.Rows, func(r claims.Row) bool { return r.Study == name })
}

// claimFiles returns the files that rest on rows: documents with their numbers, the rows with the
// sentences that conclude by them, and the table of claims. It also returns the faults of documents.
func (c *Repository) claimFiles() (files map[string]string, problems []string, err error) {
	paths, err := c.Documents()
	if err != nil {
		return nil, nil, err
	}
	files = map[string]string{}
	places := map[string][2]string{} // place and sentence by the name of the rule
	for _, path := range paths {
		name, err := filepath.Rel(c.Root, path)
		if err != nil {
			return nil, nil, err
		}
		if name = filepath.ToSlash(name); isGenerated(name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		filled, faults := c.Fill(string(text))
		for _, p := range faults {
			problems = append(problems, fmt.Sprintf("%s:%d: %s", name, p.Line, p.Text))
		}
		files[name] = filled
		d := parseDocument(filled)
		for i := range d.sentences {
			s := &d.sentences[i]
			for _, m := range s.marks {
				if _, known := places[m.study+"."+m.rule]; !known {
					places[m.study+"."+m.rule] = [2]string{name + d.anchor(m.at), d.plain(s)}
				}
			}
		}
	}
	rows := slices.DeleteFunc(slices.Clone(c.Rows), func(r claims.Row) bool { return !c.ofToday(&r) })
	for i := range rows {
		rows[i].Set = claims.RuleOf(c.studyOf(rows[i].Study), rows[i].Rule).WhenSet()
		at := places[rows[i].Study+"."+rows[i].Rule]
		rows[i].Place, rows[i].Sentence = at[0], at[1]
	}
	files[filepath.ToSlash(rowsFile)] = string(claims.Text(rows))
	files[filepath.ToSlash(claimsFile)] = claimsHead + claims.Table(claims.Cited(rows),
		func(r *claims.Row) string {
			link, ok := strings.CutPrefix(r.Place, "docs/")
			if !ok {
				link = "../" + link
			}
			return fmt.Sprintf("[sentence](%s)", link)
		})
	return files, problems, nil
}

// isGenerated reports whether the program writes the whole of a document.
func isGenerated(name string) bool {
	return strings.HasPrefix(name, "docs/reference/") || strings.HasPrefix(name, "docs/validation/") ||
		name == "docs/VALIDATION.md" || name == "docs/claims.md"
}

// claimsHead begins the page of claims.
const claimsHead = `# Claims

This is the table that ` + "`contend claims`" + ` prints: the rules of the built-in studies by which
documents conclude, each with a link to its sentence, which the command prints, and the command that
makes the runs with seed 1.
` + "`contend claims --seed N`" + ` judges the rules by stored runs of another seed, and
` + "`contend show STUDY`" + ` prints their bounds and reasons.

A number is the range of the values of all groups of runs that a rule is about, over all seeds. A
ratio is the geometric mean over pairs of runs with the same jobs. The 95% interval is that of a
single group, with the first seed. The verdict says whether a ratio is at least 1 (greater), at most 1
(less) or within bounds around 1 (alike), of other numbers that the rule holds. Where seeds differ it
has the verdict of each. Minutes are those of a seed on two processors, by the forecast of
` + "`contend run --dry-run`" + `.

Where nothing is drawn there is one seed. Bounds may have been set by those who knew the results of
seeds 1 and 2. The third seed is held out: it is drawn from a hash of the rules of its study, so a
bound that is changed gets another one. Documents need the outcomes of all three.

`

// claimCommands lists the commands that make the runs of all rules by which documents conclude.
func (c *Repository) claimCommands() (list []string) {
	for _, rule := range claims.ByRule(claims.Cited(c.Rows)) {
		list = append(list, rule[0].Command)
		if r := &rule[0]; len(rule) > 1 {
			for _, seed := range seedsOf(c.studyOf(r.Study)) {
				list = append(list, claims.CommandOf(r.Study, seed))
			}
		}
	}
	return tables.Unique(list)
}
