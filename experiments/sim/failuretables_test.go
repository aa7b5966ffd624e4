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
func cells(t *testing.T, of metrics.RowTable, rows [][]string, name string) (list []string) {
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

// TestTablesOfFailuresAddUp: what the tables of a run with failures hold makes its metrics: each run
// of a job that a failure ended is in killed-runs.csv with a failure that failures.csv has, the
// series have the lost and failed shares of the machine, and the critical path of each job that
// finishes is its service time, however often it was killed and its packets lost.
func TestTablesOfFailuresAddUp(t *testing.T) {
	kills, lostJobs, resending := 0, 0, 0.0
	for replication := range 8 {
		plan := failingJobs(t, map[string]any{"scheduler.max_restarts": int64(replication % 4)},
			"nodes = all; mtbf = 60000; mttr = 900", "links = all; mtbf = 30000; mttr = 900",
			"routers = 2; at = 2000; for = 700", "nodes = 3-5; at = 2000; for = 100")
		x := everything()
		r := must.Have((&Simulator{}).Run(context.Background(), plan, replication, x))
		value := func(name string) float64 { v, _ := r.Value(name); return v }
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("replication %d: %s is %v, want %v", replication, what, got, want)
			}
		}
		kills += len(x.KilledRows)
		lostJobs += int(value("jobs_lost"))
		near("jobs", value("jobs")+value("jobs_lost"), 30)
		near("killed runs", float64(len(x.KilledRows)), value("jobs_requeued")+value("jobs_lost"))
		sum, nodes := 0.0, float64(plan.Machine.Nodes())
		starts, ends := column(t, metrics.KilledTable.Names(), x.KilledRows, "start"),
			column(t, metrics.KilledTable.Names(), x.KilledRows, "end")
		of := column(t, metrics.KilledTable.Names(), x.KilledRows, "failure")
		times := column(t, metrics.FailureTable.Names(), x.FailureRows, "time")
		killed := column(t, metrics.FailureTable.Names(), x.FailureRows, "killed_jobs")
		for i, p := range column(t, metrics.KilledTable.Names(), x.KilledRows, "processors") {
			sum += p * (ends[i] - starts[i])
			near("the end of a killed run", ends[i], times[int(of[i])-1])
			killed[int(of[i])-1]--
		}
		near("the lost time", sum, value("lost_node_time"))
		if slices.ContainsFunc(killed, func(n float64) bool { return n != 0 }) {
			t.Errorf("replication %d: killed jobs left: %v", replication, killed)
		}
		if !slices.IsSorted(times) || times[len(times)-1] > value("finish_time") {
			t.Errorf("replication %d: failures at %v, end at %v", replication, times, value("finish_time"))
		}
		restarts := column(t, metrics.JobTable.Names(), x.JobRows, "restarts")
		near("restarts", sumOf(restarts), value("jobs_requeued"))
		integral := func(name string) (sum float64) {
			duration := column(t, metrics.SeriesTable.Names(), x.SeriesRows, "duration")
			for i, v := range column(t, metrics.SeriesTable.Names(), x.SeriesRows, name) {
				sum += v * duration[i]
			}
			return sum
		}
		near("lost_percent", integral("lost_percent")/100*nodes, value("lost_node_time"))
		near("failed_percent", 100-integral("failed_percent")/value("finish_time"), value("availability"))
		near("utilization_percent", integral("utilization_percent")/value("finish_time"),
			value("utilization"))
		path := map[string]float64{}
		jobs := cells(t, metrics.PathTable, x.PathRows, "job")
		parts := cells(t, metrics.PathTable, x.PathRows, "part")
		for i, cycles := range column(t, metrics.PathTable.Names(), x.PathRows, "cycles") {
			if path[jobs[i]] += cycles; parts[i] == metrics.PartResending {
				resending += cycles
			}
			if cycles <= 0 {
				t.Errorf("replication %d: job %s has %v cycles of %s", replication, jobs[i], cycles, parts[i])
			}
		}
		jobs = cells(t, metrics.JobTable, x.JobRows, "job")
		lost := cells(t, metrics.JobTable, x.JobRows, "lost")
		for i, service := range column(t, metrics.JobTable.Names(), x.JobRows, "service_time") {
			if lost[i] == "false" {
				near("the path of job "+jobs[i], path[jobs[i]], service)
			} else if !math.IsNaN(service) {
				t.Errorf("replication %d: lost job %s has service time %v", replication, jobs[i], service)
			}
		}
		checkPairsOnce(t, x)
	}
	if kills < 30 || lostJobs < 5 || resending == 0 {
		t.Errorf("%d runs killed, %d jobs lost, resending for %v cycles: too few", kills, lostJobs, resending)
	}
}

// sumOf returns the sum of a list.
func sumOf(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// checkPairsOnce checks that a job that has begun several times is one job in interference.csv.
func checkPairsOnce(t *testing.T, x *Extra) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range x.InterferenceRows {
		key := strings.Join(row[:3], " ")
		if seen[key] {
			t.Errorf("job, other job and link %s have two rows", key)
		}
		seen[key] = true
	}
}

// TestRecordsChangeNothing: with failures of all kinds, runs that record everything have the metrics
// of those that record nothing.
func TestRecordsChangeNothing(t *testing.T) {
	plan := failingJobs(t, nil, "nodes = all; mtbf = 60000; mttr = 900",
		"links = all; mtbf = 30000; mttr = 900", "routers = 2; at = 2000; for = 700")
	a := must.Have((&Simulator{}).Run(context.Background(), plan, 0, nil))
	b := must.Have((&Simulator{}).Run(context.Background(), plan, 0, everything()))
	if fmt.Sprint(a.Metrics) != fmt.Sprint(b.Metrics) {
		t.Errorf("without records\n%v\nwith\n%v", a.Metrics, b.Metrics)
	}
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
				last := x.KilledRows[len(x.KilledRows)-1]
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
	if want := "messages wait and none arrives while each link fails or is repaired 1000 times, from " +
		"cycle 50"; !contains(err, want) {
		t.Errorf("error %v", err)
	}
	set["workload.list"] = []any{"pattern = ring; processes = 2; at = 5000; iterations = 1"}
	plan = failingPlan(t, set, "links = 0-1; at = 5000; for = 300000",
		"links = 10-11; mtbf = 2; mttr = 2")
	r := must.Have((&Simulator{}).Run(context.Background(), plan, 0, nil))
	if service, _ := r.Value("service_time"); service < 300000 {
		t.Errorf("a message passes a link that has failed after %v cycles", service)
	}
}

// TestFailuresOfTraffic: failures under traffic are listed too, those of the warm-up among them and
// none after the end.
func TestFailuresOfTraffic(t *testing.T) {
	plan := failingPlan(t, map[string]any{"machine.topology": "torus:4x4", "workload.source": "traffic",
		"workload.traffic_load": 0.1, "workload.warmup_cycles": int64(500),
		"workload.window_cycles": int64(2000)},
		"links = all; mtbf = 9000; mttr = 60", "links = 0-1; at = 0; for = 90", "links = 1-2; at = 1e6")
	x := everything()
	must.Have((&Simulator{}).Run(context.Background(), plan, 0, x))
	times := column(t, metrics.FailureTable.Names(), x.FailureRows, "time")
	if len(times) < 5 || times[0] != 0 || times[1] > 500 || times[len(times)-1] < 1000 ||
		times[len(times)-1] > 6000 || !slices.IsSorted(times) {
		t.Errorf("failures at %v", times)
	}
	if got := strings.Join(x.FailureRows[0], " "); got != "1 0 90 links 0-1  0" {
		t.Errorf("the first is %q", got)
	}
}
