package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report"
	"contend/experiments/report/tables"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
)

// Outcome is the verdict on a named rule by the runs of one seed.
type Outcome struct {
	Study   string // the built-in study, or the folder's name if flags changed the study
	Rule    string // the name of the rule
	Words   string // the rule in words
	Seed    int64
	Groups  string // the number of cells or groups within
	Value   string // the value that a rule about bounds measured
	Holds   bool   // the rule holds
	Chance  Chance
	Program string // the program that made the runs
	Digests
}

// Evaluate judges the named rules of a built-in study by the results in a folder. It takes the
// rules that the study has now.
func (c *Repository) Evaluate(dir string) (list []Outcome, err error) {
	r, err := experiments.ReadFolder(dir, c.Names)
	if err != nil {
		return nil, err
	}
	st := c.Load(r.Study.Name)
	if st == nil {
		return nil, &input.Error{Where: dir, Problem: r.Study.Name + " is no built-in study",
			Right: "give folders of built-in studies"}
	}
	if !slices.ContainsFunc(st.Tolerances, func(t study.Tolerance) bool { return t.Name != "" }) {
		return nil, nil
	}
	now, err := c.asOfToday(dir, r)
	if err != nil {
		return nil, err
	}
	for _, v := range report.Judge(now) {
		if v.Name == "" {
			continue
		}
		t := ruleOf(st, v.Name)
		o := Outcome{Study: nameOf(dir, r.Study), Rule: v.Name, Seed: r.Study.Base.Seed,
			Words:  strings.TrimPrefix(v.Rule, v.Name+": "),
			Groups: v.Summary, Value: valueOf(t, v.Groups), Holds: v.Pass, Program: r.Program()}
		if o.Chance, err = chanceOf(st, t, c.Names); err != nil {
			return nil, err
		}
		if o.Digests, err = digestsOf(c.Root, st, t, c.Names); err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// asOfToday returns the results with the points and the rules that the built-in study has now.
// Runs of points that it no longer has do not count. Where flags changed the study, the points are
// those of the folder, which then has to have a name of its own.
func (c *Repository) asOfToday(dir string, r *experiments.Results) (*experiments.Results, error) {
	st := c.Load(r.Study.Name)
	if changed := r.Study.Changed; len(changed) > 0 {
		if nameOf(dir, r.Study) == st.Name || slices.Contains(changed, "--quick") {
			return nil, &input.Error{Where: dir, Problem: "the runs have " + strings.Join(changed, " ") +
				", and " + st.Name + " is the whole study, unchanged",
				Right: "run it without flags that change it; other logs and machines into out/" + st.Name +
					"-NAME"}
		}
		of := *r.Study
		of.Tolerances = slices.Clone(st.Tolerances)
		for i := range of.Tolerances {
			of.Tolerances[i].Among = of.Tolerances[i].AmongKey(st)
		}
		changed := *r
		changed.Study = &of
		return &changed, nil
	}
	seed := fmt.Sprint(r.Study.Base.Seed)
	if err := st.SetBy("--seed "+seed, "runs.seed", seed); err != nil {
		return nil, err
	}
	st.PinAs(r.Study)
	return r.Folder.Results(st, c.Names)
}

// nameOf returns the name by which documents cite a study. That of a study that flags changed is
// its folder's, without the seed.
func nameOf(dir string, st *study.Study) string {
	name, _, _ := strings.Cut(filepath.Base(filepath.Clean(dir)), "-seed")
	if len(st.Changed) > 0 && strings.HasPrefix(name, st.Name+"-") {
		return name
	}
	return st.Name
}

// ruleOf returns the rule of that name, nil if the study has none.
func ruleOf(st *study.Study, name string) *study.Tolerance {
	i := slices.IndexFunc(st.Tolerances, func(t study.Tolerance) bool { return t.Name == name })
	if i < 0 || name == "" {
		return nil
	}
	return &st.Tolerances[i]
}

// valueOf returns the range of the values that a rule about bounds measured, and the group that is
// nearest to a bound or farthest outside.
func valueOf(t *study.Tolerance, groups []report.Group) string {
	if len(groups) == 0 {
		return ""
	}
	worst, low, high := 0, math.Inf(1), math.Inf(-1)
	for i := range groups {
		if margin(t, &groups[i]) < margin(t, &groups[worst]) {
			worst = i
		}
		if !math.IsNaN(groups[i].Mean) {
			low, high = min(low, groups[i].Mean), max(high, groups[i].Mean)
		}
	}
	text := groups[worst].ValueText()
	if len(groups) > 1 && low <= high {
		text = fmt.Sprintf("%s to %s, worst %s: %s", tables.Significant(low, 3),
			tables.Significant(high, 3), groups[worst].Name, text)
	}
	return text
}

// margin returns the distance of a group's value from the nearest bound of a rule, below 0 outside
// of the bounds.
func margin(t *study.Tolerance, g *report.Group) float64 {
	low, high := g.Ends(t)
	least, most := t.Bounds()
	room := min(low-least, most-high)
	if !g.Run || math.IsNaN(room) {
		return math.Inf(-1)
	}
	return room
}

// claimedStudies lists the built-in studies with named rules; if again is set, those with a rule
// that needs a second seed.
func (c *Repository) claimedStudies(again bool) (list []string, err error) {
	for _, name := range studies.Names() {
		st := c.Load(name)
		for i := range st.Tolerances {
			t := &st.Tolerances[i]
			chance, err := chanceOf(st, t, c.Names)
			if err != nil {
				return nil, err
			}
			if t.Name != "" && (!again || chance == Drawn) {
				list = append(list, name)
				break
			}
		}
	}
	return list, nil
}

// Digests identify the inputs of an outcome: it holds for as long as all of them are the same.
type Digests struct {
	// Rule is of the rule, and of the published numbers, the break-even or the landmark that it is
	// about.
	Rule    string
	Points  string // of the points that it selects
	Results string // of its metric in the golden file of the study
}

// digest returns the first ten hexadecimal digits of the SHA-256 of texts.
func digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:5])
}

// digestsOf returns the digests of a rule of a built-in study as of today. root is the folder of
// the repository.
func digestsOf(root string, st *study.Study, t *study.Tolerance, names *config.Registry,
) (d Digests, err error) {
	rule := *t
	rule.Why = ""
	text, err := json.Marshal(rule)
	if err != nil {
		return d, err
	}
	parts := []string{string(text)}
	if t.Rule == "ratio" || t.Rule == "difference" {
		parts = append(parts, st.Published.CSV)
	}
	about := []any{} // the break-even or the landmark that the rule is about
	if b := st.BreakEvenNamed(t.Metric); b != nil {
		about = append(about, *b)
	}
	if l := st.LandmarkNamed(t.Metric); l != nil {
		about = append(about, *l)
	}
	for _, of := range about {
		text, err := json.Marshal(of)
		if err != nil {
			return d, err
		}
		parts = append(parts, string(text))
	}
	d.Rule = digest(parts...)
	points, err := pointsOf(st, t, names)
	if err != nil {
		return d, err
	}
	d.Points = digestPoints(points)
	d.Results, err = goldenDigest(root, st.Name, t)
	return d, err
}

// digestPoints returns the digest of points with their labels.
func digestPoints(points []study.Point) string {
	var lines []string
	for _, p := range points {
		lines = append(lines, strings.Join(append(p.Labels, p.Hash), "\t"))
	}
	return digest(lines...)
}

// pointsOf returns the points that a rule selects and the references that it divides them by.
func pointsOf(st *study.Study, t *study.Tolerance, names *config.Registry) (list []study.Point,
	err error) {
	points, err := st.Points()
	if err != nil {
		return nil, err
	}
	where := maps.Clone(t.Where)
	delete(where, t.AmongKey(st))
	for i := range points {
		if study.Matches(&points[i], where) {
			list = append(list, points[i])
		}
	}
	return list, nil
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
		return digest(lines...), nil
	}
	var kept []string
	for i, line := range lines[2:] {
		fields := strings.Split(line, "\t")
		if len(fields) <= column {
			return "", fmt.Errorf("%s:%d: %d fields", path, i+3, len(fields))
		}
		kept = append(kept, strings.Join(append(fields[:3:3], fields[column]), "\t"))
	}
	return digest(kept...), nil
}

// Chance is the kind of random draws by which two seeds differ in the points that a rule selects.
type Chance string

const (
	NothingDrawn Chance = "nothing is drawn"
	WindowsDrawn Chance = "windows of a log"
	Drawn        Chance = "drawn"
)

// chanceOf returns the Chance of the points that a rule selects.
func chanceOf(st *study.Study, t *study.Tolerance, names *config.Registry) (Chance, error) {
	points, err := pointsOf(st, t, names)
	if err != nil {
		return "", err
	}
	chance := NothingDrawn
	for i := range points {
		s := &points[i].Spec
		if len(s.Draws()) > 0 {
			return Drawn, nil
		}
		if s.Varies() {
			chance = WindowsDrawn
		}
	}
	return chance, nil
}

// stale names the input of an outcome that has changed since, "" if none has.
func stale(then, now Digests) string {
	switch {
	case then.Rule != now.Rule:
		return "its rule has changed"
	case then.Points != now.Points:
		return "points of the study have changed"
	case then.Results != now.Results:
		return "the golden file of the study has changed"
	}
	return ""
}
