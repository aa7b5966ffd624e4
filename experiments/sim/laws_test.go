package sim

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/internal/laws"
	"contend/internal/must"
	"contend/router"

	"pgregory.net/rapid"
)

// The laws of runs of jobs: what may change about a study, and what then may not. They hold for
// every mechanism. A new mechanism enters drawJobs, and each law then draws it.

// listed is a row of workload.list.
type listed struct {
	pattern                             string
	processes, at, iterations, estimate int // times in cycles
}

// jobs is a study of listed jobs.
type jobs struct {
	keys     map[string]any // all but the jobs and what fails
	list     []listed
	unit     string // of times; "": cycles
	failures []listedFailure
}

// listedFailure is a row of machine.failures.
type listedFailure struct {
	what     string
	at, for_ int
}

// drawJobs draws jobs with any mechanisms.
func drawJobs(r *rapid.T) (k jobs) {
	pick := func(label string, list ...string) string { return rapid.SampledFrom(list).Draw(r, label) }
	k.keys = map[string]any{"workload.source": "list", "machine.topology": pick("machine", "mesh:4x4",
		"torus:4x4", "tree:4x2", "fat-tree:4x4:2", "dragonfly:a2h2p2", "hyperx:4x2:p2")}
	k.keys["allocator"] = pick("allocator", "random", "sequential", "mm", "free-list")
	k.keys["scheduler.policy"] = pick("policy", "fcfs", "easy", "sjf", "cplant", "conservative")
	k.keys["network.virtual_channels"] = int64(4)
	if pick("source queues", "one", "destination") == "destination" {
		k.keys["network.source_queues"] = "destination"
		if c := pick("control", "none", "throttle:outstanding=4,senders=2",
			"ib-cca:threshold=0,marking_rate=0,ccti_timer=50",
			"dcqcn:kmin=0,kmax=1,pmax=1,cnp_cycles=20,alpha_cycles=30,timer_cycles=40,g=0.3"); c != "none" {
			k.keys["network.congestion_control"] = c
		}
	}
	switch pick("measured", "", "alone", "iterations", "jumps") {
	case "alone":
		k.keys["runs.alone"] = true
	case "iterations":
		k.keys["runs.iterations"] = true
	case "jumps":
		k.keys["runs.fast_forward"] = 0.2
		delete(k.keys, "network.congestion_control")
	}
	span := rapid.SampledFrom([]int{1, 300, 5000}).Draw(r, "span")
	for range rapid.IntRange(1, 6).Draw(r, "jobs") {
		k.list = append(k.list, listed{
			pattern: pick("pattern", "all-to-all", "ring", "n-body", "one-to-all", "all-reduce-tree",
				"near-neighbour", "ring-exchange:processes=2,redraw=1,barrier=true",
				"put-incast:processes=2,outstanding=2", "get-broadcast", "all-to-all-pairwise"),
			processes:  rapid.SampledFrom([]int{2, 4, 8}).Draw(r, "processes"),
			at:         rapid.IntRange(0, span).Draw(r, "at"),
			iterations: rapid.IntRange(1, 4).Draw(r, "iterations"),
			estimate:   rapid.SampledFrom([]int{1, 400, 4000}).Draw(r, "estimate")})
	}
	if pick("failures", "no", "no", "yes") == "yes" {
		what := []string{"nodes = 1-2", "links = all; share = 0.1", "routers = 1"}
		if k.keys["runs.fast_forward"] == nil {
			what = append(what, "links = all; bandwidth = 0.5")
		}
		for range rapid.IntRange(1, 3).Draw(r, "rows") {
			k.failures = append(k.failures, listedFailure{pick("what", what...),
				rapid.IntRange(0, 2000).Draw(r, "fails at"), rapid.IntRange(1, 3000).Draw(r, "fails for")})
		}
	}
	return k
}

// spec returns the study with everything a number of cycles later.
func (k jobs) spec(t testing.TB, later int) config.Spec {
	keys := maps.Clone(k.keys)
	var list, failures []any
	time := func(cycles int) any {
		if k.unit == "ns" {
			return fmt.Sprintf("%d ns", 10*cycles)
		} else if k.keys["network.cycle"] != nil {
			return float64(cycles) / 1e8 // seconds
		}
		return float64(cycles)
	}
	for _, j := range k.list {
		row := map[string]any{"pattern": j.pattern, "processes": int64(j.processes),
			"at": time(j.at + later), "iterations": int64(j.iterations), "estimate": time(j.estimate)}
		list = append(list, row)
	}
	for _, f := range k.failures {
		failures = append(failures, fmt.Sprintf("%s; at = %v; for = %v", f.what, time(f.at+later),
			time(f.for_)))
	}
	keys["workload.list"] = list
	if failures != nil {
		keys["machine.failures"] = failures
	}
	return specWith(t, keys)
}

// jobRows runs a study and returns a row for each job, by column, or its
// error.
func jobRows(s config.Spec) (rows []map[string]string, failed string) {
	sim, x := new(Simulator), &Extra{Records: metrics.Records{Jobs: true}}
	if err := configtest.Check(sim, s); err != nil {
		return nil, err.Error()
	}
	if _, err := configtest.Run(context.Background(), sim.Run, s, 0, x); err != nil {
		return nil, err.Error()
	}
	columns := metrics.JobTable.Names()
	for _, cells := range texts(x, metrics.JobTable) {
		row := map[string]string{}
		for i, name := range columns {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b map[string]string) int {
		return must.Have(strconv.Atoi(a["job"])) - must.Have(strconv.Atoi(b["job"]))
	})
	return rows, ""
}

// Everything submitted and failing later gives the same run, as much later: by periods of 60, in
// which the policy cplant polls.
func TestLawOfTime(t *testing.T) { lawOfTime(t, 12) }

func lawOfTime(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	legal := 0
	rapid.Check(t, func(r *rapid.T) {
		k := drawJobs(r)
		by := int(laws.Later(r)) / 60 * 60
		want, failed := jobRows(k.spec(t, 0))
		got, also := jobRows(k.spec(t, by))
		if (failed == "") != (also == "") {
			r.Fatalf("%d cycles later the run ends with %q, not with %q", by, also, failed)
		}
		if failed == "" {
			legal++
		}
		for _, row := range got {
			for _, column := range []string{"submit", "start", "end"} {
				row[column] = strconv.Itoa(must.Have(strconv.Atoi(row[column])) - by)
			}
		}
		mustBeAlike(r, fmt.Sprintf("%d cycles later", by), got, want)
	})
	if legal < checks/3 {
		t.Errorf("only %d of %d runs drawn are legal", legal, checks)
	}
}

// Jobs that get routers of their own, after the others, change nothing of these.
func TestLawOfElsewhere(t *testing.T) { lawOfElsewhere(t, 8) }

func lawOfElsewhere(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		k := drawJobs(r)
		delete(k.keys, "runs.fast_forward") // which of all jumps are audited hangs on their number
		k.keys["machine.topology"], k.failures = "tree:4x3", nil
		if k.keys["scheduler.policy"] == "conservative" { // it needs allocators that refuse nothing
			k.keys["scheduler.policy"] = "easy"
		}
		k.keys["allocator"] = rapid.SampledFrom([]string{"by-router", "contiguous", "sequential",
			"isolated"}).Draw(r, "allocator in routers")
		for i := range k.list {
			k.list[i].processes, k.list[i].at = 4, k.list[i].at%100
		}
		both := k
		for range rapid.IntRange(1, 8).Draw(r, "jobs elsewhere") {
			j := rapid.SampledFrom(k.list).Draw(r, "as")
			j.at = rapid.IntRange(200, 2000).Draw(r, "at")
			both.list = append(slices.Clip(both.list), j)
		}
		want, failed := jobRows(k.spec(t, 0))
		got, also := jobRows(both.spec(t, 0))
		if failed+also != "" {
			r.Fatal(failed, also)
		}
		mustBeAlike(r, "with jobs elsewhere", got[:len(want)], want)
	})
}

// The same study in cycles and in ns, in flits and in bytes, gives the same bytes.
func TestLawOfUnits(t *testing.T) { lawOfUnits(t, 8) }

func lawOfUnits(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		k := drawJobs(r)
		k.keys["network.cycle"], k.keys["network.flit_bytes"] = "10 ns", int64(4)
		other := jobs{keys: maps.Clone(k.keys), list: k.list, failures: k.failures, unit: "ns"}
		for key, unit := range map[string]string{"network.routing_cycles": "ns",
			"network.link_cycles": "ns", "network.credit_cycles": "ns", "network.packet_flits": "B",
			"network.buffer_flits": "B", "job.flits": "B", "job.send_cycles": "ns"} {
			n := rapid.IntRange(1, 12).Draw(r, key)
			k.keys[key] = int64(n)
			other.keys[key] = fmt.Sprintf("%d %s", n*map[string]int{"ns": 10, "B": 4}[unit], unit)
		}
		if c, ok := k.keys["network.congestion_control"].(string); ok {
			other.keys["network.congestion_control"] = parameterWithUnit.ReplaceAllStringFunc(c,
				func(text string) string {
					name, value, _ := strings.Cut(text, "=")
					if n := must.Have(strconv.Atoi(value)); name == "outstanding" {
						return fmt.Sprintf("%s=%d B", name, 4*n)
					} else {
						return fmt.Sprintf("%s=%d ns", name, 10*n)
					}
				})
		}
		want, failed := jobRows(k.spec(t, 0))
		got, also := jobRows(other.spec(t, 0))
		if (failed == "") != (also == "") {
			r.Fatalf("in ns the run ends with %q, not with %q", also, failed)
		}
		mustBeAlike(r, "in ns and bytes", got, want)
	})
}

// parameterWithUnit is a time or a size in a call.
var parameterWithUnit = regexp.MustCompile(`(\w+_cycles|ccti_timer|outstanding)=[0-9]+`)

// A job that nobody meets takes as long as when it is alone, and as under no control of congestion.
func TestLawOfTheLoneJob(t *testing.T) { lawOfTheLoneJob(t, 12) }

func lawOfTheLoneJob(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		k := drawJobs(r)
		delete(k.keys, "runs.fast_forward")
		k.keys["runs.alone"], k.keys["network.virtual_channels"], k.failures = true, int64(1), nil
		k.keys["machine.topology"] = rapid.SampledFrom([]string{"mesh:4x4", "tree:4x2",
			"hyperx:4x2:p2"}).Draw(r, "machine with one VC")
		for i := range k.list {
			k.list[i].at = i * 10_000_000
		}
		rows, failed := jobRows(k.spec(t, 0))
		if failed != "" {
			r.Fatal(failed)
		}
		for i, row := range rows {
			if row["slowdown_by_others"] != "1" || row["foreign_blocking_time"] != "0" {
				r.Fatalf("job %d is slowed %s times, and blocked %s cycles, by nobody", i+1,
					row["slowdown_by_others"], row["foreign_blocking_time"])
			}
		}
	})
}

// A mean over a window twice as long is the same within its error.
func TestLawOfLongerWindows(t *testing.T) { lawOfLongerWindows(t, 10) }

func lawOfLongerWindows(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	rapid.Check(t, func(r *rapid.T) {
		s := configtest.Traffic()
		s.Workload.TrafficLoad = rapid.Float64Range(0.05, 0.3).Draw(r, "load")
		s.Network.BufferFlits = rapid.IntRange(4, 12).Draw(r, "B")
		s.Workload.WarmupCycles = rapid.Int64Range(1000, 3000).Draw(r, "warm-up")
		window := rapid.IntRange(1500, 3000).Draw(r, "window")
		values := map[string][2][]float64{}
		for i := range 2 {
			s.Workload.WindowCycles = int64(window << i)
			for replication := range 8 {
				m := mustRun(t, s, replication)
				for _, name := range []string{"network_latency", "latency", "accepted_load"} {
					v := values[name]
					v[i] = append(v[i], configtest.Value(t, m, name))
					values[name] = v
				}
			}
		}
		for name, v := range values {
			if d := stats.TestPairs(v[0], v[1], 0.95); d.P < 1e-5 {
				r.Fatalf("%s over windows of %d and %d: %v and %v, p = %v", name, window, 2*window, v[0],
					v[1], d.P)
			}
		}
	})
}

// mustBeAlike checks that rows of jobs are the same.
func mustBeAlike(r *rapid.T, where string, got, want []map[string]string) {
	if len(got) != len(want) {
		r.Fatalf("%s there are %d jobs, not %d", where, len(got), len(want))
	}
	for i := range want {
		for _, column := range slices.Sorted(maps.Keys(want[i])) {
			if got[i][column] != want[i][column] {
				r.Fatalf("%s %s of job %d is %s, not %s", where, column, i+1, got[i][column],
					want[i][column])
			}
		}
	}
}

// drawnSpec draws a small study of jobs of which all start when they are submitted, under a routing
// that draws. Many are done before a jump pays.
func drawnSpec(seed uint64) config.Spec {
	rng := rand.New(rand.NewPCG(seed, 7))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	pattern := pick("ring", "all-to-all", "near-neighbour", "random", "one-to-all")
	s := jumpedSpec(pattern, int64(seed), 0)
	s.Network.Routing = pick("o1turn", "romm", "valiant", "balanced-dateline")
	if s.Network.Routing == "balanced-dateline" {
		s.Machine.Topology = "torus"
	}
	s.Network.Arbiter = router.Arbiter(rng.IntN(2))
	s.Allocator = pick("first-fit", "mc1x1", "random")
	s.Workload.Side.Max = 3
	s.Job.Quota.Iterations = 3 + 180*float64(rng.IntN(3))
	s.Workload.Interarrival.Mean = 200 + 3000*float64(rng.IntN(2))
	s.Audits = 1
	if rng.IntN(3) == 0 {
		k := config.Settings{Spec: s}
		if bad := k.Assign("machine.failures", []any{"links = all; share = 0.05",
			pick("links = all; mtbf = 2000000; mttr = 30000", "nodes = 3; at = 9000; for = 20000",
				"routers = 5; at = 20000; for = 8000")}); bad != nil {
			panic(bad)
		}
		return k.Spec
	}
	return s
}

// Where a run with fast-forwarding jumps over nothing, its result is that of the full simulation. A
// job of a run with jumps whose error is 0 is that of the full simulation to the last byte, where
// all jobs have the same nodes and begin at the same times.
func checkSure(t *testing.T, seeds, least int) {
	t.Helper()
	i := func(name string) int { return slices.Index(metrics.JobTable.Names(), name) }
	off := i("service_time_error")
	full, beside, still := 0, 0, 0
	for seed := range uint64(seeds) {
		s := drawnSpec(seed)
		rows, results := [2][][]string{}, [2]map[string]float64{}
		for k, fastForward := range []float64{0, 0.1} {
			s.FastForward = fastForward
			var x *Extra
			results[k], x = rowsOf(t, s, withJobs)
			rows[k] = texts(x, metrics.JobTable)
		}
		jumped := results[1]["time_jumped"]
		for name, v := range results[0] {
			if w, has := results[1][name]; jumped == 0 && has && w != v {
				t.Errorf("seed %d: %s is %v without a jump, in full %v", seed, name, w, v)
			}
		}
		if jumped == 0 {
			still++
		}
		same := len(rows[0]) == len(rows[1])
		at := map[string][]string{} // rows of the full simulation by job
		for _, row := range rows[0] {
			at[row[0]] = row
		}
		for _, row := range rows[1] {
			for _, name := range []string{"start", "nodes"} {
				same = same && row[i(name)] == at[row[0]][i(name)]
			}
		}
		for _, row := range rows[1] {
			if !same || row[off] != "0" {
				continue
			}
			if full++; jumped > 0 {
				beside++
			}
			row[off] = at[row[0]][off]
			if !slices.Equal(row, at[row[0]]) {
				t.Errorf("seed %d, %s: job without an error\n%v, in full\n%v", seed, s.Network.Routing, row,
					at[row[0]])
			}
		}
	}
	t.Logf("%d jobs without an error, %d of them in runs with jumps; %d runs without jumps", full,
		beside, still)
	if beside < least || still < least {
		t.Errorf("%d jobs without an error beside others that jump, %d runs without jumps", beside, still)
	}
}

func TestJobsWithoutErrorAreThoseOfTheFullRun(t *testing.T) { checkSure(t, 12, 2) }
