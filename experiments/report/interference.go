package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/floor"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// waitKinds are the kinds of figures of jobs that wait for, or slow, each other.
var waitKinds = []kind{
	{name: "interference", draw: interferenceMatrix},
	{name: "interference-pairs", draw: interferencePairs},
	{name: "slowdowns", draw: slowdownMatrix},
}

// maxWaiting is the number of jobs of a matrix of waits: more do not fit a page.
const maxWaiting = 32

// worstPairs is the number of pairs in a figure of pairs.
const worstPairs = 10

// pairWaits has the waits of jobs for each other in a run.
type pairWaits struct {
	cycles  map[[2]int]float64 // by the job that waited and the job that it waited for
	all     float64            // sum of all waits, those for nobody included
	foreign float64            // sum of the waits for other jobs
}

// channelWait is how long head flits of a job waited for packets of another one at a channel.
type channelWait struct {
	job, forJob int // forJob is nobody where heads waited for their turn on a shared link
	channel     floor.Channel
	kind        string // injection, network or ejection
	cycles      float64
}

// nobody stands for no job.
const nobody = -1

// foreign reports whether the job waited for another one.
func (w *channelWait) foreign() bool { return w.forJob != w.job && w.forJob != nobody }

// waitColumns are the sums of columns that figures of interference show as one.
var waitColumns = map[string][]string{"direct_cycles": {"held_cycles", "behind_cycles"},
	"held_cycles": {"held_cycles"}, "root_cycles": {"root_cycles"}}

// waitLabels describe these sums, as in "heads of job 1 waited for packets of job 2".
var waitLabels = map[string]string{
	"direct_cycles": "waited for packets of",
	"held_cycles":   "waited for virtual channels that were held by packets of",
	"root_cycles":   "waited in chains of packets that ended at",
}

// waitsAt reads the waits at channels from interference.csv of the only point: the column, or the
// sum of columns, that the figure shows, and its name.
func (k *drawing) waitsAt() (list []channelWait, metric string, err error) {
	metric = cmp.Or(k.figure.Metric, "direct_cycles")
	columns := waitColumns[metric]
	t, err := k.table("interference", k.points[0], append([]string{"job", "for_job", "link", "kind",
		"from_router", "from_port", "to_router"}, columns...)...)
	if err != nil {
		return nil, "", err
	}
	for i := range t.Rows {
		w := channelWait{job: int(t.Number(i, "job")), forJob: nobody, kind: t.Text(i, "kind"),
			channel: floorChannel(t, i)}
		if t.Text(i, "for_job") != "" {
			w.forJob = int(t.Number(i, "for_job"))
		}
		for _, c := range columns {
			w.cycles += t.Number(i, c)
		}
		list = append(list, w)
	}
	return list, metric, nil
}

// waits sums the waits of the only point by pairs. It refuses a run in which no job waited for
// another.
func (k *drawing) waits() (*pairWaits, string, error) {
	list, metric, err := k.waitsAt()
	if err != nil {
		return nil, "", err
	}
	w := &pairWaits{cycles: map[[2]int]float64{}}
	for _, x := range list {
		w.all += x.cycles
		if x.forJob != nobody {
			w.cycles[[2]int{x.job, x.forJob}] += x.cycles
		}
		if x.foreign() {
			w.foreign += x.cycles
		}
	}
	if w.foreign == 0 {
		return nil, "", k.bad("no job of its run waited for another",
			"choose a point whose jobs share channels")
	}
	return w, metric, nil
}

// byJob returns the cycles in which each job waited for others or others for it.
func (w *pairWaits) byJob() map[int]float64 {
	sums := map[int]float64{}
	for pair, n := range w.cycles {
		if pair[0] != pair[1] && n > 0 {
			sums[pair[0]] += n
			sums[pair[1]] += n
		}
	}
	return sums
}

// worstJobs returns the jobs with most waits by job, at most maxWaiting of them, in order of
// number.
func worstJobs(waits map[int]float64) []int {
	jobs := slices.Sorted(maps.Keys(waits))
	slices.SortStableFunc(jobs, func(a, b int) int { return cmp.Compare(waits[b], waits[a]) })
	jobs = jobs[:min(len(jobs), maxWaiting)]
	slices.Sort(jobs)
	return jobs
}

// interferenceMatrix draws how long packets of each job waited for packets of each other job: of
// the jobs with most waits, in order of number. Waits for packets of the same job, which are often
// the longest, are not on its scale of colours.
func interferenceMatrix(k *drawing) (plot.Drawable, error) {
	w, metric, err := k.waits()
	if err != nil {
		return nil, err
	}
	waits := w.byJob()
	jobs := worstJobs(waits)
	d := plot.Figure{X: plot.Axis{Label: "Job that was waited for"},
		Y:       plot.Axis{Label: "Job whose packets waited"},
		Colour:  plot.Axis{Label: "Waits (cycles)", Log: k.figure.LogY},
		Subject: fmt.Sprintf("Which jobs waited for which (%s)", k.pointText())}
	if !d.Colour.Log {
		d.Colour.Min = new(0.0)
	}
	fillMatrix(&d, jobs, strconv.Itoa, func(pair [2]int) float64 {
		v, ok := w.cycles[pair]
		if !ok || pair[0] == pair[1] || d.Colour.Log && v <= 0 {
			return math.NaN()
		}
		return v
	})
	d.Description = fmt.Sprintf("Cycles in which ready head flits of a job (row) %s a job (column); "+
		"white: never, and on the diagonal, where waits for packets of the same job are left out. "+
		"%.3g%% of all waits are for other jobs. First replication.", waitLabels[metric],
		100*w.foreign/w.all)
	if left := len(waits) - len(jobs); left > 0 {
		d.Description += fmt.Sprintf(" The %d jobs with most waits for or of others; %d have less.",
			len(jobs), left)
	}
	return d, nil
}

// fillMatrix makes a figure a heat map of pairs: of each of a list, a row, with each of the list.
func fillMatrix[E any](d *plot.Figure, list []E, name func(E) string, value func([2]E) float64) {
	d.Kind = plot.HeatMap
	for _, a := range list {
		d.Categories = append(d.Categories, name(a))
		s := plot.Series{Name: name(a)}
		for _, b := range list {
			s.Y = append(s.Y, value([2]E{a, b}))
		}
		d.Series = append(d.Series, s)
	}
}

// interferencePairs draws the pairs of jobs of which one waited longest for the other.
func interferencePairs(k *drawing) (plot.Drawable, error) {
	w, metric, err := k.waits()
	if err != nil {
		return nil, err
	}
	var pairs [][2]int
	for pair, n := range w.cycles {
		if pair[0] != pair[1] && n > 0 {
			pairs = append(pairs, pair)
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(w.cycles[b], w.cycles[a]), a[0]-b[0], a[1]-b[1])
	})
	shown := pairs[:min(len(pairs), worstPairs)]
	s, sum := plot.Series{}, 0.0
	d := plot.Figure{Kind: plot.Bars, NoLegend: true,
		X: plot.Axis{Label: "Job that waited < job it waited for"},
		Y: plot.Axis{Label: "Waits (cycles)", Log: k.figure.LogY}, WidthMM: plot.TwoColumnMM,
		Subject: fmt.Sprintf("Pairs of jobs with most waits (%s)", k.pointText())}
	for _, pair := range shown {
		d.Categories = append(d.Categories, fmt.Sprintf("%d<%d", pair[0], pair[1]))
		s.Y, sum = append(s.Y, w.cycles[pair]), sum+w.cycles[pair]
	}
	d.Series = []plot.Series{s}
	d.Description = fmt.Sprintf("Cycles in which ready head flits of the first job of a pair %s the "+
		"second: the %d of %d pairs with most, which have %.3g%% of all waits for other jobs. First "+
		"replication.", waitLabels[metric], len(shown), len(pairs), 100*sum/w.foreign)
	return d, nil
}

// slowdown is how many times as long a job takes beside one other job only.
type slowdown struct {
	jobs     [2]int // the job and the other one
	patterns [2]string
	times    float64
}

// readSlowdowns reads the slowdowns in a table.
func readSlowdowns(t *tables.Part) (list []slowdown) {
	for i := range t.Rows {
		list = append(list, slowdown{[2]int{int(t.Number(i, "job")), int(t.Number(i, "by_job"))},
			[2]string{t.Text(i, "pattern"), t.Text(i, "by_pattern")}, t.Number(i, "slowdown")})
	}
	return list
}

// slowdownColumns are the columns that readSlowdowns reads.
var slowdownColumns = []string{"job", "by_job", "pattern", "by_pattern", "slowdown"}

// slowdownMatrix draws how many times as long a job takes beside each other job only: jobs by their
// numbers, or the means over jobs by their patterns.
func slowdownMatrix(k *drawing) (plot.Drawable, error) {
	t, err := k.table("slowdowns", k.points[0], slowdownColumns...)
	if err != nil {
		return nil, err
	}
	list := readSlowdowns(t)
	if len(list) == 0 {
		return nil, k.bad("no two jobs of its run were on the machine at the same time",
			"choose a point whose jobs overlap")
	}
	d := plot.Figure{X: plot.Axis{Label: "Job beside it"}, Y: plot.Axis{Label: "Job"},
		Colour:  plot.Axis{Label: "Time over time alone", Min: new(1.0)},
		Subject: fmt.Sprintf("Which jobs slow which (%s)", k.pointText()),
		Description: "Time of a job (row) with one other job (column) only, over its time alone on the " +
			"same nodes; white: not on the machine at the same time. First replication."}
	if k.figure.X == study.ByPattern {
		d.X.Label, d.Y.Label = "Pattern of the job beside it", "Pattern of the job"
		d.Description = "Means over jobs by their patterns. " + d.Description
		var names []string
		for _, s := range list {
			names = append(names, s.patterns[:]...)
		}
		slices.Sort(names)
		fillSlowdowns(&d, slices.Compact(names), func(name string) string { return name }, list,
			func(s *slowdown) [2]string { return s.patterns })
		return d, nil
	}
	excess := map[int]float64{}
	for _, s := range list {
		for _, job := range s.jobs {
			excess[job] = max(excess[job], s.times-1)
		}
	}
	jobs := worstJobs(excess)
	fillSlowdowns(&d, jobs, strconv.Itoa, list, func(s *slowdown) [2]int { return s.jobs })
	if left := len(excess) - len(jobs); left > 0 {
		d.Description += fmt.Sprintf(" The %d jobs with the largest ones; %d have less.", len(jobs), left)
	}
	return d, nil
}

// fillSlowdowns fills the matrix with the means over the slowdowns of each two jobs or patterns.
func fillSlowdowns[E comparable](d *plot.Figure, names []E, text func(E) string, list []slowdown,
	pair func(*slowdown) [2]E,
) {
	means := map[[2]E]*metrics.Mean{}
	for i := range list {
		of := pair(&list[i])
		if means[of] == nil {
			means[of] = &metrics.Mean{}
		}
		means[of].Add(list[i].times)
	}
	fillMatrix(d, names, text, func(of [2]E) float64 {
		if m := means[of]; m != nil {
			*d.Colour.Min = min(*d.Colour.Min, m.Value())
			return m.Value()
		}
		return math.NaN()
	})
}
