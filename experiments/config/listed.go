package config

import (
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
}

// listPath is the key of the rows.
const listPath = string(FieldList)

// rowFields are the fields of a row, in the order in which a spec has them.
var rowFields = []string{"pattern", "processes", "at", "estimate", "iterations", "count"}

// mostListed is the largest number of listed jobs.
const mostListed = 1 << 20

// listRight shows what a row looks like.
const listRight = `give rows such as { pattern = "goal:steps.goal", at = "2 us", count = 3 }, with ` +
	"pattern, processes, at, estimate, iterations and count"

// rowText writes a table as a text. The value of a field is as TOML has it.
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

// rowOf returns the fields of a row as texts.
func rowOf(text string) (map[string]string, error) {
	fields := map[string]string{}
	for part := range strings.SplitSeq(text, ";") {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || !slices.Contains(rowFields, name):
			return nil, fmt.Errorf("where %q is none of %s", name, strings.Join(rowFields, ", "))
		case value == "":
			return nil, fmt.Errorf("where %s has no value", name)
		case fields[name] != "":
			return nil, fmt.Errorf("which has %s twice", name)
		}
		fields[name] = value
	}
	if fields["pattern"] == "" {
		return nil, fmt.Errorf("which has no pattern")
	}
	return fields, nil
}

// rowTextOf is the inverse of rowOf, without fields at their defaults.
func rowTextOf(fields map[string]string) string {
	var parts []string
	for _, name := range rowFields {
		standard := map[string]string{"count": "1"}[name]
		if value := fields[name]; value != "" && value != "0" && value != standard {
			parts = append(parts, name+" = "+value)
		}
	}
	return strings.Join(parts, "; ")
}

// parseListed reads a row. Times may have a unit if the run's clock is in seconds.
func parseListed(text string, seconds bool) (j ListedJob, err error) {
	fields, err := rowOf(text)
	if err != nil {
		return j, err
	}
	j.Pattern, err = parseOne(fields["pattern"])
	whole := func(name string, least, standard int64) int64 {
		value := fields[name]
		if value == "" || err != nil {
			return standard
		}
		n, bad := strconv.ParseInt(value, 10, 64)
		if bad != nil || n < least || n > mostListed {
			err = fmt.Errorf("where %s is %q: give %d to %d", name, value, least, mostListed)
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
			*f.to, err = timeOf(f.name, value, seconds)
		}
	}
	return j, err
}

// timeOf reads a time in the unit of the clock, or with a unit.
func timeOf(name, text string, seconds bool) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if q, bad := quantity.Parse(text); err != nil && bad == nil && q.Kind == quantity.Time {
		if !seconds {
			return 0, fmt.Errorf("where %s is %q, and a cycle has no length: set network.cycle, such as "+
				`"1 ns", or give a number of cycles`, name, text)
		}
		x, _ = q.Value.Float64()
		err = nil
	}
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("where %s is %q: give a time of at least 0", name, text)
	}
	return x, nil
}

// listed returns the rows of the spec.
func (s *Spec) listed() (list []ListedJob) {
	for _, text := range s.Workload.List {
		if j, err := parseListed(text, s.ClockUnit() == "s"); err == nil {
			list = append(list, j)
		}
	}
	return list
}

// listedPatterns returns the patterns of the rows, each once. It is asked for every key of every
// point, so rows that begin alike are not read again.
func (s *Spec) listedPatterns() (mix []Weighted) {
	seen := map[string]bool{}
	for _, text := range s.Workload.List {
		first, _, _ := strings.Cut(text, ";") // the pattern, in a spec
		if seen[first] {
			continue
		}
		seen[first] = true
		fields, err := rowOf(text)
		if err != nil {
			continue
		}
		if w, err := parseWeighted(fields["pattern"]); err == nil && !slices.Contains(mix, w) {
			mix = append(mix, w)
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
	for i, text := range s.Workload.List {
		at := input.Field(fmt.Sprintf("%s[%d]", FieldList, i))
		j, err := parseListed(text, s.ClockUnit() == "s")
		switch total += j.Count; {
		case err != nil:
			return at.Bad(listRight, "%s is %q, %v", at, text, err)
		case total > mostListed:
			return at.Bad("list fewer", "%s has more than %d jobs", FieldList, mostListed)
		case j.Processes == 0 && s.Registry.digestOf(j.Pattern) == nil:
			return at.Bad("give processes", "%s is %q, and %s runs on any number of processes", at, text,
				j.Pattern.Label())
		case j.Estimate == 0 && s.UsesEstimates():
			return at.Bad("give estimate, in the unit of the clock or such as \"2 ms\"",
				"%s is %q without an estimate, which %s reads", at, text, s.Scheduler.Policy)
		}
	}
	return nil
}

// listPlan returns the rows with the indices of their patterns.
func (s *Spec) listPlan(p *JobPlan) []ListedJob {
	rows := s.listed()
	for i := range rows {
		rows[i].Index = slices.IndexFunc(p.Patterns,
			func(q PatternPlan) bool { return q.Label == rows[i].Pattern.Short() })
	}
	return rows
}
