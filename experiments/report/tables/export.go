package tables

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/table"
)

// nanosecondsOf is how long a unit of a run's clock is in a trace. A trace has times in seconds
// only, so a cycle is shown as a microsecond, and a unit of time as a second.
var nanosecondsOf = map[string]float64{"cycles": 1e3, "s": 1e9, "time units": 1e9}

// clockNotes states the lengths of nanosecondsOf in the notes of a trace.
var clockNotes = map[string]string{"cycles": "1 cycle is shown as 1 us",
	"s": "1 s is shown as 1 s", "time units": "1 time unit is shown as 1 s"}

// WriteChromeTrace writes time lines of the selected runs in the Trace Event Format, for
// Perfetto. Each run has two processes: its running jobs with counters, and its waiting
// jobs. The jobs come from what --jobs-csv has stored, more counters from --series-csv.
func WriteChromeTrace(r *experiments.Results, s Selection, w io.Writer) error {
	runs, err := s.runs(r)
	if err != nil {
		return err
	}
	notes := map[string]string{"study": r.Study.Name}
	for i := range runs {
		notes["clock of "+runs[i].title] = clockNotes[runs[i].point.Spec.ClockUnit()]
	}
	out := newTrace(w, notes)
	for i := range runs {
		if err := writeRun(out, r, &runs[i], 2*i+1); err != nil {
			return err
		}
	}
	return out.end()
}

// writeRun writes the events of a run in the processes with the numbers process and
// process + 1.
func writeRun(out *traceWriter, r *experiments.Results, of *run, process int) error {
	jobs, err := readJobs(r, of)
	if err != nil {
		return err
	}
	out.name("process", process, 0, process, of.title+": running")
	out.name("process", process+1, 0, process+1, of.title+": waiting")
	out.addSpans(process, jobs, func(j *job) span { return j.running })
	waited := slices.DeleteFunc(slices.Clone(jobs), func(j job) bool {
		return j.waiting.begin == j.waiting.end
	})
	out.addSpans(process+1, waited, func(j *job) span { return j.waiting })
	out.addCounters(process, jobs)
	return out.addSeries(process, r, of)
}

// job is a job of a trace, with its times in nanoseconds.
type job struct {
	name, pattern    string
	waiting, running span
	reserved         int64                  // nodes allocated to it
	args             map[string]table.Value // the cells of its row
}

// readJobs reads the jobs of a run.
func readJobs(r *experiments.Results, of *run) ([]job, error) {
	stored, err := ReadPart(r, "jobs", of.key)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, jobsNotStored(r, of)
	}
	scale := nanosecondsOf[of.point.Spec.ClockUnit()]
	jobs := make([]job, len(stored.Rows))
	for i := range stored.Rows {
		jobs[i] = jobOf(stored, i, scale)
	}
	return jobs, nil
}

// jobOf makes a job of its row. scale is the length of the clock's unit in nanoseconds.
func jobOf(stored *Part, row int, scale float64) job {
	args := map[string]table.Value{}
	for i, name := range stored.Header {
		if v := stored.Rows[row][i]; !v.Empty() {
			args[name] = v
		}
	}
	at := func(name string) int64 {
		if v, ok := args[name]; ok {
			return int64(math.Round(v.Float() * scale))
		}
		return 0
	}
	return job{name: fmt.Sprint("job ", args["job"]), args: args,
		waiting: span{at("submit"), at("start")}, running: span{at("start"), at("end")},
		reserved: args["reserved"].Int(), pattern: args["pattern"].String()}
}

// addSpan writes a span of a job into a thread.
func (w *traceWriter) addSpan(process, thread int, j *job, s span) {
	w.add(event{Phase: "X", Name: j.name, Category: cmp.Or(j.pattern, "job"),
		Time: microseconds(s.begin), Duration: microseconds(s.end - s.begin),
		Process: process, Thread: thread, Args: j.args})
}

// addSpans writes the span of each job that spanOf returns, in as few threads as possible.
func (w *traceWriter) addSpans(process int, jobs []job, spanOf func(*job) span) {
	jobs = slices.SortedStableFunc(slices.Values(jobs), func(a, b job) int {
		return cmp.Compare(spanOf(&a).begin, spanOf(&b).begin)
	})
	spans := make([]span, len(jobs))
	for i := range jobs {
		spans[i] = spanOf(&jobs[i])
	}
	lanes, named := lanesOf(spans), 0
	for i := range jobs {
		if lanes[i] == named {
			named++
			w.name("thread", process, named, named, fmt.Sprint("row ", named))
		}
		w.addSpan(process, lanes[i]+1, &jobs[i], spans[i])
	}
}

// change is by how much numbers of a run change at a time: busy nodes, running and waiting jobs.
type change struct {
	at                     int64
	busy, running, waiting int64
}

// addCounters writes the numbers of busy nodes, running jobs and waiting jobs whenever one changes.
func (w *traceWriter) addCounters(process int, jobs []job) {
	var changes []change
	for i := range jobs {
		j := &jobs[i]
		changes = append(changes, change{at: j.waiting.begin, waiting: 1},
			change{j.running.begin, j.reserved, 1, -1}, change{j.running.end, -j.reserved, -1, 0})
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var now change
	for i, c := range changes {
		now.busy, now.running, now.waiting = now.busy+c.busy, now.running+c.running,
			now.waiting+c.waiting
		if i+1 < len(changes) && changes[i+1].at == c.at {
			continue
		}
		w.counter(process, "busy nodes", c.at, json.Number(fmt.Sprint(now.busy)))
		w.counter(process, "running jobs", c.at, json.Number(fmt.Sprint(now.running)))
		w.counter(process, "waiting jobs", c.at, json.Number(fmt.Sprint(now.waiting)))
	}
}

// span is a piece of time, from begin to end in nanoseconds.
type span struct{ begin, end int64 }

// lanesOf gives each span the lowest lane, from 0, in which no span is open when it begins.
// The spans are in the order of their beginnings.
func lanesOf(spans []span) []int {
	list := make([]int, len(spans))
	var ends []int64 // of the last span in each lane
	for i, s := range spans {
		lane := slices.IndexFunc(ends, func(end int64) bool { return end <= s.begin })
		if lane < 0 {
			lane, ends = len(ends), append(ends, 0)
		}
		list[i], ends[lane] = lane, s.end
	}
	return list
}

// event is an event of the Trace Event Format, which Perfetto and chrome://tracing read. Times are
// in microseconds.
type event struct {
	Phase    string      `json:"ph"` // X: a span, C: a counter, M: a name
	Name     string      `json:"name"`
	Category string      `json:"cat,omitempty"`
	Time     json.Number `json:"ts"`
	Duration json.Number `json:"dur,omitempty"`
	Process  int         `json:"pid"`
	Thread   int         `json:"tid"`
	Args     any         `json:"args,omitempty"`
}

// traceWriter writes events, one on a line.
type traceWriter struct {
	out *bufio.Writer // keeps the first error
	any bool          // an event was written
	err error         // of an event that is no JSON
}

// newTrace writes the beginning of a trace, with notes about it.
func newTrace(out io.Writer, notes map[string]string) *traceWriter {
	w := &traceWriter{out: bufio.NewWriter(out)}
	text, err := json.Marshal(notes)
	w.err = err
	fmt.Fprintf(w.out, "{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\n\"traceEvents\":[\n", text)
	return w
}

// add writes an event after those before it.
func (w *traceWriter) add(e event) {
	if w.any {
		w.out.WriteString(",\n")
	}
	w.any = true
	line, err := json.Marshal(e)
	w.err = cmp.Or(w.err, err)
	w.out.Write(line)
}

// end writes the end of the trace, and returns the first error.
func (w *traceWriter) end() error {
	w.out.WriteString("\n]}\n")
	return cmp.Or(w.err, w.out.Flush())
}

// name gives a process, or a thread of it (what is "process" or "thread"), a name and a place among
// the others.
func (w *traceWriter) name(what string, process, thread, place int, name string) {
	w.add(event{Phase: "M", Name: what + "_name", Time: "0", Process: process, Thread: thread,
		Args: map[string]string{"name": name}})
	w.add(event{Phase: "M", Name: what + "_sort_index", Time: "0", Process: process,
		Thread: thread, Args: map[string]int{"sort_index": place}})
}

// counter sets a counter of a process at a time in nanoseconds.
func (w *traceWriter) counter(process int, name string, at int64, value json.Number) {
	w.add(event{Phase: "C", Name: name, Time: microseconds(at), Process: process,
		Args: map[string]json.Number{"value": value}})
}

// microseconds converts a time in nanoseconds to microseconds, exactly.
func microseconds(nanoseconds int64) json.Number {
	if nanoseconds%1000 == 0 {
		return json.Number(fmt.Sprint(nanoseconds / 1000))
	}
	return json.Number(fmt.Sprintf("%d.%03d", nanoseconds/1000, nanoseconds%1000))
}

// seriesCounters are the columns of series.csv that become counters. Counters of nodes and jobs
// come from the jobs, which are exact.
var seriesCounters = []string{"utilization_percent", "free_components",
	"link_utilization_percent", "link_utilization_max_percent"}

// addSeries writes the time series of a run as counters, if the run has kept them. A counter has
// the mean of a bin from the beginning of the bin on.
func (w *traceWriter) addSeries(process int, r *experiments.Results, of *run) error {
	stored, err := ReadPart(r, "series", of.key, append(seriesCounters, "time",
		metrics.PairColumn)...)
	if err != nil || stored == nil {
		return err
	}
	scale := nanosecondsOf[of.point.Spec.ClockUnit()]
	for i := range stored.Rows {
		if stored.Text(i, metrics.PairColumn) != "" {
			continue
		}
		at := stored.Number(i, "time")
		for _, name := range seriesCounters {
			if stored.Text(i, name) == "" {
				continue // there is no network
			}
			x := stored.Number(i, name)
			if math.IsNaN(at) || math.IsNaN(x) {
				return stored.Damaged(i, "there is no number in the column "+name+" or time")
			}
			w.counter(process, name, int64(math.Round(at*scale)),
				json.Number(strconv.FormatFloat(x, 'g', -1, 64)))
		}
	}
	return nil
}

// Part holds rows of a table that one run has stored in the folder.
type Part = experiments.Part

// ReadPart reads columns of a table of one run, all of them if none is named. It returns nil if the
// run has not stored the table.
func ReadPart(r *experiments.Results, kind string, key experiments.RunKey, columns ...string,
) (*Part, error) {
	return r.Folder.ReadPart(kind, key, columns...)
}

// jobsNotStored returns the error of a run that has kept no jobs.
func jobsNotStored(r *experiments.Results, of *run) error {
	return &input.Error{Where: r.Folder.Dir,
		Problem: "the jobs of the run " + of.title + " are not stored",
		Right:   "run the study with --jobs-csv into the same folder"}
}

// WriteSWF writes the schedule of one run as a log in the Standard Workload Format, as the
// run has left it in the folder.
func WriteSWF(r *experiments.Results, s Selection, w io.Writer) error {
	runs, err := s.runs(r)
	if err != nil {
		return err
	}
	if len(runs) > 1 {
		return &input.Error{Where: "--format swf",
			Problem: "a log holds one run; " + runs[0].title + " and " + runs[1].title + " are two",
			Right:   "choose a point with --at KEY=VALUE"}
	}
	text, err := r.Folder.ReadLogPart(runs[0].key)
	if os.IsNotExist(err) {
		return jobsNotStored(r, &runs[0])
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Selection chooses points of a study, of which the first replication counts.
type Selection struct {
	// At has the labels that the points must have, as KEY=LABEL. Other axes may have any label.
	At []string
}

// run is a selected run.
type run struct {
	point *study.Point
	key   experiments.RunKey
	title string // the labels that tell it from other points, and the replication
}

// runs returns the finished runs that are selected, in the order of the study. There is
// at least one.
func (s *Selection) runs(r *experiments.Results) ([]run, error) {
	chosen, err := r.Study.Chosen(r.Points, "--at", s.At)
	if err != nil {
		return nil, err
	}
	var runs []run
	for i := range r.Points {
		p := &r.Points[i]
		if !chosen[i] || r.Replications(i) == 0 {
			continue
		}
		var title []string
		for n, key := range r.AxisKeys() {
			if len(r.Study.LabelsOf(r.Points, key)) > 1 {
				title = append(title, key+"="+p.Labels[n])
			}
		}
		runs = append(runs, run{p, experiments.RunKey{Hash: p.Hash},
			strings.Join(append(title, "replication 0"), ", ")})
	}
	if runs == nil {
		return nil, &input.Error{Problem: "no run of the points chosen is finished",
			Right: "choose others with --at KEY=VALUE, or make them with contend run"}
	}
	return runs, nil
}
