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
	"contend/router/topology"
	"contend/scheduler"
)

// Replay runs the whole log of a plan without messages, with the draws of a replication: each job
// for its run time times a factor of the job and of the mean distance of its nodes.
type Replay func(ctx context.Context, plan *config.Plan, replication int,
	factor func(j *scheduler.Job, distance float64) float64) (metrics.Result, error)

// The answer is about the whole log. Moments of it say by how much jobs of each class of sizes run
// longer than in the log, for each channel between their nodes. With these rates the whole log is
// replayed without a network: a job is slowed by its class and by the place that it gets. So a
// queue grows over weeks as longer run times make it grow, and jobs scatter more where it is long,
// which no moment shows.
//
// Under backfilling other run times give other schedules. So each answer is the mean of replays
// whose jobs are slowed unequally, as those of the moments are, and run longer or shorter by jitter
// at most.
//
// The intervals have three parts. Half of the moments are compared with the others, in several
// random splits (McCarthy 1969): half the difference has the variance of the answer of all. The
// second part is the error of the method itself, and the third the luck of a schedule: that of the
// log is one of those that the replays have.

// maxDraws and halfDraws are the maximum numbers of replays of a short log with all moments, and
// with half of them, and replayedJobs and halfJobs those of jobs in these.
const (
	maxDraws, halfDraws    = 30, 10
	replayedJobs, halfJobs = 60_000, 20_000
)

// maxSplits is the number of splits of the moments.
const maxSplits = 10

// jitter is the largest share by which the run time of a job differs between replays: logs have
// seconds, so schedules that hang on less are none of their own.
const jitter = 0.001

// The error of the method has two parts. methodShare is that in the share of time by which both
// allocators slow jobs down, over the share of the machine that their load leaves free, or half of
// that which was free, as a log ends before queues grow without end: a queue multiplies errors as it
// multiplies the time itself. methodLuck, over the root of the number of
// jobs, is that of schedules. Both are fitted to whole simulations of drawn logs, with replays
// without jitter: go test -tags long ./experiments/site -run TestLongAnswer -logs fit.
const methodShare, methodLuck, methodDegrees = 0.025, 0.14, 48

// minDraws is the number of replays from which on they show the luck of a schedule.
const minDraws = 5

// fewJobs is the number of jobs of a class, in all moments, below which it has no row.
const fewJobs = 5

// priorDistance is the sum of distances with which the rate of all jobs counts in that of a class.
const priorDistance = 2

// answering is the replays of the points of a study.
type answering struct {
	*experiments.Results
	replay Replay
	// moments is the number of those that all points have.
	moments int
	// results has, by point, the replay with all moments, and then those with both halves of each
	// split; draws the single replays with all moments.
	results, draws [][]metrics.Result
}

// Answer returns a table that compares the response times of each class of job sizes with those
// under the rule of the cluster: shorter, longer, or undecided. With a key it compares them instead
// with those of the first value of that axis.
func Answer(ctx context.Context, r *experiments.Results, by string, replay Replay, workers int,
) (string, error) {
	a, err := newAnswering(r, replay)
	if err == nil {
		err = a.checkAxis(by)
	}
	if err == nil {
		err = a.replayAll(ctx, workers)
	}
	if err != nil {
		return "", err
	}
	twice, err := a.countedTwice(ctx)
	return a.text(by) + twice, err
}

// countedTwice says by how much the load of the cluster's own rule is above that of the log, if it
// is by a fiftieth or more: the run times of the log hold the contention of that rule already.
func (a *answering) countedTwice(ctx context.Context) (string, error) {
	st := a.Study
	at, ratio, of := -1, 1.02, [2]float64{}
	for i := range a.Points {
		if st.LabelAt(&a.Points[i], allocatorKey) != st.Table.Relative {
			continue
		}
		plan, err := a.Points[i].Spec.Plan()
		if err != nil {
			return "", err
		}
		log, err := a.replay(ctx, plan, 0, func(*scheduler.Job, float64) float64 { return 1 })
		if err != nil {
			return "", err
		}
		was, _ := log.Value("submitted_load")
		if now, _ := a.results[i][0].Value("submitted_load"); now > ratio*was {
			at, ratio, of = i, now/was, [2]float64{was, now}
		}
	}
	if at < 0 {
		return "", nil
	}
	scale := a.Points[at].Spec.Workload.LoadScale
	return fmt.Sprintf("\nThe run times of the log hold the contention under %s already, and count here "+
		"as those of jobs\nalone: at %s the load is %.3g, and without contention %.3g. contend site\n"+
		"--loads %.3g in place of %.3g gives about the latter.\n", st.Table.Relative,
		strings.Join(a.Points[at].Labels, ", "), of[1], of[0], scale/ratio, scale), nil
}

// newAnswering returns the replays to make. It refuses a study that cannot answer.
func newAnswering(r *experiments.Results, replay Replay) (*answering, error) {
	st := r.Study
	if st.Table.Relative == "" || !slices.Contains(st.Table.Metrics, "dilation") {
		return nil, &input.Error{Where: st.Name, Problem: "contend site did not write the study",
			Right: "give the folder of one that it wrote, with table.relative_to and metrics dilation"}
	}
	if !st.Base.Workload.Snapshots {
		return nil, &input.Error{Where: st.Name, Problem: "its runs are no moments of a log",
			Right: "contend compare --by allocator --metric response_time compares whole simulations"}
	}
	a := &answering{Results: r, replay: replay, results: make([][]metrics.Result, len(r.Points)),
		draws: make([][]metrics.Result, len(r.Points))}
	for i, runs := range r.Runs {
		if i == 0 || len(runs) < a.moments {
			a.moments = len(runs)
		}
	}
	if a.moments == 0 {
		return nil, &input.Error{Where: st.Name, Problem: "the study has points without runs",
			Right: "contend run it"}
	}
	for i, runs := range r.Runs {
		if !slices.ContainsFunc(runs, hasRates) {
			return nil, &input.Error{Where: st.Name, Problem: fmt.Sprintf("the runs of %s do not say "+
				"how many times as long as in the log jobs took (metrics dilation and mean_pairwise_distance "+
				"of classes of sizes)", strings.Join(r.Points[i].Labels, ", ")),
				Right: "make the study and its runs anew"}
		}
	}
	return a, nil
}

// hasRates reports whether a run has the dilation of some class of sizes, and the distance unless
// the machine has none.
func hasRates(run metrics.Result) bool {
	has := func(of string) bool {
		return slices.ContainsFunc(run.Metrics, func(m metrics.Metric) bool {
			c, ok := metrics.ClassOf(m.Name)
			return ok && c.Of == of
		})
	}
	_, measured := run.Value(distanceMetric)
	return has("dilation") && (has(distanceMetric) || !measured)
}

// checkAxis refuses a key that is no axis other than the allocator, unless it is "".
func (a *answering) checkAxis(by string) error {
	keys := slices.DeleteFunc(slices.Clone(a.AxisKeys()), func(key string) bool {
		return key == allocatorKey
	})
	if by == "" || slices.Contains(keys, by) {
		return nil
	}
	return input.Bad("", "give one of the axes "+strings.Join(keys, ", "), "--by is %q", by)
}

// allocatorKey is the axis of allocators.
const allocatorKey = "allocator"

// replayAll replays the log for all points and sets of moments.
func (a *answering) replayAll(ctx context.Context, workers int) error {
	type task struct{ point, set int }
	tasks := make(chan task)
	var mu sync.Mutex
	var failed error
	var all sync.WaitGroup
	for range max(1, workers) {
		all.Go(func() {
			for t := range tasks {
				result, err := a.replayed(ctx, t.point, t.set)
				mu.Lock()
				if a.results[t.point][t.set] = meansOf(result); t.set == 0 {
					a.draws[t.point] = result
				}
				if failed == nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	sets := 1
	if a.moments > 1 {
		sets += 2 * maxSplits
	}
	for i := range a.Points {
		a.results[i] = make([]metrics.Result, sets)
		for set := range sets {
			tasks <- task{i, set}
		}
	}
	close(tasks)
	all.Wait()
	return failed
}

// replayed replays the log for a point several times, with the rates of a set of moments. Draws of
// one number are the same at all points.
func (a *answering) replayed(ctx context.Context, point, set int,
) (all []metrics.Result, err error) {
	plan, err := a.Points[point].Spec.Plan()
	if err != nil {
		return nil, err
	}
	rates := a.rates(point, set)
	most, budget := maxDraws, replayedJobs
	if set > 0 {
		most, budget = halfDraws, halfJobs
	}
	for draws := 1; len(all) < draws; {
		k := len(all)
		r, err := a.replay(ctx, plan, k, func(j *scheduler.Job, distance float64) float64 {
			rng := rand.New(rand.NewPCG(uint64(j.ID), uint64(k)))
			factor := rates.of(j.Size).factor(distance, 2*rng.Float64()-1)
			return factor * (1 + float64(jitter*(2*rng.Float64()-1)))
		})
		if err != nil {
			return nil, err
		}
		all = append(all, r)
		jobs, _ := r.Value("jobs")
		draws = min(most, max(1, budget/max(1, int(jobs))))
	}
	return all, nil
}

// meansOf returns the metrics of the first of some runs as means over all that have them.
func meansOf(runs []metrics.Result) (means metrics.Result) {
	if len(runs) == 0 {
		return means
	}
	means = runs[0]
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

// seen returns the number of jobs of a class at the moments of a point. The class is the end of the
// names of its metrics.
func (a *answering) seen(point int, class string) (jobs float64) {
	for i := range a.Runs[point] {
		n, _ := a.Runs[point][i].Value("jobs" + class)
		jobs += n
	}
	return jobs
}

// text returns the answer, which compares allocators, or the values of an axis.
func (a *answering) text(by string) string {
	st := a.Study
	key, base := allocatorKey, st.Table.Relative
	if by != "" {
		key = by
		base = st.LabelAt(&a.Points[0], by)
	}
	header := []string{}
	for _, key := range a.AxisKeys() {
		header = append(header, tables.ShortKey(key))
	}
	grid := [][]string{append(header, "jobs of", "ratio", "interval", "widest part", "answer")}
	use := [][]string{append(slices.Clone(header), "wait (h)", "response (h)", "submitted load",
		"utilization (%)", "dilation")}
	jumps, few := a.Jumps(), []string{}
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
			j, ok := st.Sibling(a.Points, i, key, base)
			if i == j || !ok {
				continue
			}
			if class != "" && min(a.seen(i, class), a.seen(j, class)) < fewJobs {
				if name := sizeRange(metric); !slices.Contains(few, name) {
					few = append(few, name) // its rate is mainly that of all jobs
				}
				continue
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
	text += fmt.Sprintf("Response times in the whole log over those of %s. Jobs are slowed by their "+
		"size and place as jobs\nat %s of the log are. %g%% intervals hold the choice of moments, the "+
		"error of the method,\nmeasured on drawn logs, and the luck of one schedule.%s\n\n", base,
		input.Plural(a.moments, "moment"), 100*st.Runs.Confidence, a.routing())
	text += tables.MarkdownTable(grid, len(a.AxisKeys())+1)
	if len(few) > 0 {
		text += fmt.Sprintf("\nSome rows are left out, as fewer than %d jobs run at the moments: of "+
			"%s. More moments\n(--set runs.replications) may have them.\n", fewJobs, strings.Join(few, ", "))
	}
	return text + "\nThe whole log:\n\n" + tables.MarkdownTable(use, len(a.AxisKeys()))
}

// routing names that of the packets, if it is one and the network knows of a choice: answers depend
// on it.
func (a *answering) routing() string {
	name := a.Points[0].Spec.Network.Routing
	if slices.Contains(a.AxisKeys(), "network.routing") {
		return ""
	}
	if plan, err := a.Points[0].Spec.Plan(); err == nil && name == "auto" {
		if by, ok := topology.Unwrap(plan.Machine).(topology.Routed); ok {
			name = by.DefaultRouting(plan.Network.VirtualChannels)
		}
	}
	return fmt.Sprintf(" Packets are routed by\n%s, on which answers depend (contend site --routing).",
		name)
}

// useCells returns the mean wait and response times in the whole log with the run times of a point,
// its load, utilization and dilation. Times of an overloaded point depend on the length of the log.
func (a *answering) useCells(i int) []string {
	whole := &a.results[i][0]
	cells := []string{}
	for _, name := range []string{"wait_time", "response_time"} {
		v, ok := whole.Value(name)
		cell := ""
		if ok {
			cell = fmt.Sprintf("%.3g", v/3600)
		}
		cells = append(cells, cell)
	}
	for _, name := range []string{"submitted_load", "utilization"} {
		v, _ := whole.Value(name)
		cells = append(cells, fmt.Sprintf("%.3g", v))
	}
	dilation, _ := whole.Value("dilation")
	return append(cells, fmt.Sprintf("%.4g", dilation))
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
	whole, _ := a.logarithm(i, j, metric)
	if math.IsNaN(whole) {
		return []string{"", "", "", unknown}
	}
	mark := ""
	if jumps {
		mark = tables.JumpMark(math.NaN())
	}
	cells := []string{fmt.Sprintf("%.3f", math.Exp(whole)) + mark, "", "", unknown}
	half, part := a.half(i, j, metric)
	low, high := math.Exp(whole-half), math.Exp(whole+half)
	switch {
	case a.moments < 2:
		return cells
	case a.same(i, j):
		cells[3] = "the same"
		return cells
	case a.overloaded(j):
		cells[3] = "overloaded as it is"
	case a.overloaded(i):
		cells[3] = "overloaded"
	case high < 1:
		cells[3] = "shorter"
	case low > 1:
		cells[3] = "longer"
	}
	cells[1], cells[2] = fmt.Sprintf("%.3f to %.3f", low, high), part
	return cells
}

// half returns half the width of the interval of the logarithm of a ratio, and its widest part.
func (a *answering) half(i, j int, metric string) (half float64, part string) {
	confidence := a.Study.Runs.Confidence
	_, moments := a.logarithm(i, j, metric)
	jobs, _ := a.results[i][0].Value(strings.Replace(metric, "response_time", "jobs", 1))
	widest := 0.0
	for _, p := range []struct {
		name string
		half float64
	}{
		{"moments", stats.Half(moments, min(maxSplits, max(1, a.moments-1)), confidence)},
		{"method", stats.Half(a.methodVariance(i, j, jobs), methodDegrees, confidence)},
		{"schedule", a.luckHalf(i, j, metric)},
	} {
		if half = math.Hypot(half, p.half); p.half > widest {
			widest, part = p.half, p.name
		}
	}
	return half, part
}

// luckHalf returns half the width of the interval of the luck of one schedule, and of the mean over
// those of the replays, in the logarithm of a ratio; 0 if few replays show it.
func (a *answering) luckHalf(i, j int, metric string) float64 {
	var logs []float64
	for k := range min(len(a.draws[i]), len(a.draws[j])) {
		x, ok := a.draws[i][k].Value(metric)
		if y, both := a.draws[j][k].Value(metric); ok && both {
			logs = append(logs, math.Log(x/y))
		}
	}
	if len(logs) < minDraws {
		return 0
	}
	return stats.EstimateOf(logs, a.Study.Runs.Confidence).Half * math.Sqrt(float64(len(logs)+1))
}

// same reports whether all replays of two points are the same.
func (a *answering) same(i, j int) bool {
	for set := range a.results[i] {
		x, _ := a.results[i][set].Value("response_time")
		if y, _ := a.results[j][set].Value("response_time"); x != y {
			return false
		}
	}
	return true
}

// logarithm returns that of a ratio, and its variance by the splits of the moments.
func (a *answering) logarithm(i, j int, metric string) (whole, variance float64) {
	of := func(set int) float64 {
		x, ok := a.results[i][set].Value(metric)
		y, both := a.results[j][set].Value(metric)
		if !ok || !both {
			return math.NaN()
		}
		return math.Log(x / y)
	}
	splits := (len(a.results[i]) - 1) / 2
	for k := range splits {
		half := (of(2*k+1) - of(2*k+2)) / 2
		variance += float64(half*half) / float64(splits)
	}
	return of(0), variance
}

// methodVariance returns the variance of the error of the method in the logarithm of a ratio of the
// mean times of some jobs.
func (a *answering) methodVariance(i, j int, jobs float64) float64 {
	slowed, free := 0.0, 1.0
	for _, p := range []int{i, j} {
		dilation, _ := a.results[p][0].Value("dilation")
		load, _ := a.results[p][0].Value("submitted_load")
		used, _ := a.results[p][0].Value("utilization")
		slowed, free = slowed+math.Abs(dilation-1), min(free, max(1-load, (1-used/100)/2))
	}
	share := methodShare * slowed / free
	return float64(share*share) + methodLuck*methodLuck/max(1, jobs)
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
