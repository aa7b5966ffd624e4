package tables

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"contend/experiments"
	"contend/experiments/config/configtest"
	"contend/internal/must"
)

// traced is a trace as a reader of the Trace Event Format sees it.
type traced struct {
	Unit   string            `json:"displayTimeUnit"`
	Notes  map[string]string `json:"otherData"`
	Events []tracedEvent     `json:"traceEvents"`
}

type tracedEvent struct {
	Phase    string         `json:"ph"`
	Name     string         `json:"name"`
	Category string         `json:"cat"`
	Time     *float64       `json:"ts"`
	Duration *float64       `json:"dur"`
	Process  *int           `json:"pid"`
	Thread   *int           `json:"tid"`
	Args     map[string]any `json:"args"`
}

// trace writes a trace and reads it back by the rules of the format.
func trace(t *testing.T, r *experiments.Results, s Selection) traced {
	t.Helper()
	var b bytes.Buffer
	must.Have(0, WriteChromeTrace(r, s, &b))
	var got traced
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	must.Have(0, d.Decode(&got))
	named := map[string]bool{}
	for _, e := range got.Events {
		if e.Name == "" || e.Time == nil || *e.Time < 0 || e.Process == nil || e.Thread == nil {
			t.Fatalf("an event lacks what every event has: %+v", e)
		}
		at := fmt.Sprint(*e.Process, "/", *e.Thread)
		switch e.Phase {
		case "M":
			if len(e.Args) != 1 {
				t.Fatalf("a name or a place is missing: %+v", e)
			}
			named[e.Name+" "+at] = true
		case "X":
			if e.Duration == nil || *e.Duration < 0 || e.Category == "" ||
				!named["thread_name "+at] || !named[fmt.Sprint("process_name ", *e.Process, "/0")] {
				t.Fatalf("a span without a duration, a category or a place with a name: %+v", e)
			}
		case "C":
			if _, ok := e.Args["value"].(float64); !ok || len(e.Args) != 1 || e.Duration != nil {
				t.Fatalf("a counter without a number, or with a duration: %+v", e)
			}
		default:
			t.Fatalf("the phase %q", e.Phase)
		}
	}
	checkApart(t, got.Events)
	return got
}

// checkApart tests that no two spans of a thread overlap: viewers would nest them.
func checkApart(t *testing.T, events []tracedEvent) {
	t.Helper()
	ends := map[[2]int]float64{}
	spans := spansOf(events, 0)
	slices.SortStableFunc(spans, func(a, b tracedEvent) int { return cmp.Compare(*a.Time, *b.Time) })
	for _, e := range spans {
		at := [2]int{*e.Process, *e.Thread}
		if *e.Time < ends[at]-1e-6 {
			t.Fatalf("%s begins at %v in row %v, before %v", e.Name, *e.Time, at, ends[at])
		}
		ends[at] = *e.Time + *e.Duration
	}
}

// spansOf lists the spans of a process, of all processes if it is 0.
func spansOf(events []tracedEvent, process int) (spans []tracedEvent) {
	for _, e := range events {
		if e.Phase == "X" && (process == 0 || *e.Process == process) {
			spans = append(spans, e)
		}
	}
	return spans
}

// mean integrates a counter of a process up to an end and divides by the time.
func mean(events []tracedEvent, process int, name string, end float64) float64 {
	sum, value, last := 0.0, 0.0, 0.0
	for _, e := range events {
		if e.Phase == "C" && *e.Process == process && e.Name == name {
			sum += value * (*e.Time - last)
			value, last = e.Args["value"].(float64), *e.Time
		}
	}
	return (sum + value*(end-last)) / end
}

// A time line has every job at its times, and its counters give the metrics of the run.
func TestTraceHoldsTheRun(t *testing.T) {
	r, _ := finished(t, twoClocks)
	const scaleOfUnits = 1e6 // a time unit in us; a cycle is one
	got := trace(t, r, Selection{Replication: 1})
	for i, scale := range []float64{1, scaleOfUnits} {
		value := func(name string) float64 { return configtest.Value(t, &r.Runs[i][1], name) }
		process := 2*i + 1
		spans := spansOf(got.Events, process)
		if len(spans) != 8 {
			t.Fatalf("point %d: %d jobs", i, len(spans))
		}
		service := 0.0
		for _, e := range spans {
			service += *e.Duration / 8
		}
		end := value("finish_time") * scale
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"service time", service, value("service_time") * scale},
			{"utilization", mean(got.Events, process, "busy nodes", end) / 16 * 100, value("utilization")},
			{"jobs in the system", mean(got.Events, process, "running jobs", end) +
				mean(got.Events, process, "waiting jobs", end), value("response_time") * scale * 8 / end},
			{"utilization of series.csv", mean(got.Events, process, "utilization_percent", end),
				value("utilization")},
		} {
			if !(math.Abs(c.got-c.want) <= 2e-3*c.want) { // jobs.csv has three decimals
				t.Errorf("point %d: %s is %v in the trace, %v in the run", i, c.name, c.got, c.want)
			}
		}
	}
	links := mean(got.Events, 1, "link_utilization_percent", 1e9)
	if none := mean(got.Events, 3, "link_utilization_percent", 1e9); links == 0 || none != 0 {
		t.Errorf("channels carry flits for %v with messages, %v without", links, none)
	}
	if len(got.Notes) != 3 || got.Notes["clock of job.run=fixed, replication 1"] !=
		"1 time unit is shown as 1 s" {
		t.Errorf("notes %q", got.Notes)
	}
}

// Spans of one lane do not overlap, and there are as many lanes as spans at a time.
func TestLanes(t *testing.T) {
	got := lanesOf([]span{{0, 10}, {0, 4}, {2, 3}, {3, 9}, {4, 4}, {4, 12}, {10, 11}})
	if want := []int{0, 1, 2, 2, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("lanes %v, want %v", got, want)
	}
}
