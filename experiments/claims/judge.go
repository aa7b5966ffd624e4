package claims

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
)

// Judge judges results by the named rules of built-in studies.
type Judge struct {
	Names *config.Registry
	// Load returns the built-in study of a name, nil if there is none.
	Load func(name string) *study.Study
}

// New returns a judge that loads the built-in studies of the program.
func New(names *config.Registry) Judge {
	return Judge{names, func(name string) *study.Study {
		if !slices.Contains(studies.Names(), name) {
			return nil
		}
		st, err := study.Load(name, names)
		if err != nil {
			panic("claims: the built-in study " + name + ": " + err.Error())
		}
		return st
	}}
}

// Folder returns a row for each named rule of a built-in study, judged by the results in a folder.
// It takes the rules and the points that the study has now. The digest of results and the
// sentence are left out.
func (j *Judge) Folder(dir string) (rows []Row, err error) {
	r, err := experiments.ReadFolder(dir, j.Names)
	if err != nil {
		return nil, err
	}
	st := j.Load(r.Study.Name)
	if st == nil {
		return nil, &input.Error{Where: dir, Problem: r.Study.Name + " is no built-in study",
			Right: "give folders of built-in studies"}
	}
	if !slices.ContainsFunc(st.Tolerances, func(t study.Tolerance) bool { return t.Name != "" }) {
		return nil, nil
	}
	now, err := j.AsOfToday(dir, r)
	if err != nil {
		return nil, err
	}
	for _, v := range report.Judge(now) {
		t := RuleOf(st, v.Name)
		if t == nil {
			continue
		}
		row := Row{Study: nameOf(dir, r.Study), Rule: v.Name, Seed: r.Study.Base.Seed, Within: v.Within,
			Of: v.Of, Set: t.WhenSet(), Program: r.Program()}
		row.Command = command(row.Study, row.Seed, r.Study)
		row.measure(t, &v)
		drawn, err := Drawn(st, t)
		if err != nil {
			return nil, err
		}
		if row.Digests, err = DigestsOf(st, t); err != nil {
			return nil, err
		}
		row.Verdict = VerdictOf(t, drawn, v.Pass)
		rows = append(rows, row)
	}
	return Read(dir, Text(rows)) // numbers are those of the file, so documents round them once
}

// command returns the command that makes the runs of a folder.
func command(name string, seed int64, st *study.Study) string {
	words, folder := append([]string{"contend run", st.Name}, st.Changed...), name
	if seed != 1 {
		words = append(words, fmt.Sprintf("--seed %d", seed))
		folder += fmt.Sprintf("-seed%d", seed)
	}
	if folder != st.Name {
		words = append(words, "-o out/"+folder)
	}
	return strings.Join(words, " ")
}

// CommandOf returns the command that makes the runs of a built-in study with a seed.
func CommandOf(name string, seed int64) string {
	return command(name, seed, &study.Study{Name: name})
}

// measure sets the values that a verdict rests on: those of groups, or the ratios of measured to
// published cells.
func (r *Row) measure(t *study.Tolerance, v *report.Verdict) {
	var values []float64
	for i := range v.Cells {
		if t.Rule == "ratio" {
			values = append(values, v.Cells[i].Ratio())
		}
	}
	for i := range v.Groups {
		if v.Groups[i].Run {
			values = append(values, v.Groups[i].Mean)
		}
	}
	r.Least, r.Most, r.Low, r.High = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if values = slices.DeleteFunc(values, math.IsNaN); len(values) > 0 {
		r.Least, r.Most = slices.Min(values), slices.Max(values)
	}
	if len(v.Groups) == 1 {
		r.Low, r.High = v.Groups[0].Low, v.Groups[0].High
	}
}

// AsOfToday returns the results of a folder with the points and the rules that the built-in study
// has now. Runs of points that it no longer has do not count. Where flags changed the study, the
// points are those of the folder, which then has to have a name of its own.
func (j *Judge) AsOfToday(dir string, r *experiments.Results) (*experiments.Results, error) {
	st := j.Load(r.Study.Name)
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
	return r.Folder.Results(st, j.Names)
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

// RuleOf returns the rule of that name, nil if the study has none.
func RuleOf(st *study.Study, name string) *study.Tolerance {
	i := slices.IndexFunc(st.Tolerances, func(t study.Tolerance) bool { return t.Name == name })
	if i < 0 || name == "" {
		return nil
	}
	return &st.Tolerances[i]
}

// required returns rules without their reasons and without what they say of the time when they were
// set.
func required(rules ...study.Tolerance) []study.Tolerance {
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].Why, rules[i].Set = "", ""
	}
	return rules
}

// HeldOutSeed returns the seed that is drawn from what all rules of a study require.
func HeldOutSeed(st *study.Study) int64 {
	text, err := json.Marshal(required(st.Tolerances...))
	if err != nil {
		panic("claims: rules of " + st.Name + ": " + err.Error())
	}
	sum := sha256.Sum256(append([]byte(st.Name+"\n"), text...))
	return 3 + int64(binary.BigEndian.Uint32(sum[:])%999_997)
}

// Words of a verdict. Those of a ratio say how it lies to 1.
const (
	Holds   = "holds"
	Fails   = "fails"
	Greater = "greater"
	Less    = "less"
	Alike   = "alike"
	// InTheMean follows the word of a rule that looks at means of draws without their intervals.
	InTheMean = " in the mean"
)

// alikeLeast and alikeMost are the widest bounds within which a ratio counts as no difference: those
// of tests of equivalence in medicine.
const alikeLeast, alikeMost = 0.8, 1.25

// VerdictOf returns what a rule says if it holds: that a ratio is at least 1, at most 1 or alike, if
// its bounds say so, else that it holds.
func VerdictOf(t *study.Tolerance, drawn, holds bool) string {
	least, most := t.Bounds()
	word := Holds
	switch {
	case !holds:
		return Fails
	case t.Rule != study.BoundsRule || t.Relative == "":
		return Holds
	case least >= 1 && most > 1:
		word = Greater
	case most <= 1 && least < 1:
		word = Less
	case least >= alikeLeast && most <= alikeMost:
		word = Alike
	}
	if !t.Interval && drawn && word != Holds {
		word += InTheMean
	}
	return word
}

// Digest returns the first ten hexadecimal digits of the SHA-256 of texts.
func Digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:5])
}

// DigestsOf returns the digests of a rule of a built-in study, without that of results.
func DigestsOf(st *study.Study, t *study.Tolerance) (d Digests, err error) {
	about := []any{required(*t)[0], st.BreakEvenNamed(t.Metric), st.LandmarkNamed(t.Metric)}
	if t.Rule == "ratio" || t.Rule == "difference" {
		about = append(about, st.Published.CSV)
	}
	text, err := json.Marshal(about)
	if err != nil {
		return d, err
	}
	d.OfRule = Digest(string(text))
	points, err := pointsOf(st, t)
	d.Points = DigestPoints(points)
	return d, err
}

// DigestPoints returns the digest of points with their labels.
func DigestPoints(points []study.Point) string {
	var lines []string
	for _, p := range points {
		lines = append(lines, strings.Join(append(p.Labels, p.Hash), "\t"))
	}
	return Digest(lines...)
}

// pointsOf returns the points that a rule selects and the references that it divides them by.
func pointsOf(st *study.Study, t *study.Tolerance) (list []study.Point, err error) {
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

// Drawn reports whether two seeds differ in the points that a rule selects.
func Drawn(st *study.Study, t *study.Tolerance) (bool, error) {
	points, err := pointsOf(st, t)
	return slices.ContainsFunc(points, func(p study.Point) bool { return len(p.Spec.Draws()) > 0 }), err
}

// Stale names the input of an outcome that has changed since, "" if none has.
func (d Digests) Stale(now Digests) string {
	switch {
	case d.OfRule != now.OfRule:
		return "its rule has changed"
	case d.Points != now.Points:
		return "points of the study have changed"
	case d.Results != now.Results:
		return "the golden file of the study has changed"
	}
	return ""
}
