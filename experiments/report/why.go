package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/internal/table"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// Limits of what Why reports.
const (
	maxCulprits  = 5   // jobs that the job waited for
	maxNamed     = 5   // nodes on whose paths it waited
	maxPathNodes = 256 // nodes of the job whose paths are followed
)

// noDifference is the distance from 1 below which a ratio of times is reported as no difference.
const noDifference = 0.0005

// waitReport collects the text of Why about a job.
type waitReport struct {
	*drawing
	job   string
	row   int // the row of the job in jobs
	jobs  *tables.Part
	waits []channelWait // of its head flits for the packets in front of them
	roots []channelWait // for the packets at the head of each chain of waiting packets
	text  strings.Builder
}

// Why describes in sentences what a job of a point's first replication waited for: how long it ran
// and would have run alone, the parts of its critical path, for which jobs its packets waited and
// where, and the nodes on whose paths most of these waits are. The figure selects the point; its
// kind is WaitChannelsKind and its Job the job. Why also reports whether the job waited for others.
func Why(r *experiments.Results, f *study.Figure) (text string, waited bool,
	err error) {
	if err := r.Study.CheckFigure(f); err != nil {
		return "", false, err
	}
	k, err := newRecorded(r, f)
	if err != nil {
		return "", false, err
	}
	w := &waitReport{drawing: k, job: strconv.Itoa(f.Job)}
	for _, part := range []func() error{w.sayTimes, w.saySlowdowns, w.sayPath, w.sayCulprits,
		w.sayPlaces} {
		if err := part(); err != nil {
			return "", false, err
		}
	}
	return w.text.String(), w.foreignCycles() > 0, nil
}

// say appends a line to the text.
func (w *waitReport) say(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// count returns a number of cycles with commas between thousands.
func count(cycles float64) string {
	digits := strconv.FormatInt(int64(cycles), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// percent returns part as a share of all.
func percent(part, all float64) string {
	return decimal.Significant(100*part/all, 3) + "%"
}

// sayTimes states how long the job ran, and how long it takes alone.
func (w *waitReport) sayTimes() (err error) {
	w.jobs, err = w.table("jobs", w.points[0], "job", "start", "end", "pattern", "processors", "nodes",
		"service_time", "slowdown_by_others", "slowdown_by_order", "slowdown_by_placement")
	if err != nil {
		return err
	}
	w.row = slices.IndexFunc(w.jobs.Rows, func(row []table.Value) bool {
		return row[0].String() == w.job
	})
	if w.row < 0 {
		return &input.Error{Where: "job " + w.job, Problem: "the run has no such job that ended",
			Right: "give a number of the column job of jobs.csv"}
	}
	of := func(column string) string { return w.jobs.Text(w.row, column) }
	if of("service_time") == "" {
		return &input.Error{Where: "job " + w.job, Problem: "failures killed all of its runs, and it " +
			"never finished", Right: "read killed-runs.csv, which --failures-csv writes"}
	}
	unit := w.results.Points[w.points[0]].Spec.ClockUnit()
	w.say("Job %s (%s) ran %s on %s nodes (%s) for %s %s, from %s to %s.\n", w.job,
		cmp.Or(strings.Join(w.results.Points[w.points[0]].Labels, ", "), w.results.Study.Name),
		cmp.Or(of("pattern"), "without messages"), of("processors"), of("nodes"), of("service_time"),
		unit, of("start"), of("end"))
	time := w.jobs.Number(w.row, "service_time")
	if !(w.jobs.Number(w.row, "slowdown_by_others") > 0) {
		w.say("With runs.alone = true this page also says how long it takes alone.\n")
		return nil
	}
	for _, of := range []struct{ column, where, what string }{
		{"slowdown_by_others", "on these nodes", "the other jobs make"},
		{"slowdown_by_order", "with its ranks on these nodes in the order of their numbers",
			"the order makes"},
		{"slowdown_by_placement", "with its ranks in that order on a contiguous place",
			"its place makes"},
	} {
		factor := w.jobs.Number(w.row, of.column)
		time /= factor
		w.say("Alone %s it takes %s %s: %s %s.\n", of.where, decimal.Significant(time, 6), unit,
			of.what, timesText(factor))
	}
	return nil
}

// saySlowdowns lists the jobs beside which alone the job takes longest, if the run has measured it.
func (w *waitReport) saySlowdowns() error {
	key := experiments.RunKey{Hash: w.results.Points[w.points[0]].Hash}
	t, err := tables.ReadPart(w.results, "slowdowns", key, slowdownColumns...)
	if err != nil || t == nil {
		return err
	}
	list := slices.DeleteFunc(readSlowdowns(t), func(s slowdown) bool {
		return strconv.Itoa(s.jobs[0]) != w.job
	})
	slices.SortStableFunc(list, func(a, b slowdown) int { return cmp.Compare(b.times, a.times) })
	slower := 0
	for slower < len(list) && list[slower].times-1 >= noDifference {
		slower++
	}
	var texts []string
	for i, s := range list[:min(slower, maxCulprits)] {
		text := "beside job %d %s times"
		if i == 0 {
			text = "beside job %d only it takes %s times as long"
		}
		texts = append(texts, fmt.Sprintf(text, s.jobs[1], decimal.Significant(s.times, 4)))
	}
	if rest := list[len(texts):]; len(rest) > 0 {
		text, than := fmt.Sprintf("beside any one of %d others ", len(rest)), "no longer"
		if len(rest) == 1 {
			text = fmt.Sprintf("beside job %d ", rest[0].jobs[1])
		}
		if texts == nil {
			text += "only it takes "
		} else if slower > maxCulprits {
			than = "less"
		}
		texts = append(texts, text+than)
	}
	if texts != nil {
		w.say("B%s.\n", strings.TrimPrefix(strings.Join(texts, ", "), "b"))
	}
	return nil
}

// timesText states a ratio of times.
func timesText(ratio float64) string {
	if math.Abs(ratio-1) < noDifference {
		return "no difference"
	}
	return "it " + decimal.Significant(ratio, 4) + " times as long"
}

// partTexts describes the parts of critical paths.
var partTexts = map[string]string{
	metrics.PartComputing: "computing",
	metrics.PartSoftware:  "sending and receiving at processes",
	metrics.PartSerial:    "serialization: flits of its messages on the slowest links of their paths",
	metrics.PartQueue:     "waiting in source queues beyond serialization, behind packets of its own nodes",
	metrics.PartResending: "lost on links that failed, until sent again",
	metrics.PartEntry:     "waiting for a place in the first router",
	metrics.PartNetwork:   "crossing the network as on an empty machine",
	metrics.PartShared:    "sharing links and buffers with other packets",
	metrics.PartOwn:       "waiting for packets of its own",
	metrics.PartForeign:   "waiting for packets of job ",
	metrics.PartAhead:     "waiting behind packets of its own nodes that waited for job ",
}

// sayPath lists the parts of the critical path, the longest first.
func (w *waitReport) sayPath() error {
	t, err := w.table("critical-path", w.points[0], "job", "part", "for_job", "messages", "cycles")
	if err != nil {
		return err
	}
	var rows []int
	sum := 0.0
	for i := range t.Rows {
		if t.Text(i, "job") == w.job {
			rows = append(rows, i)
			sum += t.Number(i, "cycles")
		}
	}
	if rows == nil { // it takes no time
		return nil
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(t.Number(b, "cycles"), t.Number(a, "cycles"))
	})
	w.say("\nIts critical path has %s. The %s cycles went to\n",
		input.Plural(int(t.Number(rows[0], "messages")), "message"), count(sum))
	for _, i := range rows {
		n := t.Number(i, "cycles")
		w.say("%8s  %s%s: %s cycles\n", percent(n, sum), partTexts[t.Text(i, "part")],
			t.Text(i, "for_job"), count(n))
	}
	return nil
}

// waitsOfJob returns the waits of the job by a metric of interference.
func (w *waitReport) waitsOfJob(metric string) ([]channelWait, error) {
	w.figure.Metric = metric
	list, _, err := w.waitsAt()
	return slices.DeleteFunc(list, func(x channelWait) bool {
		return strconv.Itoa(x.job) != w.job || x.cycles == 0
	}), err
}

// foreignCycles returns the cycles in which head flits of the job's packets waited for other jobs.
func (w *waitReport) foreignCycles() (sum float64) {
	for _, x := range w.waits {
		if x.foreign() {
			sum += x.cycles
		}
	}
	return sum
}

// culprit is a job for which the job waited.
type culprit struct {
	job    int
	cycles float64
	worst  channelWait // the longest of them
}

// culpritsOf sums the waits in a list for each other job, the longest first.
func culpritsOf(list []channelWait) []culprit {
	of := map[int]*culprit{}
	for _, x := range list {
		if !x.foreign() {
			continue
		}
		c := of[x.forJob]
		if c == nil {
			c = &culprit{job: x.forJob}
			of[x.forJob] = c
		}
		if c.cycles += x.cycles; x.cycles > c.worst.cycles {
			c.worst = x
		}
	}
	var all []culprit
	for _, job := range slices.Sorted(maps.Keys(of)) {
		all = append(all, *of[job])
	}
	slices.SortStableFunc(all, func(a, b culprit) int { return cmp.Compare(b.cycles, a.cycles) })
	return all
}

// channelText names the channel of a wait.
func channelText(x *channelWait) string {
	if x.kind == "ejection" {
		return fmt.Sprintf("link %s from router %d to its node", x.channel.Link, x.channel.From)
	}
	return fmt.Sprintf("link %s from router %d to %d", x.channel.Link, x.channel.From, x.channel.To)
}

// sayCulprits lists the jobs for which head flits of the job's packets waited, and where.
func (w *waitReport) sayCulprits() (err error) {
	if w.waits, err = w.waitsOfJob("direct_cycles"); err != nil {
		return err
	}
	if w.roots, err = w.waitsOfJob("root_cycles"); err != nil {
		return err
	}
	all := 0.0
	for _, x := range w.waits {
		all += x.cycles
	}
	foreign := w.foreignCycles()
	if all == 0 {
		w.say("\nIts packets waited for nobody.\n")
		return nil
	}
	w.say("\nThe head flits of all its packets waited %s cycles in sum, %s of them for other jobs.\n",
		count(all), percent(foreign, all))
	list := culpritsOf(w.waits)
	for _, c := range list[:min(len(list), maxCulprits)] {
		w.say("%8s  for job %d: %s cycles, most (%s) at %s\n", percent(c.cycles, all), c.job,
			count(c.cycles), percent(c.worst.cycles, c.cycles), channelText(&c.worst))
	}
	if more := len(list) - maxCulprits; more > 0 {
		w.say("          and for %s with less\n", input.Plural(more, "job"))
	}
	if roots := culpritsOf(w.roots); len(roots) > 0 && len(list) > 0 && roots[0].job != list[0].job {
		w.say("Most often job %d was at the head of the chain of packets that waited for each other: "+
			"%s of the waits.\n", roots[0].job, percent(roots[0].cycles, all))
	}
	return nil
}

// nodeShare is a node with its share of the waits for other jobs.
type nodeShare struct {
	node  int
	share float64
}

// sayPlaces lists the nodes on whose paths heads waited for other jobs. The waits at a channel are
// divided equally among the pairs of the job's nodes whose packets take it on an empty machine, and
// between the two nodes. That says where the job waits, not where it would wait on other nodes.
func (w *waitReport) sayPlaces() error {
	foreign := w.foreignCycles()
	if foreign == 0 {
		return nil
	}
	nodes, err := metrics.ParseNodes(w.jobs.Text(w.row, "nodes"))
	if err != nil {
		return w.jobs.Damaged(w.row, err.Error())
	}
	plan, err := w.plan()
	if err != nil {
		return err
	}
	net, err := netsim.New(plan.Network)
	if err != nil {
		return err
	}
	list := w.nodeShares(net, nodes)
	sum, shown := 0.0, []string(nil)
	for _, n := range list[:min(len(list), maxNamed)] {
		if sum >= foreign/2 || n.share < foreign/float64(len(nodes)) {
			break
		}
		sum += n.share
		shown = append(shown, strconv.Itoa(n.node))
	}
	if shown == nil {
		w.say("\nThese waits are spread evenly over the paths of its nodes.\n")
		return nil
	}
	w.say("\nOn the paths of %s (%s) are %s of the waits for other jobs.\n",
		input.Plural(len(shown), "node"), strings.Join(shown, ", "), percent(sum, foreign))
	return nil
}

// nodeShares divides the waits for other jobs among nodes, the largest share first.
func (w *waitReport) nodeShares(net *netsim.Network, nodes []int) []nodeShare {
	nodes = nodes[:min(len(nodes), maxPathNodes)]
	users := map[router.Link][][2]int{}
	for i, a := range nodes {
		for k, b := range nodes {
			if i == k {
				continue
			}
			for _, l := range net.UncontendedLinks(router.Header{Source: topology.Node(a),
				Destination: topology.Node(b)}) {
				users[l] = append(users[l], [2]int{i, k})
			}
		}
	}
	list := make([]nodeShare, len(nodes))
	for i, n := range nodes {
		list[i].node = n
	}
	for _, x := range w.waits {
		link, err := strconv.Atoi(x.channel.Link)
		if err != nil || !x.foreign() {
			continue
		}
		pairs := users[router.Link(link)]
		for _, p := range pairs {
			half := x.cycles / float64(len(pairs)) / 2
			list[p[0]].share += half
			list[p[1]].share += half
		}
	}
	slices.SortStableFunc(list, func(a, b nodeShare) int { return cmp.Compare(b.share, a.share) })
	return list
}
