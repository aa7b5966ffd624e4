package site

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/internal/input"
	"contend/scheduler"
)

// Replay runs the whole log of a plan without messages, each job for its run time times a factor of
// the job.
type Replay func(ctx context.Context, plan *config.Plan, factor func(*scheduler.Job) float64) (
	metrics.Result, error)

// The answer is about the whole log. Moments of it say how many times as long as in the log jobs of
// each class of sizes run under each allocator (the metric dilation). With these factors the whole
// log is replayed without a network. So a queue grows over weeks as longer run times make it grow,
// which no moment shows. The intervals are those of the jackknife over groups of moments: each
// group is left out once, and the log replayed with the factors of the others.
//
// Under backfilling run times that differ by a few thousandths give other schedules. Of ten groups
// the jackknife takes nine times the variance of that. So each answer is the mean of up to ten
// replays with run times that differ so, of which it takes about one.

// maxDraws is the maximum number of replays of a short log, replayedJobs that of jobs in all.
const (
	maxDraws     = 10
	replayedJobs = 60_000
)

// luck is the share of its run time by which that of a job differs at most from replay to replay.
const luck = 0.005

// maxGroups is the maximum number of groups of moments.
const maxGroups = 10

// fewJobs is the number of jobs of a class, in all moments, below which it has the factor of all
// jobs.
const fewJobs = 5

// answering is the replays of the points of a study.
type answering struct {
	*experiments.Results
	replay Replay
	groups int
	// results has, by point, the replay with the factors of all moments, and then those without each
	// group.
	results [][]metrics.Result
}

// Answer returns a table that compares the response times of each class of job sizes with those
// under the rule of the cluster: shorter, longer, or undecided.
func Answer(
	ctx context.Context, r *experiments.Results, replay Replay, workers int,
) (string, error) {
	st := r.Study
	if st.Table.Relative == "" || !slices.Contains(st.Table.Metrics, "dilation") {
		return "", &input.Error{Where: st.Name, Problem: "contend site did not write the study",
			Right: "give the folder of one that it wrote, with table.relative_to and metrics dilation"}
	}
	a := &answering{Results: r, replay: replay, results: make([][]metrics.Result, len(r.Points))}
	if a.groups = maxGroups; len(r.Runs) > 0 {
		for _, runs := range r.Runs {
			a.groups = min(a.groups, len(runs))
		}
	}
	if a.groups == 0 {
		return "", &input.Error{Where: st.Name, Problem: "the study has points without runs",
			Right: "contend run it"}
	}
	for i, runs := range r.Runs {
		if !slices.ContainsFunc(runs, hasDilation) {
			return "", &input.Error{Where: st.Name, Problem: fmt.Sprintf("the runs of %s do not say how "+
				"many times as long as in the log jobs took (metric dilation of classes of sizes)",
				strings.Join(r.Points[i].Labels, ", ")), Right: "make the study and its runs anew"}
		}
	}
	if err := a.replayAll(ctx, workers); err != nil {
		return "", err
	}
	return a.text(), nil
}

// hasDilation reports whether a run has the dilation of some class of sizes.
func hasDilation(run metrics.Result) bool {
	return slices.ContainsFunc(run.Metrics, func(m metrics.Metric) bool {
		c, ok := metrics.ClassOf(m.Name)
		return ok && c.Of == "dilation"
	})
}

// replayAll replays the log for all points and groups.
func (a *answering) replayAll(ctx context.Context, workers int) error {
	type task struct{ point, group int }
	tasks := make(chan task)
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	for range max(1, workers) {
		all.Go(func() {
			for t := range tasks {
				result, err := a.replayed(ctx, t.point, t.group)
				mu.Lock()
				a.results[t.point][t.group+1] = result
				if failed == nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	for i := range a.Points {
		a.results[i] = make([]metrics.Result, a.groups+1)
		for g := -1; g < a.groups; g++ {
			tasks <- task{i, g}
		}
	}
	close(tasks)
	all.Wait()
	return failed
}

// replayed replays the log for a point, with the factors of all moments but those of a group. It
// returns the means over the draws of run times.
func (a *answering) replayed(ctx context.Context, point, without int) (metrics.Result, error) {
	plan, err := a.Points[point].Spec.Plan()
	if err != nil {
		return metrics.Result{}, err
	}
	factors, _ := a.factors(point, without)
	var all []metrics.Result
	for draws := 1; len(all) < draws; {
		k := uint64(len(all))
		r, err := a.replay(ctx, plan, func(j *scheduler.Job) float64 {
			by := 1 + luck*(2*rand.New(rand.NewPCG(uint64(j.ID), k)).Float64()-1)
			for _, f := range slices.Backward(factors) {
				if j.Size >= f.min {
					return by * f.by
				}
			}
			return by
		})
		if err != nil {
			return r, err
		}
		all = append(all, r)
		jobs, _ := r.Value("jobs")
		draws = min(maxDraws, max(1, replayedJobs/max(1, int(jobs))))
	}
	return meansOf(all), nil
}

// meansOf returns the metrics of the first of some runs as means over all that have them.
func meansOf(runs []metrics.Result) metrics.Result {
	means := runs[0]
	means.Metrics = slices.Clone(means.Metrics)
	for i := range means.Metrics {
		var mean metrics.Mean
		for k := range runs {
			if v, ok := runs[k].Value(means.Metrics[i].Name); ok {
				mean.Add(v)
			}
		}
		means.Metrics[i].Value = mean.Value()
	}
	return means
}

// factor is that of the run times of jobs of a class, which begins at a size.
type factor struct {
	min int
	by  float64
}

// factors returns those of a point, over all moments but those of a group, by ascending sizes, and
// that of all jobs.
func (a *answering) factors(point, without int) (list []factor, all float64) {
	ran, logged := 0.0, 0.0 // of all jobs
	for _, m := range metrics.MetricInfos() {
		c, ok := metrics.ClassOf(m.Name)
		if !ok || c.Of != "dilation" {
			continue
		}
		jobs, classRan, classLogged := 0.0, 0.0, 0.0
		for i := range a.Runs[point] {
			run := &a.Runs[point][i]
			by, ok := run.Value(m.Name)
			if !ok || i%a.groups == without {
				continue
			}
			n, _ := run.Value(fmt.Sprintf("jobs_size_%d", c.Min))
			service, _ := run.Value(fmt.Sprintf("service_time_size_%d", c.Min))
			jobs, classRan, classLogged = jobs+n, classRan+n*service, classLogged+n*service/by
		}
		if jobs > 0 {
			ran, logged = ran+float64(c.Min)*classRan, logged+float64(c.Min)*classLogged
		}
		by := math.NaN()
		if jobs >= fewJobs && classLogged > 0 {
			by = classRan / classLogged
		}
		list = append(list, factor{c.Min, by})
	}
	all = 1
	if logged > 0 {
		all = ran / logged
	}
	for i := range list {
		if math.IsNaN(list[i].by) {
			list[i].by = all
		}
	}
	slices.SortFunc(list, func(x, y factor) int { return x.min - y.min })
	return list, all
}

// seen returns the number of jobs of a class at the moments of a point. The class is the end of the
// names of its metrics.
func (a *answering) seen(point int, class string) (jobs float64) {
	for i := range a.Runs[point] {
		n, _ := a.Runs[point][i].Value("jobs" + class)
		jobs += n
	}
	return jobs
}

// text returns the answer.
func (a *answering) text() string {
	st := a.Study
	const allocator = "allocator"
	own := st.Table.Relative
	header := []string{}
	for _, key := range a.AxisKeys() {
		header = append(header, tables.ShortKey(key))
	}
	grid := [][]string{append(header, "jobs of", "ratio", "interval", "answer")}
	use := [][]string{append(slices.Clone(header), "wait (h)", "response (h)", "submitted load",
		"utilization (%)", "dilation")}
	jumps := a.Jumps()
	for i := range a.Points {
		use = append(use, append(slices.Clone(a.Points[i].Labels), a.useCells(i)...))
	}
	for _, metric := range st.Table.Metrics {
		class, ok := strings.CutPrefix(metric, "dilation")
		if !ok {
			continue
		}
		metric := "response_time" + class
		for i := range a.Points {
			p := &a.Points[i]
			j, ok := st.Sibling(a.Points, i, allocator, own)
			if st.LabelAt(p, allocator) == own || !ok {
				continue
			}
			if class != "" && min(a.seen(i, class), a.seen(j, class)) < fewJobs {
				continue // it has the factor of all jobs
			}
			row := append(slices.Clone(p.Labels), sizeRange(metric))
			grid = append(grid, append(row, a.answerCells(i, j, metric, jumps)...))
		}
	}
	text := ""
	if !a.Complete() {
		text = "Runs of the study are missing: contend run ends it. This is the answer of the " +
			"moments that all points have.\n\n"
	}
	text += fmt.Sprintf("Response times in the whole log over those of %s. Jobs run for their times "+
		"in the log, times\nthe dilation of jobs of their size at moments of it; means of replays "+
		"whose run times differ by %g%%.\n%g%% intervals are those of the jackknife over %s of "+
		"moments.\n\n", own, 100*luck, 100*st.Runs.Confidence, input.Plural(a.groups, "group"))
	return text + tables.MarkdownTable(grid, len(a.AxisKeys())+1) +
		"\nThe whole log, and the dilation at the moments:\n\n" +
		tables.MarkdownTable(use, len(a.AxisKeys()))
}

// useCells returns the mean wait and response times in the whole log with the run times of a point,
// its load and utilization, and the dilation of all jobs at the moments. Times of an
// overloaded point depend on the length of the log, and are left out.
func (a *answering) useCells(i int) []string {
	whole := &a.results[i][0]
	cells := []string{}
	for _, name := range []string{"wait_time", "response_time"} {
		v, ok := whole.Value(name)
		cell := ""
		if ok && !a.overloaded(i) {
			cell = fmt.Sprintf("%.3g", v/3600)
		}
		cells = append(cells, cell)
	}
	for _, name := range []string{"submitted_load", "utilization"} {
		v, _ := whole.Value(name)
		cells = append(cells, fmt.Sprintf("%.3g", v))
	}
	_, all := a.factors(i, -1)
	return append(cells, fmt.Sprintf("%.4g", all))
}

// overloaded reports whether more work arrives in the whole log than the machine can do.
func (a *answering) overloaded(i int) bool {
	load, ok := a.results[i][0].Value("submitted_load")
	return ok && load >= 1
}

// answerCells returns the cells of a ratio: the ratio with its interval, and the answer. An
// interval that includes 1 does not show equality: its ends bound the difference.
func (a *answering) answerCells(i, j int, metric string, jumps bool) []string {
	const unknown = "cannot tell"
	switch {
	case a.overloaded(i) && !a.overloaded(j):
		return []string{"", "", "overloaded"}
	case a.overloaded(j):
		return []string{"", "", "overloaded as it is"}
	}
	logarithm := func(g int) float64 {
		x, ok := a.results[i][g].Value(metric)
		y, both := a.results[j][g].Value(metric)
		if !ok || !both {
			return math.NaN()
		}
		return math.Log(x / y)
	}
	whole := logarithm(0)
	if math.IsNaN(whole) {
		return []string{"", "", unknown}
	}
	n, parts := float64(a.groups), make([]float64, 0, a.groups)
	for g := 1; g <= a.groups; g++ {
		parts = append(parts, n*whole-(n-1)*logarithm(g))
	}
	mark := ""
	if jumps {
		mark = tables.JumpMark(math.NaN())
	}
	cells := []string{fmt.Sprintf("%.3f", math.Exp(whole)) + mark, "", unknown}
	e := stats.EstimateOf(parts, a.Study.Runs.Confidence)
	low, high := math.Exp(whole-e.Half), math.Exp(whole+e.Half)
	switch {
	case a.groups > 1 && !slices.ContainsFunc(parts, func(x float64) bool { return x != 0 }):
		cells[2] = "the same"
		return cells
	case a.groups < 2 || math.IsNaN(e.Half):
		return cells
	case high < 1:
		cells[2] = "shorter"
	case low > 1:
		cells[2] = "longer"
	}
	cells[1] = fmt.Sprintf("%.3f to %.3f", low, high)
	return cells
}

// sizeRange returns the range of job sizes of a metric in words.
func sizeRange(metric string) string {
	class, ok := metrics.ClassOf(metric)
	switch {
	case !ok:
		return "all sizes"
	case class.Min == class.Max:
		return input.Plural(class.Min, "node")
	case class.Max == 0:
		return fmt.Sprintf("%d nodes and more", class.Min)
	}
	return fmt.Sprintf("%d to %d nodes", class.Min, class.Max)
}
