package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
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
