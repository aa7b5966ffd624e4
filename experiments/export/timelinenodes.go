package export

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec/input"
)

// onNodes writes the running jobs with a thread for each node that had one.
func (w *traceWriter) onNodes(process int, jobs []job, r *experiments.Results, of *run) error {
	named := map[int]bool{}
	for i := range jobs {
		j := &jobs[i]
		nodes, err := metrics.ParseNodes(j.nodes)
		if err != nil || len(nodes) == 0 {
			return &input.Error{Where: r.Folder.Part("jobs", of.key),
				Problem: fmt.Sprintf("the nodes of %s are %q, which is not a list of nodes", j.name, j.nodes),
				Right:   "make a time line of jobs, or run the study again"}
		}
		short := *j // not all that is known of it, once for each node
		short.args = map[string]any{"processors": j.args["processors"], "reserved": j.reserved}
		for _, n := range nodes {
			if !named[n] {
				named[n] = true
				w.name("thread", process, n+1, n, fmt.Sprint("node ", n))
			}
			w.bar(process, n+1, &short, j.running)
		}
	}
	return nil
}

// seriesCounters are the columns of series.csv that become counters beside those from
// the jobs, which are exact.
var seriesCounters = []string{"utilization_percent", "free_components",
	"link_utilization_percent", "link_utilization_max_percent"}

// series writes the time series of a run as counters, if the run has kept them. A bin
// shows its mean from its beginning on.
func (w *traceWriter) series(process int, r *experiments.Results, of *run) error {
	stored, ok, err := readPart(r, "series", of.key)
	if err != nil || !ok {
		return err
	}
	column := map[string]int{}
	for i, name := range stored.columns {
		column[name] = i
	}
	scale := nanosecondsOf[of.point.Spec.ClockUnit()]
	number := func(line int, row []string, name string) (float64, error) {
		i, ok := column[name]
		if ok {
			x, err := strconv.ParseFloat(row[i], 64)
			if err == nil {
				return x, nil
			}
		}
		return 0, &input.Error{Where: fmt.Sprintf("%s:%d", r.Folder.Part("series", of.key), line+2),
			Problem: "there is no number in the column " + name,
			Right:   "move the file away, and contend run makes it again"}
	}
	for line, row := range stored.rows {
		at, err := number(line, row, "time")
		if err != nil {
			return err
		}
		for _, name := range seriesCounters {
			if i, ok := column[name]; ok && row[i] == "" {
				continue // there is no network
			}
			x, err := number(line, row, name)
			if err != nil {
				return err
			}
			w.counter(process, name, int64(math.Round(at*scale)), json.Number(jsonNumber(x)))
		}
	}
	return nil
}

// jsonNumber writes a finite number as JSON does.
func jsonNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
