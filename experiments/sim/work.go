package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// Work is the jobs of a run and their clock.
type Work struct {
	// Source yields the jobs in the order of their submission.
	Source scheduler.Source

	patterns    []patterns.Config // by Job.Pattern
	texts       []string          // all fields of these, which identify them
	clock       scheduler.Clock
	places      allocation.Allocator // has the places of jobs that start together; nil for others
	lead        int                  // jobs before those of a window of a log: see startWarm
	lastEnd     int                  // number of ended jobs after which the run ends; 0 means all
	noEstimates int                  // jobs of a log without an estimate
	notes       []string             // for the user, on how the jobs were made
	// load measures the jobs alone on the machine of the run. It is nil unless a load says how fast
	// jobs arrive that send messages.
	load func() (aloneMean, error)
}

// workMaker makes the work of one replication of a plan. Each source of jobs has a method.
type workMaker struct {
	*Simulator
	*Work
	ctx         context.Context // stops the measurement of jobs alone
	plan        *config.Plan
	replication int
	nominal     bool      // iterations take a cycle: jobs are only checked
	weights     []float64 // of the patterns of the plan, by which jobs draw theirs
	seed        uint64    // of the draws of jobs
}

// NewWork makes the jobs of one replication of a plan.
func (s *Simulator) NewWork(
	ctx context.Context, plan *config.Plan, replication int,
) (*Work, error) {
	return s.makeWork(ctx, plan, replication, false)
}

// makeWork is NewWork, or makes nominal jobs for checks: sizes, shapes and patterns are those of
// the run, and quotas and times of submission follow from iterations of a cycle, so none is
// measured.
func (s *Simulator) makeWork(
	ctx context.Context, plan *config.Plan, replication int, nominal bool,
) (*Work, error) {
	m := s.maker(ctx, &Work{}, plan, replication)
	m.nominal = nominal
	var err error
	switch plan.Workload.Source {
	case config.SourceTogether:
		err = m.makeTogether()
	case config.SourceSynthetic:
		err = m.makeSynthetic()
	case config.SourceList:
		err = m.makeList()
	default:
		err = m.makeLog()
	}
	if err != nil {
		return nil, err
	}
	return m.Work, nil
}

// maker returns a maker of the work of a replication.
func (s *Simulator) maker(
	ctx context.Context, w *Work, plan *config.Plan, replication int,
) *workMaker {
	m := &workMaker{Simulator: s, Work: w, ctx: ctx, plan: plan, replication: replication,
		weights: patternWeights(plan)}
	m.seed, _ = plan.StreamSeed(replication, "workload")
	return m
}

// addPatterns adds the patterns of the jobs of the plan.
func (m *workMaker) addPatterns() {
	for _, p := range m.plan.Job.Patterns {
		m.addPattern(p.Config)
	}
}

// addPattern adds a pattern of jobs with its text, in which Name tells patterns from outside apart.
func (w *Work) addPattern(p patterns.Config) {
	w.patterns = append(w.patterns, p)
	p.Own, p.Work = nil, nil
	w.texts = append(w.texts, fmt.Sprintf("%+v", p))
}

// note adds a note for the user, unless it is empty.
func (w *Work) note(text string) {
	if text != "" {
		w.notes = append(w.notes, text)
	}
}

// patternWeights returns the weights of the patterns of a plan.
func patternWeights(plan *config.Plan) (weights []float64) {
	for _, p := range plan.Job.Patterns {
		weights = append(weights, p.Weight)
	}
	return weights
}

// setClock sets the cycles of a second: the rate of the plan, or automatic where the plan leaves it
// open.
func (m *workMaker) setClock(automatic float64) {
	if m.clock.CyclesPerSecond = automatic; m.plan.Job.CyclesPerSecond != input.Automatic {
		m.clock.CyclesPerSecond = float64(m.plan.Job.CyclesPerSecond)
	}
}

// maxMessages is the largest quota of a job, beyond any that a run could finish.
const maxMessages = 1 << 62

// wholeQuota returns the whole number next to a number of messages or iterations, at least 1.
func wholeQuota(n float64) int64 {
	return int64(min(max(1, math.Round(n)), maxMessages))
}

// quotaOf returns the number of messages of a number of iterations, of messages each, at least 1.
func quotaOf(iterations, messages int64) int64 {
	switch {
	case messages == 0:
		return 1
	case iterations > maxMessages/messages:
		return maxMessages
	}
	return iterations * messages
}

// iterationsQuota returns the number of messages of iterations of a job. What is wrong with the
// pattern of a job of this size is said where jobs are checked.
func (m *workMaker) iterationsQuota(j *scheduler.Job, iterations int64) int64 {
	per, _ := m.messages(m.Work, j)
	return quotaOf(iterations, per)
}

// giveQuota sets the quota of a job: whole iterations of its pattern at its own size, or messages.
// The quota is the mean of the plan, times a draw about 1.
func (m *workMaker) giveQuota(j *scheduler.Job, draw float64) error {
	q := &m.plan.Job.Quota
	if !q.Whole() {
		j.Quota = wholeQuota(q.Messages * draw)
		return nil
	}
	per, err := m.messages(m.Work, j)
	j.Quota = quotaOf(wholeQuota(q.IterationsOf(m.patterns[j.Pattern])*draw), per)
	return err
}

// Software returns the time that messages cost the processes.
func Software(plan *config.Plan) executor.Software {
	return executor.Software{Send: plan.Job.SendCycles, Receive: plan.Job.ReceiveCycles}
}

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

// makeSynthetic makes a generated stream of jobs.
func (m *workMaker) makeSynthetic() error {
	m.addPatterns()
	plan := m.plan
	c := plan.Workload.Synthetic
	c.Patterns, c.Seed = m.weights, m.seed
	if m.setClock(config.UnitCycles); plan.Job.Run == config.RunMessages {
		m.setClock(1)
		var err error
		if c.PatternQuota, err = m.meanQuotas(c); err != nil {
			return err
		}
		if plan.Job.Quota.Whole() {
			c.Messages = m.iterationsQuota
		}
		c.Quota = plan.Job.Quota.Draw
		c.Quota.Mean = c.PatternQuota[0]
		c.Service = scheduler.Distribution{}
		if err := m.setLoad(&c); err != nil {
			return err
		}
	}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return refuseSides(plan, err)
	}
	m.Source = g
	return nil
}

// refuseSides converts an error of the configuration of a generated stream. It says what counts as
// the sides of a machine that has none.
func refuseSides(plan *config.Plan, err error) error {
	bad := config.Refuse(err)
	_, sided := plan.Machine.(topology.Grid)
	if !sided && strings.HasPrefix(bad.Key, "workload.side.") {
		bad.Right = fmt.Sprintf("a machine without sides counts as a square, here one of side %d",
			plan.Workload.Synthetic.Sides[0])
	}
	return bad
}

// meanQuotas returns the mean number of messages of a job, by pattern, or of iterations where jobs
// do whole ones. The plan gives it directly or as the messages of iterations of the mean-sized job
// (lo1994 App. A).
func (m *workMaker) meanQuotas(c scheduler.SyntheticConfig) (means []float64, err error) {
	q := &m.plan.Job.Quota
	if q.MeanIterations == 0 {
		for _, p := range m.patterns {
			means = append(means, max(q.Messages, q.IterationsOf(p)))
		}
		return means, nil
	}
	shape, err := meanShape(c)
	if err != nil {
		return nil, refuseSides(m.plan, err)
	}
	n := 1
	for _, side := range shape {
		n *= side
	}
	if c.Size.Distribution != "" {
		shape = nil // jobs have none
	}
	if q.Processes > 0 {
		n, shape = q.Processes, nil
	}
	for _, p := range m.patterns {
		per, err := patterns.MessagesPerIteration(p, n, shape)
		if err != nil {
			return nil, config.FieldPattern.Refuse(err)
		}
		means = append(means, max(1, q.MeanIterations*float64(per)))
	}
	return means, nil
}

// meanShape returns the sides of the mean-sized job, or its size as the only one. Each is the mean
// of the distribution, rounded to a whole number and then as drawn ones are rounded.
func meanShape(c scheduler.SyntheticConfig) ([]int, error) {
	round := c.Side.Round
	if c.Size.Distribution != "" {
		round = c.Size.Round()
	}
	c.Side.Round = ""
	c.PatternQuota, c.Quota = nil, scheduler.Distribution{}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return nil, err
	}
	var shape []int
	for _, mean := range g.MeanSides() {
		shape = append(shape, scheduler.RoundToPower(max(1, int(math.Round(mean))), round))
	}
	return shape, nil
}

// endless is the quota of a job in the background, which goes on until the measured jobs have ended.
const endless = math.MaxInt64 / 2

// makeList makes the jobs of workload.list, in the order of their submission. Their numbers are in
// the order of the rows. Jobs in the background leave room for each other one.
func (m *workMaker) makeList() error {
	m.addPatterns()
	m.setClock(1)
	plan := m.plan
	var jobs []scheduler.Job
	var measured, largest, held int // jobs, and nodes
	places := map[scheduler.JobID][]topology.Node{}
	for i, row := range plan.Workload.Listed {
		var err error
		if row.Processes == 0 {
			row.Processes, err = plan.Ranks(row.Pattern)
		}
		j := scheduler.Job{Submit: row.At, Estimate: row.Estimate, NoEstimate: row.Estimate == 0,
			Size: row.Processes, Pattern: row.Index}
		if k := slices.IndexFunc(row.Nodes, func(n topology.Node) bool {
			return int(n) >= plan.Machine.Nodes()
		}); k >= 0 && err == nil {
			err = fmt.Errorf("node %d of a machine of %d", row.Nodes[k], plan.Machine.Nodes())
		}
		var per int64
		if err == nil {
			per, err = m.messages(m.Work, &j)
		}
		if err == nil && row.Background {
			j.Quota, err = endless, m.checkEndless(m.patterns[j.Pattern], j.Size)
			held += row.Count * j.Size
		} else if largest = max(largest, j.Size); err == nil && row.Iterations > 0 {
			j.Quota = quotaOf(row.Iterations, per)
		} else if err == nil {
			err = m.giveQuota(&j, 1)
		}
		if err != nil {
			return refuseRow(i, err)
		}
		if !row.Background {
			measured += row.Count
		}
		for range row.Count {
			j.ID, j.Seed = scheduler.JobID(len(jobs)+1), m.seed+uint64(len(jobs))
			if row.Nodes != nil {
				places[j.ID] = row.Nodes
			}
			jobs = append(jobs, j)
		}
	}
	slices.SortStableFunc(jobs, func(a, b scheduler.Job) int {
		return cmp.Compare(a.Submit, b.Submit)
	})
	m.Source = &scheduler.List{Jobs: jobs}
	if len(places) > 0 {
		planned := &plannedPlaces{}
		for i := range jobs {
			planned.places = append(planned.places, places[jobs[i].ID])
		}
		m.places = planned
	}
	if nodes := plan.Machine.Nodes(); held > 0 {
		if m.lastEnd = measured; held+largest > nodes {
			return config.FieldList.Bad("list fewer or smaller ones", "jobs that go on without end have "+
				"%d of %d nodes, and another job needs %d", held, nodes, largest)
		}
	}
	return nil
}

// refuseRow returns the error for a row of workload.list: err itself if it names a key or a file.
func refuseRow(row int, err error) error {
	if bad := (*input.Error)(nil); errors.As(err, &bad) {
		return bad
	}
	return input.Field(fmt.Sprintf("%s[%d]", config.FieldList, row)).Refuse(err)
}
