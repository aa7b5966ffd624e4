package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
	"contend/internal/quantity"
)

// Listed jobs (workload.source = "list") are given one by one, in tables [[workload.list]] or in
// texts of the same fields, such as "pattern = goal:steps.goal; at = 2 us". They arrive, wait and
// are allocated as other jobs are.

// ListedJob is a row of workload.list.
type ListedJob struct {
	Pattern Weighted // what the job sends, without a weight
	// Index is that of the pattern in JobPlan.Patterns.
	Index int
	// Processes is their number; 0: as many as the pattern has ranks.
	Processes int
	// At and Estimate are in the unit of the run's clock. An Estimate of 0 is none.
	At, Estimate float64
	Iterations   int64 // of the pattern; 0: as job.quota says
	Count        int   // of such jobs, at least 1

	text, rest string // the pattern, and the other fields, in canonical form
	unit       string // the first time with a unit, as `at is "2 us"`; "" for none
}

// listPath is the key of the rows.
const listPath = string(FieldList)

// rowFields are the fields of a row of workload.list, in the order in which a spec has them.
var rowFields = []string{"pattern", "processes", "at", "estimate", "iterations", "count"}

// maxListed is the largest number of listed jobs.
const maxListed = 1 << 20

// listRight shows what a row looks like.
const listRight = `give rows such as { pattern = "goal:steps.goal", at = "2 us", count = 3 }, ` +
	"with pattern, processes, at, estimate, iterations and count"

// rowText writes a table as the text of a row, its values as in TOML.
func rowText(table map[string]any) string {
	var parts []string
	for _, name := range input.SortedKeys(table) {
		parts = append(parts, fmt.Sprintf("%s = %v", name, table[name]))
	}
	return strings.Join(parts, "; ")
}

// rowTexts returns rows of tables and texts as texts.
func rowTexts(raw any) any {
	switch list := raw.(type) {
	case []map[string]any:
		rows := make([]any, len(list))
		for i := range list {
			rows[i] = rowText(list[i])
		}
		return rows
	case []any:
		rows := slices.Clone(list)
		for i := range rows {
			if table, is := rows[i].(map[string]any); is {
				rows[i] = rowText(table)
			}
		}
		return rows
	}
	return raw
}

// rowOf returns the fields of a row, which has the first of some names and may have the others.
func rowOf(text string, names []string) (map[string]string, error) {
	fields := map[string]string{}
	for more := true; more; {
		name, after, ok := strings.Cut(text, "=")
		var value string
		value, text, more = cutPart(after, ";")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || !slices.Contains(names, name):
			return nil, fmt.Errorf("where %q is none of %s", name, strings.Join(names, ", "))
		case value == "":
			return nil, fmt.Errorf("where %s has no value", name)
		case fields[name] != "":
			return nil, fmt.Errorf("which has %s twice", name)
		}
		fields[name] = value
	}
	return fields, nil
}

// otherFields returns the fields behind the pattern in canonical form, without those at their
// defaults.
func otherFields(fields map[string]string) (rest string) {
	for _, name := range rowFields[1:] {
		standard := map[string]string{"count": "1"}[name]
		if value := fields[name]; value != "" && value != "0" && value != standard {
			rest += "; " + name + " = " + value
		}
	}
	return rest
}

// ParseListed reads a row.
func ParseListed(text string) (j ListedJob, err error) {
	fields, err := rowOf(text, rowFields)
	if err == nil && fields["pattern"] == "" {
		err = fmt.Errorf("which has no pattern")
	}
	if err != nil {
		return j, err
	}
	j.text, j.rest = fields["pattern"], otherFields(fields)
	if j.Pattern, err = parseOne(j.text); err != nil {
		return j, err
	}
	whole := func(name string, low, standard int64) int64 {
		value := fields[name]
		if value == "" || err != nil {
			return standard
		}
		n, bad := strconv.ParseInt(value, 10, 64)
		if bad != nil || n < low || n > maxListed {
			err = fmt.Errorf("where %s is %q: give %d to %d", name, value, low, maxListed)
		}
		return n
	}
	j.Processes, j.Count = int(whole("processes", 0, 0)), int(whole("count", 1, 1))
	j.Iterations = whole("iterations", 0, 0)
	for _, f := range []struct {
		name string
		to   *float64
	}{{"at", &j.At}, {"estimate", &j.Estimate}} {
		if value := fields[f.name]; value != "" && err == nil {
			*f.to, err = j.time(f.name, value)
		}
	}
	return j, err
}

// time reads a time in the unit of the clock, or with a unit.
func (j *ListedJob) time(name, text string) (float64, error) {
	x, inSeconds, err := rowTime(name, text)
	if inSeconds {
		j.unit = cmp.Or(j.unit, fmt.Sprintf("%s is %q", name, text))
	}
	return x, err
}

// rowTime reads a time in the unit of the clock, or with a unit and then in seconds.
func rowTime(name, text string) (x float64, inSeconds bool, err error) {
	x, err = strconv.ParseFloat(text, 64)
	if q, bad := quantity.Parse(text); err != nil && bad == nil && q.Kind == quantity.Time {
		x, _ = q.Value.Float64()
		inSeconds, err = true, nil
	}
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return 0, false, fmt.Errorf("where %s is %q: give a time of at least 0", name, text)
	}
	return x, inSeconds, nil
}

// String returns the row in canonical form.
func (j ListedJob) String() string { return "pattern = " + j.text + j.rest }

// patterns implements patternHolder.
func (j ListedJob) patterns() []Weighted { return []Weighted{j.Pattern} }

// each implements patternHolder.
func (j ListedJob) each(of mapPattern) (any, *input.Error) {
	made, err := Mix{j.text, j.patterns()}.mapped(of)
	if err != nil {
		return j, err
	}
	j.text, j.Pattern = made.text, made.Parts[0]
	return j, nil
}

// listedPatterns returns the patterns of the rows, each once.
func (s *Spec) listedPatterns() (mix []Weighted) {
	for _, j := range s.Workload.List {
		if !slices.Contains(mix, j.Pattern) {
			mix = append(mix, j.Pattern)
		}
	}
	return mix
}

// checkListed refuses rows that do not fit the run.
func (s *Spec) checkListed() *input.Error {
	if !ListWorkload.Holds(s) {
		return nil
	}
	if len(s.Workload.List) == 0 {
		return FieldList.Bad(listRight, "%s is list, and %s has no jobs", FieldSource, FieldList)
	}
	total := 0
	seconds := s.ClockUnit() == "s"
	for i, j := range s.Workload.List {
		at := input.Field(fmt.Sprintf("%s[%d]", FieldList, i))
		switch total += j.Count; {
		case j.unit != "" && !seconds:
			return at.Bad(listRight, "%s is %q, where %s, and a cycle has no length: set network.cycle, "+
				`such as "1 ns", or give a number of cycles`, at, j, j.unit)
		case total > maxListed:
			return at.Bad("list fewer", "%s has more than %d jobs", FieldList, maxListed)
		case j.Processes == 0 && s.Registry.digestOf(j.Pattern) == nil:
			return at.Bad("give processes", "%s is %q, and %s runs on any number of processes", at, j,
				j.Pattern.Label())
		case j.Estimate == 0 && s.UsesEstimates():
			return at.Bad("give estimate, in the unit of the clock or such as \"2 ms\"",
				"%s is %q without an estimate, which %s reads", at, j, s.Scheduler.Policy)
		}
	}
	return nil
}

// listPlan returns the rows with the indices of their patterns.
func (s *Spec) listPlan(p *JobPlan) []ListedJob {
	rows := slices.Clone(s.Workload.List)
	for i := range rows {
		rows[i].Index = slices.IndexFunc(p.Patterns,
			func(q PatternPlan) bool { return q.Label == rows[i].Pattern.Short() })
	}
	return rows
}
