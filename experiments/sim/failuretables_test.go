package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/must"
)

// cells returns the cells of a column of rows.
func cells(t *testing.T, of *metrics.RowTable, rows [][]string, name string) (list []string) {
	t.Helper()
	i := slices.Index(of.Names(), name)
	for _, row := range rows {
		list = append(list, row[i])
	}
	return list
}

// everything requests all records of runs with failures.
func everything() *Extra {
	return &Extra{Records: metrics.Records{Jobs: true, Links: true, Series: true, Interference: true,
		Failures: true}}
}

// failingJobs is a study of jobs that send messages while nodes, routers and links fail.
func failingJobs(t *testing.T, set map[string]any, rows ...any) *config.Plan {
	t.Helper()
	all := map[string]any{"machine.topology": "fat-tree:4x4:2", "network.virtual_channels": int64(2),
		"network.routing": "adaptive", "network.resend_cycles": 400.0, "allocator": "by-router",
		"workload.source": "synthetic", "workload.side.distribution": "uniform",
		"workload.side.min": int64(1), "workload.side.max": int64(3), "workload.jobs": int64(30),
		"workload.interarrival.mean": 300.0, "job.pattern": "all-to-all+near-neighbour",
		"job.quota.messages": 400.0}
	for path, value := range set {
		all[path] = value
	}
	return failingPlan(t, all, rows...)
}

// failingNetworks are networks on which jobs run while nodes, routers and links fail.
var failingNetworks = []map[string]any{
	{},
	{"network.source_queues": "destination"},
	{"network.source_queues": "destination", "network.congestion_control": "dcqcn:kmin=20,kmax=64"},
	{"machine.topology": "torus:4x4", "network.routing": "auto", "allocator": "random"},
	{"machine.topology": "mesh:4x4", "network.routing": "minimal-adaptive", "allocator": "paging",
		"network.virtual_channels": int64(3)},
	{"machine.topology": "dragonfly:a4h2p2", "network.routing": "ugal-l",
		"network.virtual_channels": int64(4), "scheduler.policy": "easy"},
	{"machine.topology": "mesh:4x4", "network.routing": "auto", "job.mapping": "random",
		"job.send_cycles": int64(30), "job.receive_cycles": int64(20), "allocator": "first-fit"},
	{"machine.topology": "hyperx:4x4:p1", "network.routing": "auto", "scheduler.policy": "sjf"},
}

// TestTablesOfFailuresAddUp: what the tables of a run with failures hold makes its metrics. Each
// run of a job that a failure ended is in killed-runs.csv with a failure that failures.csv has, the
// series have the lost and failed shares of the machine, and the critical path of each job that
// finishes is its service time, however often it was killed and its packets lost. To record it all
// changes no metric.
func TestTablesOfFailuresAddUp(t *testing.T) {
	var sums failureSums
	for i, set := range failingNetworks {
		for replication := range 4 {
			set["scheduler.max_restarts"] = int64(replication + i%2)
			set["runs.warmup_jobs"], set["runs.cooldown_jobs"] = int64(replication), int64(i%3)
			plan := failingJobs(t, set, "nodes = all; mtbf = 60000; mttr = 900",
				"links = all; mtbf = 30000; mttr = 900", "routers = 2; at = 2000; for = 700",
				"nodes = 3-5; at = 2000; for = 100")
			x := everything()
			r := must.Have((&Simulator{}).Run(context.Background(), plan, replication, x))
			plain := must.Have((&Simulator{}).Run(context.Background(), plan, replication, nil))
			if a, b := fmt.Sprint(plain.Metrics), fmt.Sprint(r.Metrics); a != b {
				t.Errorf("%v: without records\n%v\nwith\n%v", set, a, b)
			}
			c := failureCheck{t, fmt.Sprintf("%v, replication %d", set, replication), x, &r}
			c.killedRuns(&sums)
			c.series(float64(plan.Machine.Nodes()))
			c.paths(&sums)
			c.pairs()
			c.counted()
		}
	}
	if sums.kills < 100 || sums.lost < 20 || sums.resending == 0 {
		t.Errorf("too little happens: %+v", sums)
	}
}

// failureSums are sums over all runs, by which a test knows that something has happened.
type failureSums struct {
	kills, lost int
	resending   float64
}

// failureCheck compares the tables of a run with its metrics.
type failureCheck struct {
	t   *testing.T
	run string
	x   *Extra
	r   *metrics.Result
}

// value returns a metric.
func (c *failureCheck) value(name string) float64 {
	v, _ := c.r.Value(name)
	return v
}

// near compares two numbers.
func (c *failureCheck) near(what string, got, want float64) {
	c.t.Helper()
	if !(math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))) {
		c.t.Errorf("%s: %s is %v, want %v", c.run, what, got, want)
	}
}

// killedRuns checks failures.csv and killed-runs.csv.
func (c *failureCheck) killedRuns(sums *failureSums) {
	runs := func(name string) []float64 {
		return column(c.t, metrics.KilledTable.Names(), texts(c.x, metrics.KilledTable), name)
	}
	failures := func(name string) []float64 {
		return column(c.t, metrics.FailureTable.Names(), texts(c.x, metrics.FailureTable), name)
	}
	sums.kills += len(texts(c.x, metrics.KilledTable))
	sums.lost += int(c.value("jobs_lost"))
	c.near("jobs", c.value("jobs")+c.value("jobs_lost"), 30)
	c.near("killed runs", float64(len(texts(c.x, metrics.KilledTable))),
		c.value("jobs_requeued")+c.value("jobs_lost"))
	starts, ends, of, sum := runs("start"), runs("end"), runs("failure"), 0.0
	times, killed := failures("time"), failures("killed_jobs")
	for i, p := range runs("processors") {
		sum += p * (ends[i] - starts[i])
		c.near("the end of a killed run", ends[i], times[int(of[i])-1])
		killed[int(of[i])-1]--
	}
	c.near("the lost time", sum, c.value("lost_node_time"))
	if slices.ContainsFunc(killed, func(n float64) bool { return n != 0 }) {
		c.t.Errorf("%s: killed jobs left: %v", c.run, killed)
	}
	if !slices.IsSorted(times) || times[len(times)-1] > c.value("finish_time") {
		c.t.Errorf("%s: failures at %v, end at %v", c.run, times, c.value("finish_time"))
	}
	c.near("restarts", sumOf(jobColumn(c.t, c.x, "restarts")), c.value("jobs_requeued"))
}

// series checks series.csv of a machine of some nodes.
func (c *failureCheck) series(nodes float64) {
	rows := func(name string) []float64 {
		return column(c.t, metrics.SeriesTable.Names(), texts(c.x, metrics.SeriesTable), name)
	}
	integral := func(name string) (sum float64) {
		duration := rows("duration")
		for i, v := range rows(name) {
			sum += v * duration[i]
		}
		return sum
	}
	end := c.value("finish_time")
	c.near("lost_percent", integral("lost_percent")/100*nodes, c.value("lost_node_time"))
	c.near("failed_percent", 100-integral("failed_percent")/end, c.value("availability"))
	c.near("utilization_percent", integral("utilization_percent")/end, c.value("utilization"))
}

// paths checks critical-path.csv.
func (c *failureCheck) paths(sums *failureSums) {
	path := map[string]float64{}
	jobs := cells(c.t, metrics.PathTable, texts(c.x, metrics.PathTable), "job")
	parts := cells(c.t, metrics.PathTable, texts(c.x, metrics.PathTable), "part")
	for i, cycles := range column(c.t, metrics.PathTable.Names(), texts(c.x, metrics.PathTable), "cycles") {
		if path[jobs[i]] += cycles; parts[i] == metrics.PartResending {
			sums.resending += cycles
		}
		if cycles <= 0 {
			c.t.Errorf("%s: job %s has %v cycles of %s", c.run, jobs[i], cycles, parts[i])
		}
	}
	jobs = cells(c.t, metrics.JobTable, texts(c.x, metrics.JobTable), "job")
	lost := cells(c.t, metrics.JobTable, texts(c.x, metrics.JobTable), "lost")
	for i, service := range jobColumn(c.t, c.x, "service_time") {
		if lost[i] == "false" {
			c.near("the path of job "+jobs[i], path[jobs[i]], service)
		} else if !math.IsNaN(service) {
			c.t.Errorf("%s: lost job %s has service time %v", c.run, jobs[i], service)
		}
	}
}

// counted checks that metrics are means over the rows of jobs that count, which no lost job does.
func (c *failureCheck) counted() {
	counts := cells(c.t, metrics.JobTable, texts(c.x, metrics.JobTable), "counts")
	for i, lost := range cells(c.t, metrics.JobTable, texts(c.x, metrics.JobTable), "lost") {
		if lost == "true" && counts[i] != "false" {
			c.t.Errorf("%s: a lost job counts: %s", c.run, counts[i])
		}
	}
	for _, name := range []string{"wait_time", "service_time", "components"} {
		c.near(name, meanOfCounted(c.t, c.x, name), c.value(name))
	}
}

// pairs checks that a job that has begun several times is one job in interference.csv.
func (c *failureCheck) pairs() {
	seen := map[string]bool{}
	for _, row := range texts(c.x, metrics.InterferenceTable) {
		key := strings.Join(row[:3], " ")
		if seen[key] {
			c.t.Errorf("%s: job, other job and link %s have two rows", c.run, key)
		}
		seen[key] = true
	}
}

// sumOf returns the sum of a list.
func sumOf(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// TestJobsThatFailuresAlwaysKill: a job that is longer than the machine ever stays up is lost, and
// others still finish, at any policy, early or late.
func TestJobsThatFailuresAlwaysKill(t *testing.T) {
	for _, policy := range []string{"fcfs", "easy", "conservative", "sjf"} {
		for _, late := range []float64{0, 1e7} {
			for _, short := range []bool{false, true} {
				jobs := [][3]float64{{late, 36480, 16}, {late + 50, 200, 4}}
				if !short {
					jobs = jobs[:1]
				}
				plan := failingPlan(t, map[string]any{"machine.topology": "mesh:4x4", "allocator": "random",
					"workload.source": "swf", "workload.trace": writeLog(t, jobs), "job.run": "fixed",
					"scheduler.policy": policy}, "nodes = all; mtbf = 30000; mttr = 100")
				x := &Extra{Records: metrics.Records{Jobs: true, Failures: true}}
				r := must.Have((&Simulator{}).Run(context.Background(), plan, 0, x))
				done, _ := r.Value("jobs")
				lost, _ := r.Value("jobs_lost")
				wait, waits := r.Value("wait_time")
				if lost != 1 || (done == 1) != short || waits != short || wait > 1e6 {
					t.Errorf("%s, late %v: %v jobs, %v lost, wait %v", policy, late, done, lost, wait)
				}
				if status := x.Lines[0].Fields[10]; status != 0 { // failed
					t.Errorf("%s: the lost job has status %v in the log", policy, status)
				}
				last := texts(x, metrics.KilledTable)[len(texts(x, metrics.KilledTable))-1]
				if got := cells(t, metrics.KilledTable, [][]string{last}, "run"); got[0] != "101" && !short {
					t.Errorf("%s: the last run is %v", policy, got)
				}
			}
		}
	}
}

// TestLinksThatAlwaysFail: messages that no packet of which ever crosses a link end the run with an
// error, and do not wait for ever. Those that a link that is repaired late lets through arrive.
func TestLinksThatAlwaysFail(t *testing.T) {
	set := map[string]any{"machine.topology": "mesh:4x4", "allocator": "paging",
		"workload.source": "list", "job.flits": int64(64), "network.resend_cycles": int64(1),
		"workload.list": []any{"pattern = all-to-all; processes = 9; at = 5000; iterations = 1"}}
	plan := failingPlan(t, set, "links = all; mtbf = 1; mttr = 1")
	_, err := (&Simulator{}).Run(context.Background(), plan, 0, nil)
	if want := "messages wait and none arrives while each link fails or is repaired 1000 times, " +
		"from cycle 50"; !contains(err, want) {
		t.Errorf("error %v", err)
	}
	set["workload.list"] = []any{"pattern = ring; processes = 2; at = 5000; iterations = 1"}
	plan = failingPlan(t, set, "links = 0-1,0-4; at = 5000; for = 300000",
		"links = 10-11; mtbf = 2; mttr = 2")
	r := must.Have((&Simulator{}).Run(context.Background(), plan, 0, nil))
	if service, _ := r.Value("service_time"); service < 300000 {
		t.Errorf("a message passes a link that has failed after %v cycles", service)
	}
}

// TestFailuresOfTraffic: failures under traffic are listed too, those of the warm-up among them and
// none after the end.
func TestFailuresOfTraffic(t *testing.T) {
	plan := failingPlan(t, map[string]any{"machine.topology": "torus:4x4",
		"workload.source": "traffic", "workload.traffic_load": 0.1, "workload.warmup_cycles": int64(500),
		"workload.window_cycles": int64(2000)},
		"links = all; mtbf = 9000; mttr = 60", "links = 0-1; at = 0; for = 90", "links = 1-2; at = 1e6")
	x := everything()
	must.Have((&Simulator{}).Run(context.Background(), plan, 0, x))
	times := column(t, metrics.FailureTable.Names(), texts(x, metrics.FailureTable), "time")
	if len(times) < 5 || times[0] != 0 || times[1] > 500 || times[len(times)-1] < 1000 ||
		times[len(times)-1] > 6000 || !slices.IsSorted(times) {
		t.Errorf("failures at %v", times)
	}
	if got := strings.Join(texts(x, metrics.FailureTable)[0], " "); got != "1 0 90 links 0-1  0" {
		t.Errorf("the first is %q", got)
	}
}
