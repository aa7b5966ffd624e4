package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
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
