package cosim

import (
	"encoding/json"
	"math"
	"slices"

	"contend/experiments/spec"
)

// LeastOf returns the least value a metric can have in runs of spec s.
func LeastOf(metric string, s *spec.Spec) float64 {
	if m, ok := findMetric(metric, s.Registry); ok {
		return m.Least
	}
	return math.Inf(-1)
}

// Result is what one run measured.
type Result struct {
	Metrics []Metric
}

// Metric is one measured number. NaN says that the metric is not defined for
// the run (no packet was sent, say); such a one is left out of every file.
type Metric struct {
	Name  string
	Value float64
}

// Value returns the metric of that name, and false where it is missing or NaN.
func (r *Result) Value(name string) (float64, bool) {
	for _, m := range r.Metrics {
		if m.Name == name && !math.IsNaN(m.Value) {
			return m.Value, true
		}
	}
	return 0, false
}

// MarshalJSON writes the metrics as one object, in the order of the table
// MetricInfos, then others by name.
func (r Result) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, name := range r.names() {
		v, ok := r.Value(name)
		if !ok {
			continue
		}
		n, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, name...)
		b = append(b, '"', ':')
		b = append(b, n...)
	}
	return append(b, '}'), nil
}

// names lists the built-in metrics, and then those the result has beside them.
func (r *Result) names() []string {
	var names, others []string
	for _, info := range metricInfos {
		names = append(names, info.Name)
	}
	for _, m := range r.Metrics {
		if !slices.Contains(names, m.Name) {
			others = append(others, m.Name)
		}
	}
	slices.Sort(others)
	return append(names, others...)
}

// UnmarshalJSON reads what MarshalJSON writes. Which names are metrics, the
// program's registry says.
func (r *Result) UnmarshalJSON(text []byte) error {
	var m map[string]float64
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	r.Metrics = nil
	for _, info := range metricInfos {
		if v, ok := m[info.Name]; ok {
			r.Metrics = append(r.Metrics, Metric{info.Name, v})
			delete(m, info.Name)
		}
	}
	for _, name := range spec.SortedKeys(m) {
		r.Metrics = append(r.Metrics, Metric{name, m[name]})
	}
	return nil
}

// Check panics if the result holds a metric nobody has heard of: the files
// would silently lack it.
func (r *Result) Check(registry *spec.Registry) {
	for _, m := range r.Metrics {
		if _, ok := findMetric(m.Name, registry); !ok {
			panic("experiments: metric " + m.Name + " is not in the table of metrics")
		}
	}
}

// MetricInfo documents a metric.
type MetricInfo struct {
	Name string
	// Unit is the metric's unit; "time" stands for the unit of the run's
	// clock, see UnitOf.
	Unit   string
	Doc    string
	Source string
	// Least is the least value the metric can have: intervals end there.
	Least float64
}

// MetricInfos returns the table of metrics.
func MetricInfos() []MetricInfo { return slices.Clone(metricInfos) }

// UnitOf returns the unit of a metric in runs of spec s.
func UnitOf(metric string, s *spec.Spec) string {
	m, _ := findMetric(metric, s.Registry)
	if m.Unit == unitOfClock {
		return s.ClockUnit()
	}
	return m.Unit
}

// unitOfClock stands for the unit of the run's clock in the table of metrics.
const unitOfClock = "time"

var metricInfos = append([]MetricInfo{
	{"finish_time", "time", "when the last job ended", "lo1994 sec. 4", 0},
	{"makespan", "time", "from the first submission to the end of the last job", "leung2002 sec. 4", 0},
	{"utilization", "%", "share of the processors that work for jobs, over the time from the start to the finish", "lo1994 sec. 4", 0},
	{"service_load", "", "processor time jobs were served in the simulation, over processors times the time from the first to the last submission", "", 0},
	{"offered_load", "", "processor time the log asks for over what the machine has, without the log's first 1% of jobs and those that end after the last submission; workload.target_load sets it", "pascual2009 Eq. 2", 0},
	{"jobs", "jobs", "jobs that ended", "", 0},
	{"jobs_killed", "jobs", "jobs killed at a reservation or at the end of their estimate, where the scheduler does that; they count among the jobs", "pascual2009 sec. 3", 0},
	{"response_time", "time", "mean over jobs, submission to end", "lo1994 sec. 4", 0},
	{"wait_time", "time", "mean over jobs, submission to start", "", 0},
	{"service_time", "time", "mean over jobs, start to end", "lo1994 App. A", 0},
	{"largest_wait_time", "time", "mean over the jobs of most processors, submission to start", "leung2002 Fig. 2", 0},
	{"largest_service_time", "time", "the same, start to end", "leung2002 Fig. 3", 0},
	{"other_wait_time", "time", "mean over all other jobs, submission to start", "leung2002 Fig. 2", 0},
	{"round_trip_time", "time", "mean over jobs of ping-pong and call, start to end over round trips of a pair", "lo1994 sec. 5", 0},
	{"slowest_round_trip_time", "time", "the same of the job that is slowest", "", 0},
	{"bounded_slowdown", "", "mean over jobs of response time over the time the job takes when nobody disturbs it: its logged or drawn run time, or, where its messages decide, that of its messages alone on the machine; times under ten seconds (or units of time) count as ten", "Feitelson et al. 1997", 0},
	{"simulated_slowdown", "", "the same over the simulated service time: an allocator that slows jobs down looks better by it", "", 0},
	{"packet_blocking_time", "cycles", "mean over packets, time a ready header waited for a channel or a slot", "lo1994 sec. 5", 0},
	{"foreign_blocking_time", "cycles", "mean over packets, the part of packet_blocking_time in which another job held the channel asked for", "", 0},
	{"network_latency", "cycles", "mean over packets, injection of the header to delivery", "lo1994 Table 2", 0},
	{"latency", "cycles", "mean over packets, creation to delivery", "", 0},
	{"entry_blocking_time", "cycles", "packet_blocking_time, and the time a packet whose turn it is at its node waits for a slot in the router", "lo1994 Table 2", 0},
	{"entry_latency", "cycles", "mean over packets, from their turn at their node to delivery", "lo1994 Table 2", 0},
	{"source_wait", "cycles", "mean over packets, creation to injection of the header", "", 0},
	{"idle_latency", "cycles", "of traffic: the same packets' latency, each message alone on the network", "", 0},
	{"created_load", "flits/node/cycle", "of traffic: created in the measurement window", "", 0},
	{"accepted_load", "flits/node/cycle", "of traffic: arrived in the measurement window", "", 0},
	{"saturated", "%", "of traffic: replications in which the network was saturated: more than 1% of what was created was left over, and the 95% interval of that over batches of the window lay above 0", "", 0},
	{"mean_hops", "channels", "mean over packets, network channels crossed", "", 0},
	{"messages", "messages", "messages delivered", "", 0},
	{"packets", "packets", "packets delivered", "", 0},
	{"flit_hops", "flits", "flits sent, summed over all channels, injection and ejection included", "", 0},
	{"channel_utilization", "%", "mean over network channels, share of the time they carried flits", "", 0},
	{"max_channel_utilization", "%", "the same of the busiest network channel", "", 0},
	{"internal_fragmentation", "%", "share of the allocated processors that no job asked for", "lo1994 sec. 2", 0},
	{"proven", "%", "decisions of optimal that are proven to be the optimum", "", 0},
	{"decision_sum_pairwise_distance", "channels", "mean over jobs, sum_pairwise_distance of the processors scheduler.decision would have taken", "bender2005 Table 1", 0},
	{"decision_mean_pairwise_distance", "channels", "the same of mean_pairwise_distance", "", 0},
	{"decision_weighted_dispersal", "processors", "the same of weighted_dispersal", "", 0},
	{"decision_components", "", "the same of components", "", 1},
	{"decision_refused", "%", "decisions in which scheduler.decision would have had the job wait; the other metrics of it leave them out", "", 0},
	{"decision_proven", "%", "decisions of scheduler.decision = optimal that are proven to be the optimum", "", 0},
	{"decisions_tied", "decisions", "decisions with more than one distinct best allocation, where runs.count_ties asks for it", "johnson2010 Fig. 4", 0},
	{"ties_percent", "%", "their share of all decisions", "johnson2010 Fig. 4", 0},
	{"ties_mean", "allocations", "mean over decisions with a tie, distinct allocations of the best score", "johnson2010 Fig. 4", 2},
}, placementInfos()...)
