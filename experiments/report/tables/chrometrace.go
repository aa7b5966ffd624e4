package tables

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"contend/experiments"
	"contend/experiments/metrics"
)

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
