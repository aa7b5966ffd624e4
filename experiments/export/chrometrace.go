package export

import (
	"encoding/json"
	"fmt"
	"io"
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
	out   io.Writer
	any   bool
	notes any // about the whole trace, a JSON object
	err   error
}

// add writes an event.
func (w *traceWriter) add(e event) {
	if w.err != nil {
		return
	}
	if !w.any {
		w.any = true
		w.begin()
	} else {
		w.text(",\n")
	}
	line, err := json.Marshal(e)
	if err != nil {
		w.err = err
	}
	w.text(string(line))
}

// begin writes what stands before the events.
func (w *traceWriter) begin() {
	notes, err := json.Marshal(w.notes)
	if err != nil {
		w.err = err
	}
	w.text(fmt.Sprintf("{\"displayTimeUnit\":\"ns\",\"otherData\":%s,\n\"traceEvents\":[\n", notes))
}

// end writes what stands behind the events.
func (w *traceWriter) end() error {
	if !w.any {
		w.begin()
	}
	w.text("\n]}\n")
	return w.err
}

func (w *traceWriter) text(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.out, s)
	}
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
