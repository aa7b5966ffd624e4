package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/allocation/order"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/floor"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
)

// timeKinds are the kinds of figures of what changes over time.
var timeKinds = []kind{
	{name: "gantt", draw: ganttScene},
	{name: "series", draw: seriesLines},
}

// ganttScene draws jobs over time: a rectangle for the nodes of a job that follow each other.
func ganttScene(k *drawing) (plot.Drawable, error) {
	jobs, plan, err := k.jobsOnMachine()
	if err != nil {
		return nil, err
	}
	g := gantt{jobs: jobs, ranks: make([]int, plan.Machine.Nodes())}
	mark, err := k.markedJob(jobs)
	if err != nil {
		return nil, err
	}
	label := g.rankNodes(k, plan)
	begin, end, err := k.window(jobs, mark)
	if err != nil {
		return nil, err
	}
	g.jobs = within(jobs, begin, end)
	s := plot.Scene{Frame: true, Aspect: 0.7,
		X:     plot.Axis{Label: k.timeLabel(), Min: &begin, Max: &end},
		Y:     plot.Axis{Label: label, Min: new(0.0), Max: new(float64(len(g.ranks)))},
		Table: [][]string{{"job", "start", "end", "first", "last"}}}
	g.draw(&s, k.figure.Job)
	s.Subject = fmt.Sprintf("Jobs over time (%s)", k.pointText())
	s.Description = fmt.Sprintf("%d jobs over time; a rectangle for each stretch of nodes of a job. "+
		"Ordinate: %s. First replication.", len(g.jobs), label)
	if len(g.jobs) < len(jobs) {
		s.Description += fmt.Sprintf(" Of the %d jobs of the run, those from time %s to %s; the "+
			"limits of the abscissa choose another time.", len(jobs), decimal.Significant(begin, 6),
			decimal.Significant(end, 6))
	}
	return s, nil
}

// ganttJobs is the largest number of jobs that a chart shows unless a time is given. A reader
// cannot tell more apart.
const ganttJobs = 300

// window returns the ends of the time that a chart shows: the limits of the abscissa, else all of
// the run. If the run has more than ganttJobs jobs, the chart shows the time in which that many
// start, about the marked job or the middle one.
func (k *drawing) window(jobs []floor.Job, mark int) (begin, end float64, err error) {
	if end = lastEnd(jobs); !(end > 0) {
		return 0, 0, k.bad("its jobs take no time", "choose another point")
	}
	if limits := k.figure.XLimits; len(limits) == 2 {
		begin, end = limits[0], limits[1]
	} else if len(jobs) > ganttJobs {
		middle := len(jobs) / 2
		if mark >= 0 {
			middle = mark
		}
		first := min(max(0, middle-ganttJobs/2), len(jobs)-ganttJobs)
		begin = jobs[first].Start
		if last := first + ganttJobs; last < len(jobs) && jobs[last].Start > begin {
			end = jobs[last].Start
		}
	}
	if len(within(jobs, begin, end)) == 0 {
		return 0, 0, k.bad(fmt.Sprintf("no job runs from %g to %g", begin, end),
			"give other limits of the abscissa")
	}
	return begin, end, nil
}

// within returns the jobs that run between begin and end, cut at these.
func within(jobs []floor.Job, begin, end float64) (cut []floor.Job) {
	for _, j := range jobs {
		if j.Start < end && j.End > begin {
			j.Start, j.End = max(j.Start, begin), min(j.End, end)
			cut = append(cut, j)
		}
	}
	return cut
}

// gantt is jobs over time along an order of the nodes.
type gantt struct {
	jobs  []floor.Job
	ranks []int // of each node along the ordinate
}

// rankNodes sets the ranks of the nodes, by their number if the figure has x = "node", else by the
// allocator's order. It returns the label of the ordinate.
func (g *gantt) rankNodes(k *drawing, plan *config.Plan) string {
	for n := range g.ranks {
		g.ranks[n] = n
	}
	nodes, err := order.New(plan.AllocatorOrder, plan.Machine)
	if k.figure.X == study.NodeNumbers || err != nil || len(nodes) != len(g.ranks) {
		return "Node"
	}
	for rank, n := range nodes {
		g.ranks[n] = rank
	}
	if slices.IsSorted(nodes) {
		return "Node"
	}
	return "Rank of the node in the order " + tables.DisplayName(plan.Registry, plan.AllocatorOrder)
}

// rankRange is the adjacent ranks from first to last of a job.
type rankRange struct{ job, first, last int }

// draw adds a rectangle for each range of ranks of a job, and the number of the job in its largest
// one.
func (g *gantt) draw(s *plot.Scene, mark int) {
	var all []rankRange
	for i, j := range g.jobs {
		var ranks []int
		for _, n := range j.Nodes {
			ranks = append(ranks, g.ranks[n])
		}
		slices.Sort(ranks)
		for a := 0; a < len(ranks); {
			b := a
			for b+1 < len(ranks) && ranks[b+1] == ranks[b]+1 {
				b++
			}
			all = append(all, rankRange{i, ranks[a], ranks[b]})
			a = b + 1
		}
	}
	hues := g.borders().Hues()
	largest := map[int]rankRange{}
	for _, t := range all {
		j := g.jobs[t.job]
		tile := plot.Tile{X0: j.Start, X1: j.End, Y0: float64(t.first), Y1: float64(t.last + 1),
			Fill: plot.Hued, Hue: hues[t.job], Rim: true}
		if mark > 0 && j.Number != strconv.Itoa(mark) {
			tile.Fill = plot.Faint
		}
		s.Tiles = append(s.Tiles, tile)
		s.Table = append(s.Table, []string{j.Number, decimal.Exact(j.Start), decimal.Exact(j.End),
			strconv.Itoa(t.first), strconv.Itoa(t.last)})
		if l, ok := largest[t.job]; !ok || t.last-t.first > l.last-l.first {
			largest[t.job] = t
		}
	}
	for i, j := range g.jobs {
		if t, ok := largest[i]; ok && j.End > j.Start {
			s.Texts = append(s.Texts, plot.Text{X: (j.Start + j.End) / 2,
				Y: float64(t.first+t.last+1) / 2, Words: j.Number, Width: j.End - j.Start,
				Height: float64(t.last + 1 - t.first)})
		}
	}
}

// borders returns which jobs touch each other in the chart.
func (g *gantt) borders() plot.Borders {
	var beside [][2]int
	for r := range len(g.ranks) - 1 {
		beside = append(beside, [2]int{r, r + 1})
	}
	jobs := slices.Clone(g.jobs)
	for i, j := range jobs {
		jobs[i].Nodes = nil
		for _, n := range j.Nodes {
			jobs[i].Nodes = append(jobs[i].Nodes, g.ranks[n])
		}
	}
	return floor.JobBorders(jobs, len(g.ranks), beside)
}

// seriesLabels are the labels of ordinates, by column of series.csv.
var seriesLabels = map[string]string{
	"utilization_percent":          "Utilization (%)",
	"queue_jobs":                   "Waiting jobs",
	"running_jobs":                 "Running jobs",
	"free_components":              "Pieces of free nodes",
	"link_utilization_percent":     "Mean channel utilization (%)",
	"link_utilization_max_percent": "Greatest channel utilization (%)",
	"rate":                         "Rate of the pair over that of the link",
	"alpha":                        "Estimate of congestion",
	"notifications":                "Notifications so far",
	"queue_flits":                  "Queue for the destination (flits)",
	"lost_percent":                 "Share in runs that failures ended (%)",
	"failed_percent":               "Failed share of the machine (%)",
}

// seriesLines draws a column of series.csv over time, a line for each point, and each pair of nodes
// that it is about.
func seriesLines(k *drawing) (plot.Drawable, error) {
	metric := k.metric()
	d := plot.Figure{Kind: plot.Lines,
		X: plot.Axis{Label: k.timeLabel(), Log: k.figure.LogX, Time: true},
		Y: plot.Axis{Label: seriesLabels[metric], Log: k.figure.LogY}}
	if !k.figure.LogX {
		d.X.Min = new(0.0)
	}
	if !k.figure.LogY {
		d.Y.Min = new(0.0)
	}
	zeros, ofPairs := false, slices.Contains(metrics.PairColumns(), metric)
	d, err := k.manyLines(d, func(point int) (list []plot.Series, err error) {
		t, err := k.table("series", point, "time", "duration", metric, metrics.PairColumn)
		if err != nil {
			return nil, err
		}
		any := false
		for i := range t.Rows {
			pair := t.Text(i, metrics.PairColumn)
			if (pair != "") != ofPairs {
				continue
			}
			at := slices.IndexFunc(list, func(s plot.Series) bool { return s.Name == pair })
			if at < 0 {
				at, list = len(list), append(list, plot.Series{Name: pair})
			}
			x, y := t.Number(i, "time"), t.Number(i, metric)
			if !ofPairs { // a mean over the bin
				x += t.Number(i, "duration") / 2
			}
			if any = any || !math.IsNaN(y); k.figure.LogY && y <= 0 {
				y, zeros = math.NaN(), true
			}
			list[at].X, list[at].Y = append(list[at].X, x), append(list[at].Y, y)
		}
		right := "choose another column, or run jobs with messages"
		if ofPairs {
			right = "choose another column, or pairs by runs.series_pairs where a congestion control has it"
		}
		if !any {
			return nil, k.bad(fmt.Sprintf("the runs have no %s", metric), right)
		}
		return list, nil
	})
	if err != nil {
		return nil, err
	}
	if metric == "utilization_percent" {
		d.Y.Max = new(100.0)
	}
	d.Subject = fmt.Sprintf("%s over time (%s)", seriesLabels[metric], k.results.Study.Name)
	d.Description = "Means over bins of series.csv, each at its middle. First replication."
	if ofPairs {
		d.Description = "States at the beginnings of bins of series.csv. First replication."
	}
	if zeros {
		d.Description += " " + leftOut
	}
	return d, nil
}

// lines is manyLines of one line for each point.
func (k *drawing) lines(d plot.Figure, line func(point int) (plot.Series, error),
) (plot.Figure, error) {
	return k.manyLines(d, func(point int) ([]plot.Series, error) {
		s, err := line(point)
		return []plot.Series{s}, err
	})
}

// manyLines collects the lines of each point that lines returns, in the panel and under the name of
// the point with that of the line. It leaves out names whose lines have no numbers.
func (k *drawing) manyLines(d plot.Figure, lines func(point int) ([]plot.Series, error),
) (plot.Figure, error) {
	names, byPoint := k.pointNames(), map[int][]plot.Series{}
	var order []string
	for _, i := range k.points {
		list, err := lines(i)
		if err != nil {
			return d, err
		}
		for n := range list {
			s := &list[n]
			s.Name = k.nameLine(names[i], s.Name)
			if len(s.X) > 0 && !slices.Contains(order, s.Name) {
				order = append(order, s.Name)
			}
		}
		byPoint[i] = list
	}
	draw := func(points []int, name string) plot.Series {
		for _, i := range points {
			for _, s := range byPoint[i] {
				if s.Name == name {
					return s
				}
			}
		}
		return plot.Series{Name: name}
	}
	return k.panels(d, k.points, order, draw), nil
}

// nameLine names a line of a point, and says how to print the name.
func (k *drawing) nameLine(point, line string) string {
	if point == "" || line == "" {
		return point + line
	}
	name := point + ", " + line
	k.joined[name] = cmp.Or(k.joined[point],
		tables.PrintedLabel(k.results, point, k.figure.Labels)) + ", " + line
	return name
}

// pointNames names each point by the series of the figure or, by default, by the axes in which
// the points differ and that are no panels.
func (k *drawing) pointNames() map[int]string {
	r, names := k.results, map[int]string{}
	k.joined = map[string]string{}
	keys := map[string]bool{}
	for _, i := range k.points {
		if k.figure.Series != "" {
			names[i] = k.label(i, k.figure.Series)
			continue
		}
		var parts, printed []string
		for axis, key := range r.AxisKeys() {
			label := r.Points[i].Labels[axis]
			differs := func(j int) bool { return r.Points[j].Labels[axis] != label }
			if !slices.Contains(k.figure.Panels, key) && slices.ContainsFunc(k.points, differs) {
				k.lineKey, keys[key] = key, true
				parts = append(parts, label)
				printed = append(printed, tables.PrintedOf(r, key, label, k.figure.Labels))
			}
		}
		names[i] = strings.Join(parts, ", ")
		if len(parts) > 1 {
			k.joined[names[i]] = strings.Join(printed, ", ")
		}
	}
	if len(keys) > 1 {
		k.lineKey = ""
	}
	return names
}
