package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/router/topology"
	"contend/scheduler"
)

// failingPlan returns a plan with rows of failures.
func failingPlan(t *testing.T, set map[string]any, rows ...any) *config.Plan {
	t.Helper()
	s := config.Defaults()
	for _, path := range config.InOrder(set) {
		if err := s.Assign(path, set[path]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Assign("machine.failures", rows); err != nil {
		t.Fatal(err)
	}
	return configtest.Plan(t, s.Spec)
}

// changesOf writes the first changes of the machine.
func changesOf(plan *config.Plan, replication, most int) (text string) {
	f := must.Have(newFailures(plan, replication, scheduler.Clock{}, nil))
	for range most {
		c, ok := f.Next()
		if !ok {
			break
		}
		text += fmt.Sprintf("%d down %v up %v", c.At, c.Down, c.Up)
		if c.Lost {
			text += " for ever"
		} else if c.Until < scheduler.MaxCycle {
			text += fmt.Sprintf(" until %d", c.Until)
		}
		text += "\n"
	}
	return text
}

// Repairs come before failures at the same time, and a row without an end is for ever.
func TestChangesAreInOrder(t *testing.T) {
	plan := failingPlan(t, map[string]any{"machine.topology": "tree:2x3"},
		"nodes = 1,4; at = 5; for = 7", "nodes = 2; at = 12", "routers = 1", "nodes = 3; at = 4; for = 1")
	want := "0 down [2 3] up [] for ever\n4 down [3] up [] until 5\n5 down [] up [3]\n" +
		"5 down [1 4] up [] until 12\n12 down [] up [1 4]\n12 down [2] up [] for ever\n"
	if got := changesOf(plan, 0, 99); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Drawn failures depend on the seed and the replication alone. Of a smaller share all that fails
// fails with a larger one, and each node has times of its own.
func TestDrawnFailuresAreCommon(t *testing.T) {
	share := func(s string, set map[string]any) string {
		return changesOf(failingPlan(t, set, "nodes = all; share = "+s), 0, 1)
	}
	other := map[string]any{"allocator": "random", "scheduler.policy": "sjf",
		"workload.jobs": int64(3)}
	if a, b := share("0.1", nil), share("0.1", other); a != b {
		t.Errorf("other failures: %s %s", a, b)
	}
	in := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	}
	few, many := in(share("0.02", nil)), in(share("0.05", nil))
	for _, n := range few {
		if !slices.Contains(many, n) {
			t.Errorf("node %s fails with 2%%, and not with 5%%", n)
		}
	}
	plan := failingPlan(t, nil, "nodes = all; mtbf = 1000; mttr = 10")
	if a, b := changesOf(plan, 0, 50), changesOf(plan, 1, 50); a == b || a != changesOf(plan, 0, 50) {
		t.Errorf("replications have\n%sand\n%s", a, b)
	}
	f := must.Have(newFailures(plan, 0, scheduler.Clock{}, nil))
	down, at, sum := map[topology.Node]scheduler.Cycle{}, scheduler.Cycle(0), 0.0
	repairs := 0
	for range 20000 {
		c, _ := f.Next()
		if c.At < at {
			t.Fatal("changes are not in order")
		}
		at = c.At
		for _, n := range c.Down {
			down[n] = at
		}
		for _, n := range c.Up {
			sum += float64(at - down[n])
			repairs++
		}
	}
	if mean := sum / float64(repairs); mean < 9.7 || mean > 11 { // a cycle at least: about 10.5
		t.Errorf("repairs take %v, want 10", mean)
	}
	if per := float64(at) * 256 / float64(repairs); per < 970 || per > 1050 {
		t.Errorf("a node fails every %v, want 1010", per)
	}
}

// Links that fail are both directions of a cable, of parallel cables all; a link that fails twice
// is back after two repairs, and cables of a share are drawn.
func TestLinksFail(t *testing.T) {
	plan := failingPlan(t, map[string]any{"machine.topology": "fat-tree:4x4:1:b2"},
		"links = 0-4; at = 5; for = 7", "links = all; at = 6; for = 20",
		"links = all; share = 0.25; at = 50")
	net := must.Have((&Simulator{}).newFailingNetwork(plan, 0))
	f := must.Have(newFailures(plan, 0, scheduler.Clock{}, net))
	down := func() (n int) {
		for _, k := range f.failed {
			if k > 0 {
				n++
			}
		}
		return n
	}
	want := map[scheduler.Cycle]int{5: 4, 6: 16, 12: 16, 26: 0, 50: 4}
	for range len(want) {
		c, _ := f.Next()
		if now, _, err := net.Advance(int64(c.At)); err != nil || now != int64(c.At) {
			t.Fatal(now, err)
		}
		must.Do(c.Do())
		if got := down(); got != want[c.At] {
			t.Errorf("at %d %d links are down, want %d", c.At, got, want[c.At])
		}
	}
}

// One cable of a bundle fails in both directions, and the list of failures names it.
func TestOneCableFails(t *testing.T) {
	for _, c := range []struct {
		machine, row, want string
		port               topology.Port // of the router of the first number
	}{
		{"fat-tree:4x4:1:b2", "links = 0-4.1", "0-4.1", 5},
		{"fat-tree:4x4:1:b2", "links = 4-2.0", "2-4.0", 4},
		{"mesh:4x4", "links = 1-0.0", "0-1", 1},
	} {
		plan := failingPlan(t, map[string]any{"machine.topology": c.machine}, c.row+"; bandwidth = 0.5")
		net := must.Have((&Simulator{}).newFailingNetwork(plan, 0))
		f := must.Have(newFailures(plan, 0, scheduler.Clock{}, net))
		change, _ := f.Next()
		must.Do(change.Do())
		if len(f.parts) != 1 || len(f.parts[0].links) != 2 {
			t.Fatalf("%s, %s: %+v", c.machine, c.row, f.parts)
		}
		w := net.Wiring()
		from, to := w.Ends(f.parts[0].links[0])
		if backTo, backFrom := w.Ends(f.parts[0].links[1]); from != backFrom || to != backTo ||
			from.Port != c.port {
			t.Errorf("%s, %s: %v to %v and %v to %v fail", c.machine, c.row, from, to, backTo, backFrom)
		}
		if got := f.list[0].Cables[0].String(); got != c.want {
			t.Errorf("%s, %s: the list has %q, want %q", c.machine, c.row, got, c.want)
		}
	}
}

// Jobs that send messages are killed and run again, in the order of the allocation and mapped, with
// the same metrics at any number of threads.
func TestFailuresUnderMessages(t *testing.T) {
	for machine, mapping := range map[string]string{"torus:8x8": "allocated", "mesh:8x8": "random"} {
		var first string
		for threads := range 2 {
			plan := failingPlan(t, map[string]any{"machine.topology": machine, "job.mapping": mapping,
				"workload.jobs": int64(40), "job.pattern": "all-to-all+n-body", "allocator": "mc1x1",
				"workload.interarrival.mean": 200.0, "scheduler.policy": "fcfs"},
				"nodes = 0-9; at = 700; for = 300", "routers = all; mtbf = 150000; mttr = 900")
			s := &Simulator{Threads: 1 + threads}
			r := must.Have(s.Run(context.Background(), plan, 0, nil))
			if requeued, _ := r.Value("jobs_requeued"); requeued < 3 {
				t.Errorf("%v jobs are killed", requeued)
			}
			if jobs, _ := r.Value("jobs"); jobs != 40 {
				t.Errorf("%v jobs end", jobs)
			}
			if text := fmt.Sprint(r.Metrics); first == "" {
				first = text
			} else if text != first {
				t.Errorf("%d threads:\n%s\n%s", threads+1, text, first)
			}
		}
	}
}

// listedJobs are jobs at times from a cycle on.
func listedJobs(from int64) (list []any) {
	for i, processes := range []int{4, 6, 3, 8, 5, 2, 7, 6, 4, 9} {
		list = append(list, fmt.Sprintf("pattern = all-to-all; processes = %d; at = %d; iterations = %d",
			processes, from+int64(150*i), 20+5*(i%3)))
	}
	return list
}

// fixedFailures are rows of failures that are given, from a cycle on. Some repeat in the cycle of a
// repair, fail twice, are slow, or never end.
func fixedFailures(from int64) (rows []any) {
	for _, row := range []struct {
		what    string
		at, For int64
	}{{"nodes = 0-3", 100, 300}, {"nodes = 2", 400, 50}, {"nodes = 2,9", 420, 500},
		{"routers = 1", 700, 250}, {"routers = 1", 950, 1}, {"links = 0-4", 300, 400},
		{"links = 0-4", 700, 90}, {"links = 1-5; bandwidth = 0.5", 200, 2000}, {"links = all", 1200, 3},
		{"nodes = 12", 1500, 0}} {
		text := fmt.Sprintf("%s; at = %d", row.what, from+row.at)
		if row.For > 0 {
			text += fmt.Sprintf("; for = %d", row.For)
		}
		rows = append(rows, text)
	}
	return rows
}

// drawnFailures are the rows of failures drawn in a run as given ones, moved by some cycles.
func drawnFailures(t *testing.T, x *Extra, delta int64) (rows []any) {
	at := column(t, metrics.FailureTable.Names(), texts(x, metrics.FailureTable), "time")
	repaired := column(t, metrics.FailureTable.Names(), texts(x, metrics.FailureTable), "repaired")
	numbers := cells(t, metrics.FailureTable, texts(x, metrics.FailureTable), "numbers")
	for i, kind := range cells(t, metrics.FailureTable, texts(x, metrics.FailureTable), "kind") {
		rows = append(rows, fmt.Sprintf("%s = %s; at = %d; for = %d", kind, numbers[i],
			int64(at[i])+delta, int64(repaired[i]-at[i])))
	}
	return rows
}

// timesAt are the columns that have points in time, and those that depend on the length of the run.
var (
	timesAt = []string{"submit", "start", "end", "time", "repaired", "queued"}
	lengths = []string{"utilization_percent"}
)

// movedRows are rows as text, with points in time earlier by some cycles.
func movedRows(t *testing.T, of *metrics.RowTable, rows [][]string, delta int64) string {
	t.Helper()
	var text strings.Builder
	for _, name := range of.Names() {
		if slices.Contains(lengths, name) {
			continue
		}
		list := cells(t, of, rows, name)
		if slices.Contains(timesAt, name) {
			for i, x := range column(t, of.Names(), rows, name) {
				if !math.IsNaN(x) {
					list[i] = fmt.Sprint(int64(x) - delta)
				}
			}
		}
		fmt.Fprintln(&text, name, list)
	}
	return text.String()
}

// movedRun runs a plan and writes down everything that does not depend on how late it is.
func movedRun(t *testing.T, plan *config.Plan, delta int64) (string, *Extra) {
	t.Helper()
	x := everything()
	x.Series = false // its bins depend on the length of the run
	r := must.Have((&Simulator{}).Run(context.Background(), plan, 0, x))
	text := movedRows(t, metrics.FailureTable, texts(x, metrics.FailureTable), delta) +
		movedRows(t, metrics.KilledTable, texts(x, metrics.KilledTable), delta) +
		movedRows(t, metrics.JobTable, texts(x, metrics.JobTable), delta) +
		movedRows(t, metrics.LinkTable, texts(x, metrics.LinkTable), delta) +
		movedRows(t, metrics.PathTable, texts(x, metrics.PathTable), delta) +
		movedRows(t, metrics.InterferenceTable, texts(x, metrics.InterferenceTable), delta)
	for _, name := range []string{"response_time", "wait_time", "jobs", "jobs_lost", "jobs_requeued",
		"lost_node_time", "packets_lost", "packets_resent", "reroute_time"} {
		v, _ := r.Value(name)
		text += fmt.Sprintln(name, v)
	}
	return text, x
}

// TestFailuresLater: jobs and failures that come later by some cycles, all of them, make the same
// run later. Failures that were drawn, given one by one, make the run in which they were drawn.
func TestFailuresLater(t *testing.T) {
	set := map[string]any{"workload.source": "list", "machine.topology": "fat-tree:4x4:2",
		"network.virtual_channels": int64(2), "network.routing": "adaptive",
		"network.resend_cycles": 400.0, "allocator": "by-router", "scheduler.policy": "fcfs",
		"scheduler.max_restarts": int64(2)}
	run := func(delta int64, rows []any) (string, *Extra) {
		t.Helper()
		set["workload.list"] = listedJobs(delta)
		return movedRun(t, failingPlan(t, set, rows...), delta)
	}
	drawn, x := run(0, []any{"nodes = all; mtbf = 20000; mttr = 200",
		"routers = all; mtbf = 60000; mttr = 90", "links = all; mtbf = 20000; mttr = 300"})
	if len(texts(x, metrics.KilledTable)) < 5 || len(texts(x, metrics.FailureTable)) < 20 {
		t.Fatalf("%d runs are killed in %d failures: too few", len(texts(x, metrics.KilledTable)),
			len(texts(x, metrics.FailureTable)))
	}
	given, _ := run(0, fixedFailures(0))
	for _, delta := range []int64{0, 1000, 1_000_007, 100_000_000} {
		if got, _ := run(delta, fixedFailures(delta)); got != given {
			t.Errorf("given failures %d cycles later:\n%s", delta, firstDifference(given, got))
		}
		if got, _ := run(delta, drawnFailures(t, x, delta)); got != drawn {
			t.Errorf("drawn failures %d cycles later:\n%s", delta, firstDifference(drawn, got))
		}
	}
}

// firstDifference returns the first lines of two texts that differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("want %.600s\ngot  %.600s", a[i], b[i])
		}
	}
	return "one is longer"
}

// TestFailuresInUnits: rows with units are those in cycles.
func TestFailuresInUnits(t *testing.T) {
	set := map[string]any{"workload.source": "list", "workload.list": listedJobs(0),
		"machine.topology": "fat-tree:4x4:2", "network.virtual_channels": int64(2),
		"network.routing": "adaptive", "allocator": "by-router", "network.cycle": "10 ns"}
	seconds := func(cycles float64) float64 { return cycles * 10e-9 }
	rows := func(time func(cycles float64) string) []any {
		return []any{"nodes = all; mtbf = " + time(9000) + "; mttr = " + time(200),
			"links = all; mtbf = " + time(20000) + "; mttr = " + time(300),
			"routers = 1; at = " + time(700) + "; for = " + time(250)}
	}
	set["workload.list"] = []any{"pattern = all-to-all; processes = 8; iterations = 20"}
	var first string
	for _, time := range []func(float64) string{
		func(c float64) string { return fmt.Sprint(seconds(c)) },
		func(c float64) string { return fmt.Sprintf("%g us", c/100) },
		func(c float64) string { return fmt.Sprintf("%.12g h", seconds(c)/3600) },
		func(c float64) string { return fmt.Sprintf("%.12g d", seconds(c)/86400) },
	} {
		x := everything()
		must.Have((&Simulator{}).Run(context.Background(), failingPlan(t, set, rows(time)...), 0, x))
		text := fmt.Sprint(texts(x, metrics.FailureTable), texts(x, metrics.KilledTable),
			texts(x, metrics.JobTable))
		if first == "" {
			first = text
		}
		if text != first || len(texts(x, metrics.FailureTable)) < 10 {
			t.Errorf("at %s: %.300s\nwant %.300s", time(9000), text, first)
		}
	}
}
