package tables

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"contend/experiments"
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
