package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/scheduler"
)

// givePatterns gives jobs of a log the patterns that depend on their lines: those of job.rules, and
// draws that jobs share as job.pattern_by says. Other jobs keep the pattern that they drew.
func (m *workMaker) givePatterns(jobs []scheduler.Job) error {
	plan := m.plan
	if by := plan.Job.By; by != config.ByJob {
		named := slices.ContainsFunc(jobs, func(j scheduler.Job) bool {
			_, ok := fieldOf(&j, by)
			return ok
		})
		if !named && plan.Workload.Window == 0 {
			return config.FieldPatternBy.Bad("use job or size", "%s is %s, and no job of the log %s has one",
				config.FieldPatternBy, by, plan.Workload.Trace)
		}
		group := func(j *scheduler.Job) (int64, bool) { return fieldOf(j, by) }
		if err := scheduler.DrawGroupPatterns(jobs, m.weights, m.seed, group); err != nil {
			return config.Refuse(err)
		}
	}
	if len(plan.Job.Rules) == 0 {
		return nil
	}
	counts := make([]int, len(plan.Job.Rules))
	for i := range jobs {
		if n := ruleOf(&jobs[i], plan.Job.Rules); n >= 0 {
			jobs[i].Pattern = plan.Job.Rules[n].Index
			counts[n]++
		}
	}
	if n := slices.Index(counts, 0); n >= 0 && plan.Workload.Source == config.SourceSWF &&
		plan.Workload.Window == 0 {
		return refuseIdleRule(jobs, plan, n)
	}
	m.note(rulesNote(plan, counts, len(jobs)))
	return nil
}

// fieldOf returns a field of a job. It reports false if the log does not have it.
func fieldOf(j *scheduler.Job, field config.JobField) (int64, bool) {
	switch field {
	case config.BySize:
		return int64(j.Size), true
	case config.ByUser:
		return j.User()
	case config.ByQueue:
		return j.Queue()
	}
	panic("sim: jobs have no field " + string(field))
}

// ruleOf returns the index of the first rule that fits a job, or -1.
func ruleOf(j *scheduler.Job, rules []config.RulePlan) int {
	return slices.IndexFunc(rules, func(r config.RulePlan) bool {
		value, ok := fieldOf(j, r.Field)
		return ok && r.Fits(value)
	})
}

// refuseIdleRule returns the error for a rule that changes no job.
func refuseIdleRule(jobs []scheduler.Job, plan *config.Plan, n int) error {
	r := &plan.Job.Rules[n]
	field := input.Field(fmt.Sprintf("%s[%d]", config.FieldRules, n))
	seen := map[int64]bool{}
	for i := range jobs {
		if v, ok := fieldOf(&jobs[i], r.Field); ok {
			seen[v] = true
		}
	}
	right := fmt.Sprintf("put it before the others, or leave it out: the log has no %s", r.Field)
	if len(seen) > 0 {
		right = fmt.Sprintf("put it before the others, or leave it out: the field %s of the jobs is %s",
			r.Field, listValues(slices.Sorted(maps.Keys(seen))))
	}
	return field.Bad(right, "%s is %q, and gives none of the %d jobs its pattern", field, r.Rule,
		len(jobs))
}

// listValues writes sorted values: the first nine and the last one of more than ten.
func listValues(values []int64) string {
	const maxTexts = 10
	var texts []string
	for i, v := range values {
		if len(values) > maxTexts && i == maxTexts-1 {
			texts = append(texts, "...", fmt.Sprint(values[len(values)-1]))
			break
		}
		texts = append(texts, fmt.Sprint(v))
	}
	return strings.Join(texts, ", ")
}

// rulesNote returns a note on the number of jobs that each rule gives its pattern.
func rulesNote(plan *config.Plan, counts []int, jobs int) string {
	text, rest := fmt.Sprintf("%s: of %d jobs", config.FieldRules, jobs), jobs
	for i, n := range counts {
		text += fmt.Sprintf(", %q takes %d", plan.Job.Rules[i].Rule, n)
		rest -= n
	}
	return text + fmt.Sprintf(", and %s %d", config.FieldPattern, rest)
}
