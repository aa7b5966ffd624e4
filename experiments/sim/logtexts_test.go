package sim

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// The description of a log has a load where there is one: not of jobs that all come at one time.
func TestDescriptionHasALoadIfKnown(t *testing.T) {
	line := func(job, submit string) string {
		return job + " " + submit + " 0 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1\n"
	}
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"at one time": {line("1", "0") + line("2", "0"), false},
		"over time":   {line("1", "0") + line("2", "60"), true},
	} {
		path := filepath.Join(t.TempDir(), "log.swf")
		must.Do(os.WriteFile(path, []byte("; MaxProcs: 8\n"+test.text), 0o666))
		text := must.Have(DescribeTrace(path, scheduler.SWFFormat{}, 0))
		if got := strings.Contains(text, "\nload  "); got != test.want {
			t.Errorf("%s: has a load %v, want %v:\n%s", name, got, test.want, text)
		}
	}
}

// A note tells apart rails that join nodes by paths of different lengths, where jobs run.
func TestNoteOfDifferentRails(t *testing.T) {
	rails := func(nodes ...topology.Router) config.Machine {
		link := func(a, b topology.Router) topology.GraphLink {
			return topology.GraphLink{From: a, To: b}
		}
		g := must.Have(topology.NewGraph(topology.GraphConfig{Routers: 6, Nodes: nodes, Rails: 2,
			Links: []topology.GraphLink{link(0, 1), link(1, 2), link(5, 4), link(3, 4)}}))
		return must.Have(topology.WithDistances(g))
	}
	alike, different := rails(0, 1, 2, 3, 4, 5), rails(0, 1, 2, 4, 3, 5)
	for _, test := range []struct {
		machine config.Machine
		source  config.Source
		want    bool
	}{
		{alike, config.SourceSWF, false}, {different, config.SourceSWF, true},
		{different, config.SourceTraffic, false}, {alike, config.SourceTraffic, false},
	} {
		plan := &config.Plan{Machine: test.machine}
		plan.Workload.Source = test.source
		if got := planesNote(plan) != ""; got != test.want {
			t.Errorf("rails differ %v, source %v: a note %v, want %v", test.machine == different,
				test.source, got, test.want)
		}
	}
}

// A note tells hosts of a pattern from those of the machine, wherever the machine has some.
func TestNoteOfHosts(t *testing.T) {
	const slow = "network.class_flit_cycles"
	for _, c := range []struct {
		topology, pattern string
		keys              map[string]any
		want              string
	}{
		{"fat-tree:4x4:4:r2", "all-reduce-hierarchical", map[string]any{"network.rail": "host"}, "host=4 "},
		{"fat-tree:2x4:2:r3", "all-reduce-double-tree:host=4", map[string]any{"network.rail": "host"},
			"host=2 "},
		{"fat-tree:4x4:4:r2", "all-reduce-hierarchical:host=4", map[string]any{"network.rail": "host"}, ""},
		{"fat-tree:4x4:4:r2", "all-reduce-ring", map[string]any{"network.rail": "host"}, ""},
		{"fat-tree:4x4:4:r2", "all-reduce-hierarchical", map[string]any{"network.rail": "destination"}, ""},
		{"fat-tree:4x4:4", "all-reduce-hierarchical", map[string]any{slow: []any{int64(8)}}, "host=4 "},
		{"fat-tree:8x4:8", "all-reduce-hierarchical", map[string]any{slow: []any{int64(8)}}, ""},
		{"fat-tree:4x4:4", "all-reduce-hierarchical", map[string]any{slow: []any{int64(1)}}, ""},
		{"fat-tree:4x4:4", "all-reduce-hierarchical", nil, ""},
		{"fat-tree:4x4:4", "training:algorithm=hierarchical", map[string]any{slow: []any{int64(8)}},
			"host=4 "},
		{"fat-tree:4x4:4", "training", map[string]any{slow: []any{int64(8)}}, ""},
	} {
		keys := map[string]any{"machine.topology": c.topology, "job.pattern": c.pattern,
			"allocator": "by-router", "workload.source": "together", "workload.processes": int64(8)}
		for k, v := range c.keys {
			keys[k] = v
		}
		s := specWith(t, keys)
		got := must.Have(s.Plan()).HostNote()
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s on %s with %v: %q, want %q", c.pattern, c.topology, c.keys, got, c.want)
		}
	}
}

// Of parts that fail at drawn times those count whose links then carry nothing.
func TestDrawnFailuresOfLinksCount(t *testing.T) {
	f := &failures{}
	rng := rand.New(rand.NewPCG(1, 2))
	links := []router.Link{3}
	for _, p := range []failing{
		{row: &config.Failure{MTBF: 10}, rng: rng, links: links},
		{row: &config.Failure{MTBF: 10, Bandwidth: 0.5}, rng: rng, links: links},
		{row: &config.Failure{MTBF: 10}, rng: rng},
		{row: &config.Failure{At: 10}, links: links},
		{row: &config.Failure{MTBF: 20}, rng: rng, links: links},
	} {
		f.add(p)
	}
	if f.drawn != 2 || f.given != 1 || len(f.parts) != 5 {
		t.Errorf("%d parts, of which %d are drawn and fail, and %d given, want 5, 2, 1", len(f.parts),
			f.drawn, f.given)
	}
}

// The share of time in which jobs communicate is that of their processors' seconds.
func TestTimesOfJobsAdd(t *testing.T) {
	var s timeSums
	s.add(&scheduler.Job{Size: 4, RunTime: 100}, &pacedKind{communicating: 50}, 6, 10)
	s.add(&scheduler.Job{Size: 2, RunTime: 30}, &pacedKind{communicating: 20, long: true}, 1, 10)
	s.add(&scheduler.Job{Size: 3, RunTime: 5}, &pacedKind{communicating: 50}, 0, 10)
	s.add(&scheduler.Job{Size: 5, RunTime: 7}, &pacedKind{misfit: true}, 9, 10)
	want := timeSums{jobs: 4, short: 1, misfits: 1, long: 1, work: 400 + 60 + 15 + 35,
		communicated: 4*6*5 + 2*1*2, min: 1, max: 6}
	if s != want {
		t.Errorf("sums %+v, want %+v", s, want)
	}
}

// Loads have three decimals, and small ones three digits.
func TestTextsOfLoads(t *testing.T) {
	for x, want := range map[float64]string{0: "0.000", 0.0512: "0.0512", 0.000123: "0.000123",
		0.1: "0.100", 0.5: "0.500", 0.98765: "0.988", 12: "12.000"} {
		if got := loadText(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
