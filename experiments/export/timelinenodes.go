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
