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
)

// event is one event of the Trace Event Format, which Perfetto and chrome://tracing read.
// Times are in microseconds.
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

// Phases of events.
const (
	spanPhase    = "X"
	counterPhase = "C"
	namePhase    = "M"
)

// traceWriter writes events, one on a line.
type traceWriter struct {
	out *bufio.Writer // keeps the first error
	any bool
	err error // of an event that is no JSON
}

// newTrace begins a trace with notes about it, a JSON object.
func newTrace(out io.Writer, notes map[string]string) *traceWriter {
	w := &traceWriter{out: bufio.NewWriter(out)}
	text, err := json.Marshal(notes)
	w.err = err
	fmt.Fprintf(w.out, "{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\n\"traceEvents\":[\n", text)
	return w
}

// add writes an event.
func (w *traceWriter) add(e event) {
	if w.any {
		w.out.WriteString(",\n")
	}
	w.any = true
	line, err := json.Marshal(e)
	w.err = cmp.Or(w.err, err)
	w.out.Write(line)
}

// end closes the list of events and the trace.
func (w *traceWriter) end() error {
	w.out.WriteString("\n]}\n")
	return cmp.Or(w.err, w.out.Flush())
}

// name gives a process, or a thread of it, a name and a place among the others.
func (w *traceWriter) name(what string, process, thread, place int, name string) {
	w.add(event{Phase: namePhase, Name: what + "_name", Time: "0", Process: process, Thread: thread,
		Args: map[string]string{"name": name}})
	w.add(event{Phase: namePhase, Name: what + "_sort_index", Time: "0", Process: process,
		Thread: thread, Args: map[string]int{"sort_index": place}})
}

// counter sets a counter of a process at a time in nanoseconds.
func (w *traceWriter) counter(process int, name string, at int64, value json.Number) {
	w.add(event{Phase: counterPhase, Name: name, Time: microseconds(at), Process: process,
		Args: map[string]json.Number{"value": value}})
}

// microseconds writes a time in nanoseconds as microseconds, exactly.
func microseconds(nanoseconds int64) json.Number {
	if nanoseconds%1000 == 0 {
		return json.Number(fmt.Sprint(nanoseconds / 1000))
	}
	return json.Number(fmt.Sprintf("%d.%03d", nanoseconds/1000, nanoseconds%1000))
}

// seriesCounters are the columns of series.csv that become counters beside those from
// the jobs, which are exact.
var seriesCounters = []string{"utilization_percent", "free_components",
	"link_utilization_percent", "link_utilization_max_percent"}

// series writes the time series of a run as counters, if the run has kept them. A bin
// shows its mean from its beginning on.
func (w *traceWriter) series(process int, r *experiments.Results, of *run) error {
	stored, err := ReadPart(r, "series", of.key, append(seriesCounters, "time")...)
	if err != nil || stored == nil {
		return err
	}
	scale := nanosecondsOf[of.point.Spec.ClockUnit()]
	for i := range stored.Rows {
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
