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
	"contend/netsim"
	"contend/router/topology"
)

// maxWaiting is the number of jobs of a matrix of waits: more do not fit a page.
const maxWaiting = 32

// worstPairs is the number of pairs in a figure of pairs.
const worstPairs = 10

// Waits are the waits of jobs for each other that a run has recorded.
type Waits struct {
	// Pairs has the cycles by the job that waited and the job that it waited for.
	Pairs map[[2]int]float64
	// All is the sum of all waits, those for nobody included, and Foreign of those for other jobs.
	All, Foreign float64
}

// WaitedAt is how long heads of a job waited for packets of another one at a channel.
type WaitedAt struct {
	Job, For int // For is Nobody where heads waited for their turn on a shared link
	Channel  plot.FloorChannel
	Kind     string // injection, network or ejection
	Cycles   float64
}

// Nobody stands for no job.
const Nobody = -1

// waitColumns are the sums of columns that figures of interference show as one.
var waitColumns = map[string][]string{"direct_cycles": {"held_cycles", "behind_cycles"},
	"held_cycles": {"held_cycles"}, "root_cycles": {"root_cycles"}}

// waitLabels describe these sums, as in "heads of job 1 waited for packets of job 2".
var waitLabels = map[string]string{
	"direct_cycles": "waited for packets of",
	"held_cycles":   "waited for virtual channels that were held by packets of",
	"root_cycles":   "waited in chains of packets that ended at",
}

// waitsAt reads interference.csv of the only point, one column of it or a sum.
func (k *recorded) waitsAt() (list []WaitedAt, metric string, err error) {
	metric = cmp.Or(k.figure.Metric, "direct_cycles")
	columns := waitColumns[metric]
	t, err := k.table("interference", k.points[0], append([]string{"job", "for_job", "link", "kind",
		"from_router", "from_port", "to_router"}, columns...)...)
	if err != nil {
		return nil, "", err
	}
	for i := range t.Rows {
		w := WaitedAt{Job: int(t.Number(i, "job")), For: Nobody, Kind: t.Text(i, "kind"),
			Channel: plot.FloorChannel{Link: t.Text(i, "link"),
				From: topology.Router(t.Number(i, "from_router")),
				To:   topology.Router(t.Number(i, "to_router")),
				Port: topology.Port(t.Number(i, "from_port"))}}
		if t.Text(i, "for_job") != "" {
			w.For = int(t.Number(i, "for_job"))
		}
		for _, c := range columns {
			w.Cycles += t.Number(i, c)
		}
		list = append(list, w)
	}
	return list, metric, nil
}

// waits sums the waits of the only point by pairs. Some job has to have waited for another.
func (k *recorded) waits() (*Waits, string, error) {
	list, metric, err := k.waitsAt()
	if err != nil {
		return nil, "", err
	}
	w := &Waits{Pairs: map[[2]int]float64{}}
	for _, x := range list {
		w.All += x.Cycles
		if x.For == Nobody {
			continue
		}
		w.Pairs[[2]int{x.Job, x.For}] += x.Cycles
		if x.Job != x.For {
			w.Foreign += x.Cycles
		}
	}
	if w.Foreign == 0 {
		return nil, "", k.bad("no job of its run waited for another",
			"choose a point whose jobs share channels")
	}
	return w, metric, nil
}

// involved returns the waits of each job for others and of others for it.
func (w *Waits) involved() map[int]float64 {
	sums := map[int]float64{}
	for pair, n := range w.Pairs {
		if pair[0] != pair[1] && n > 0 {
			sums[pair[0]] += n
			sums[pair[1]] += n
		}
	}
	return sums
}

// worst returns the jobs with most waits for or of others, in order of number.
func worst(involved map[int]float64) []int {
	jobs := slices.Sorted(maps.Keys(involved))
	slices.SortStableFunc(jobs, func(a, b int) int {
		return cmp.Compare(involved[b], involved[a])
	})
	jobs = jobs[:min(len(jobs), maxWaiting)]
	slices.Sort(jobs)
	return jobs
}

// interferenceMatrix draws how long packets of each job waited for packets of each other job: of
// the jobs with most waits, in order of number.
func interferenceMatrix(k *recorded) (plot.Drawable, error) {
	w, metric, err := k.waits()
	if err != nil {
		return nil, err
	}
	involved := w.involved()
	jobs := worst(involved)
	d := plot.Figure{Kind: plot.HeatMap, X: plot.Axis{Label: "Job that was waited for"},
		Y:       plot.Axis{Label: "Job whose packets waited"},
		Colour:  plot.Axis{Label: "Waits (cycles)", Log: k.logY},
		Subject: fmt.Sprintf("Which jobs waited for which (%s)", k.pointText())}
	if !d.Colour.Log {
		d.Colour.Min = new(0.0)
	}
	for _, j := range jobs {
		d.Categories = append(d.Categories, strconv.Itoa(j))
		s := plot.Series{Name: strconv.Itoa(j)}
		for _, o := range jobs {
			v, ok := w.Pairs[[2]int{j, o}]
			if !ok || d.Colour.Log && v <= 0 {
				v = math.NaN()
			}
			s.Y = append(s.Y, v)
		}
		d.Series = append(d.Series, s)
	}
	d.Description = fmt.Sprintf("Cycles in which ready head flits of a job (row) %s a job (column); "+
		"white: never. %.3g%% of all waits are for other jobs. First replication.", waitLabels[metric],
		100*w.Foreign/w.All)
	if left := len(involved) - len(jobs); left > 0 {
		d.Description += fmt.Sprintf(" The %d jobs with most waits for or of others; %d have less.",
			len(jobs), left)
	}
	return d, nil
}

// interferencePairs draws the pairs of jobs of which one waited longest for the other.
func interferencePairs(k *recorded) (plot.Drawable, error) {
	w, metric, err := k.waits()
	if err != nil {
		return nil, err
	}
	var pairs [][2]int
	for pair, n := range w.Pairs {
		if pair[0] != pair[1] && n > 0 {
			pairs = append(pairs, pair)
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(w.Pairs[b], w.Pairs[a]), a[0]-b[0], a[1]-b[1])
	})
	shown := pairs[:min(len(pairs), worstPairs)]
	s, sum := plot.Series{}, 0.0
	d := plot.Figure{Kind: plot.Bars, NoLegend: true,
		X: plot.Axis{Label: "Job that waited < job it waited for"},
		Y: plot.Axis{Label: "Waits (cycles)", Log: k.logY}, WidthMM: plot.TwoColumnMM,
		Subject: fmt.Sprintf("Pairs of jobs with most waits (%s)", k.pointText())}
	for _, pair := range shown {
		d.Categories = append(d.Categories, fmt.Sprintf("%d<%d", pair[0], pair[1]))
		s.Y, sum = append(s.Y, w.Pairs[pair]), sum+w.Pairs[pair]
	}
	d.Series = []plot.Series{s}
	d.Description = fmt.Sprintf("Cycles in which ready head flits of the first job of a pair %s the "+
		"second: the %d of %d pairs with most, which have %.3g%% of all waits for other jobs. First "+
		"replication.", waitLabels[metric], len(shown), len(pairs), 100*sum/w.Foreign)
	return d, nil
}

// interferenceChannels draws how long packets waited for other jobs at each channel of the machine,
// those of all jobs or of one.
func interferenceChannels(k *recorded) (plot.Drawable, error) {
	list, metric, err := k.waitsAt()
	if err != nil {
		return nil, err
	}
	plan, err := k.plan()
	if err != nil {
		return nil, err
	}
	channels, job := map[string]*plot.FloorChannel{}, k.figure.Job
	net, err := netsim.New(plan.Network)
	if err != nil {
		return nil, err
	}
	for _, c := range metrics.Channels(net.Wiring()) {
		if l := strconv.Itoa(int(c.Link)); c.Kind == "network" {
			channels[l] = &plot.FloorChannel{Link: l, From: c.From, To: c.To, Port: c.FromPort}
		}
	}
	whose, sum := "jobs", 0.0
	if job > 0 {
		whose = fmt.Sprintf("job %d", job)
	}
	for _, w := range list {
		c := channels[w.Channel.Link]
		if c == nil || w.For == Nobody || w.For == w.Job || job > 0 && w.Job != job {
			continue
		}
		c.Value += w.Cycles
		sum += w.Cycles
	}
	if sum == 0 {
		return nil, k.bad(fmt.Sprintf("no packet of %s waited for another job on a network channel",
			whose),
			"choose a job or a point that shares channels")
	}
	m := plot.ChannelMap{Label: "Waits for other jobs (cycles)", Log: k.logY,
		Subject: fmt.Sprintf("Where %s waited for others (%s)", whose, k.pointText()),
		About: fmt.Sprintf("Cycles in which ready head flits of %s %s other jobs, by network channel, "+
			"over the whole run. First replication. ", whose, waitLabels[metric])}
	for _, link := range slices.SortedFunc(maps.Keys(channels), func(a, b string) int {
		return cmp.Or(len(a)-len(b), cmp.Compare(a, b))
	}) {
		m.Channels = append(m.Channels, *channels[link])
	}
	return m.Draw(plan.Machine), nil
}
