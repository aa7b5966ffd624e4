package config

import (
	"strings"
	"testing"
)

// failing returns settings of jobs without messages with rows of failures.
func failing(rows any) (Settings, error) {
	s := Settings{Spec: DefaultSpec()}
	s.Spec.Job.Run = RunFixed
	if err := s.Assign("machine.failures", rows); err != nil {
		return s, err
	}
	return s, nil
}

// Rows are the same in all their forms, and a spec has one text for them.
func TestFailuresHaveOneText(t *testing.T) {
	s, err := failing([]any{
		map[string]any{"nodes": "3-5, 12,4", "at": 2.5, "for": int64(9)},
		"for=9;nodes=3-5, 12,4;at=2.5",
		map[string]any{"nodes": int64(7)}, "links = 7-3,1-2; bandwidth = 0.5",
		map[string]any{"routers": "all", "share": 0.05}, "nodes = all; mtbf = 30 d; mttr = 4 h"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"nodes = 3-5, 12,4; at = 2.5; for = 9", "nodes = 3-5, 12,4; at = 2.5; for = 9",
		"nodes = 7", "links = 7-3,1-2; bandwidth = 0.5", "routers = all; share = 0.05",
		"nodes = all; mtbf = 30 d; mttr = 4 h"}
	rows := s.Spec.Failures
	for i, w := range want {
		if got := rows[i].String(); got != w {
			t.Errorf("row %d is %q, want %q", i, got, w)
		}
	}
	if n := rows[0].Numbers; len(n) != 4 || n[0] != 3 || n[3] != 12 {
		t.Errorf("nodes are %v", n)
	}
	if c := rows[3].Cables; len(c) != 2 || c[0] != (Cables{[2]int{3, 7}, AllCables}) {
		t.Errorf("links are %v", c)
	}
	if f := rows[5]; f.MTBF != 30*86400 || f.MTTR != 4*3600 || !f.draws() || rows[0].draws() {
		t.Errorf("times are %+v", f)
	}
	if got := rows[4].Drawn(64); got != 3 {
		t.Errorf("5%% of 64 routers are %d", got)
	}
}

func TestBadFailuresSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ row, want string }{
		{"node = 3", `where "node" is none of nodes, routers, links, share`},
		{"at = 3", "which has neither nodes nor routers nor links"},
		{"nodes = 3; links = 3-4", "with nodes and links: give a row each"},
		{"nodes = 3; nodes = 4", "which has nodes twice"},
		{"nodes = x", `where nodes is "x": give all, or numbers such as 3-7,12`},
		{"nodes = 7-3", `where nodes has "7-3", which is no range`},
		{"links = 3", `where links is "3": give all, or pairs of routers such as 3-7,7-9`},
		{"links = 3-3", `where links is "3-3"`},
		{"links = 3-7.x", `where links is "3-7.x": give cables of two routers such as 3-7.0`},
		{"nodes = 3-7.1", `where nodes is "3-7.1": give all`},
		{"nodes = 3; share = 0.5", "where a share is of some nodes: give it with nodes = all"},
		{"nodes = all; share = 0", `where share is "0": give a share above 0 and below 1`},
		{"nodes = 3; bandwidth = 0.5", "where nodes have a bandwidth: give it with links"},
		{"links = 3-4; bandwidth = 1", `where bandwidth is "1"`},
		{"nodes = 3; mtbf = 4", "with one of mtbf and mttr: give both"},
		{"nodes = 3; mtbf = 4; mttr = 1; at = 7", "with mtbf and at or for"},
		{"nodes = 3; for = 0", `where for is "0": give a time above 0`},
		{"nodes = 3; for = -3", `where for is "-3": give a time above 0`},
		{"nodes = 3; mtbf = often; mttr = 1", `where mtbf is "often": give a time above 0`},
		{"nodes = 3; at = -1", `where at is "-1": give a time of at least 0`},
		{"nodes = 3; at = 2 GB", `where at is "2 GB"`},
		{"links = 3-4", "jobs send no messages over links"},
		{"nodes = 3; at = 2 h", "at has a unit, and a cycle has no length"},
		{"links = 3-4; bandwidth = 1e-300", `where bandwidth is "1e-300": give a share of at least 1/65536`},
		{"nodes = 3; mtbf = 1e-300; mttr = 5", "mtbf is less than a cycle: give 1e-06 or more"},
		{"nodes = 3; mtbf = 5; mttr = 9e-7", "mttr is less than a cycle: give 1e-06 or more"},
		{"nodes = 3; at = 1; for = 1e-300", "for is less than a cycle"},
		{"nodes = 3; at = 1e300", "at is after all time: give less than 4.61e+12"},
		{"nodes = 3; for = 1e300", "for is after all time"},
		{"nodes = 250-256", "the machine has no 256: give 0 to 255"},
	} {
		s, err := failing([]any{c.row})
		if err == nil {
			_, err = s.Spec.Plan()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "machine.failures[0]") {
			t.Errorf("%q: got %v, want %q", c.row, err, c.want)
		}
	}
}

// What a run cannot do with failures is refused with the reason.
func TestRunsWithoutFailures(t *testing.T) {
	for _, c := range []struct {
		row, want string
		set       map[string]any
	}{
		{"links = all; bandwidth = 0.5", "jumps over time know of no slow links",
			map[string]any{"runs.fast_forward": 0.1}},
		{"nodes = 3", "no job can be killed and queue again",
			map[string]any{"workload.source": "together"}},
		{"routers = 3", "no job can be killed and queue again",
			map[string]any{"workload.source": "traffic"}},
		{"routers = 3", "measures jobs on a network without failures",
			map[string]any{"runs.alone": true}},
		{"nodes = 3", "the worm engine knows of no failures", map[string]any{"network.engine": "worm"}},
		{"links = 0-17", "no link joins the routers 0 and 17", nil},
		{"links = 0-4.2", "the routers 0 and 4 have no cable 2: give 0-4.0 to 0-4.1",
			map[string]any{"machine.topology": "fat-tree:4x4:1:b2"}},
	} {
		s := Settings{Spec: DefaultSpec()}
		for path, value := range c.set {
			if err := s.Assign(path, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Assign("machine.failures", []any{c.row}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Spec.Plan(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q with %v: got %v, want %q", c.row, c.set, err, c.want)
		}
	}
}

// Failures belong to no reference and to no machine: jobs are made on machines without any.
func TestFailuresAreNoPartOfTheMachine(t *testing.T) {
	s, err := failing("nodes = 3; at = 1")
	if err != nil {
		t.Fatal(err)
	}
	plain := s.Spec
	plain.Failures = nil
	if s.Spec.Hash() == plain.Hash() {
		t.Error("failures are not in the hash")
	}
	if IsReference(failuresPath) || MakesJobs(failuresPath) ||
		s.Spec.MachineKeys() != plain.MachineKeys() || s.Spec.JobKeys() != plain.JobKeys() {
		t.Error("failures are part of the machine")
	}
}
