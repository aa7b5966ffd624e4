package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"contend/experiments/plot"
	"contend/experiments/report/floor"
	"contend/experiments/study"
)

// waitKinds are the kinds of figures of jobs that wait for, or slow, each other.
var waitKinds = []kind{
	{name: "interference", draw: interferenceMatrix},
	{name: "interference-pairs", draw: interferencePairs},
	{name: study.WaitChannelsKind, draw: interferenceChannels},
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
