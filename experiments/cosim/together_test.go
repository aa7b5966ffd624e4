package cosim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

func contains(err error, want string) bool {
	return err != nil && strings.Contains(err.Error(), want)
}

// togetherSpec is sixteen small jobs on a 4-ary 4-tree.
func togetherSpec(pattern, placement string) spec.Spec {
	s := spec.DefaultSpec()
	s.Machine.Topology = "tree"
	s.Network.BufferFlits, s.Network.PadFlits = 4, 8
	s.Workload.Source, s.Workload.Placement = "together", placement
	s.Job.Pattern, s.Job.Class, s.Job.Scale = pattern, "S", 0.05
	return s
}

// runOf runs a spec once.
func runOf(t testing.TB, s spec.Spec, extra *Extra) map[string]float64 {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	var sim Simulator
	if err := spectest.Check(&sim, s); err != nil {
		t.Fatal(err)
	}
	r, err := spectest.Run(context.Background(), sim.Run, s, 0, extra)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]float64{}
	for _, v := range r.Metrics {
		m[v.Name] = v.Value
	}
	return m
}

// Jobs in subtrees of their own share no channel under any routing. Each takes as long as alone,
// and all take the same time.
func TestContiguousJobsDoNotMeet(t *testing.T) {
	for _, routing := range []string{"d-mod-k", "s-mod-k", "adaptive"} {
		for _, pattern := range []string{"npb-mg", "npb-lu", "all-to-all"} {
			s := togetherSpec(pattern, "contiguous")
			s.Network.Routing = routing
			same := runOf(t, s, nil)
			s.Workload.Background = "idle"
			idle := runOf(t, s, nil)
			if same["jobs"] != 16 || idle["jobs"] != 1 || same["foreign_blocking_time"] != 0 ||
				same["service_time"] != idle["service_time"] || same["makespan"] != idle["makespan"] {
				t.Errorf("%s %s: alone %v, sixteen %v", routing, pattern, idle, same)
			}
		}
	}
}

// Processes of a job that is dealt in turn have the same last digits. Routings by digits of the
// destination or the source then keep jobs apart all the way. Shuffled jobs meet.
func TestDealtJobsDoNotMeetUnderDigits(t *testing.T) {
	for _, routing := range []string{"d-mod-k", "s-mod-k"} {
		s := togetherSpec("npb-ft", "dealt")
		s.Network.Routing = routing
		if m := runOf(t, s, nil); m["foreign_blocking_time"] != 0 {
			t.Errorf("%s, dealt: %v", routing, m["foreign_blocking_time"])
		}
		s.Workload.Placement = "scattered"
		if m := runOf(t, s, nil); m["foreign_blocking_time"] == 0 {
			t.Errorf("%s, scattered: jobs do not meet", routing)
		}
	}
}

// The engines agree, per job and channel, on messages with sizes in bytes that are padded so
// that the closed form applies.
func TestEnginesAgreeOnPaddedMessages(t *testing.T) {
	for _, pattern := range []string{"npb-mg", "npb-bt"} {
		for _, packet := range []int{8, 12} { // 12 is no multiple of 8, but 4 divides both
			results := map[string]string{}
			for _, engine := range []string{"cycle", "worm"} {
				s := togetherSpec(pattern, "scattered")
				s.Network.PacketFlits, s.Network.Engine, s.Network.Routing = packet, engine, "adaptive"
				extra := &Extra{Records: metrics.Records{Jobs: true, Links: true}}
				m := runOf(t, s, extra)
				results[engine] = fmt.Sprint(m, extra.JobRows, extra.LinkRows)
			}
			if d := cmp.Diff(results["cycle"], results["worm"]); d != "" {
				t.Errorf("%s, packets of %d: %s", pattern, packet, d)
			}
		}
	}
}

// A run ends with the measured job. Other jobs can only slow it down, and placement and
// background do not change its messages.
func TestBackground(t *testing.T) {
	s := togetherSpec("npb-mg", "scattered")
	times := map[string]float64{}
	for _, background := range []string{"idle", "npb-ft:A", "ring", "npb-mg"} {
		s.Workload.Background = background
		m := runOf(t, s, nil)
		if m["jobs"] != 1 {
			t.Fatalf("%s: %v jobs", background, m["jobs"])
		}
		times[background] = m["service_time"]
	}
	if !(times["idle"] <= times["ring"] && times["idle"] < times["npb-mg"] &&
		times["idle"] < times["npb-ft:A"]) {
		t.Errorf("%v", times)
	}
}

// The promises to the network also hold for the jobs in the background.
func TestPromisesCoverTheBackground(t *testing.T) {
	for _, k := range []struct {
		pattern, background string
		flits, multiple     int
	}{
		{"ring", "same", 8, 0}, {"ring", "fft", 8, 0}, {"ring", "npb-lu", 0, 0},
		{"npb-mg", "npb-lu:W", 0, 6}, {"npb-mg", "ring", 0, 0},
	} {
		s := togetherSpec(k.pattern, "contiguous")
		s.Network.PadFlits, s.Workload.Background = 6, k.background
		if f, m := s.MessageFlits(), s.MessageMultiple(); f != k.flits || m != k.multiple {
			t.Errorf("%+v: %d, %d", k, f, m)
		}
	}
}

// The time is proportional to the quota, which is not drawn.
func TestQuotaIsExact(t *testing.T) {
	s := togetherSpec("npb-is", "random")
	one := runOf(t, s, nil)
	s.Job.Quota.Iterations = 3
	if three := runOf(t, s, nil); three["messages"] != 3*one["messages"] || one["messages"] != 16*544 {
		t.Errorf("one iteration %v, three %v", one["messages"], three["messages"])
	}
	s.Job.Quota.Iterations, s.Job.Quota.Messages, s.Job.Pattern = 0, 10, "ring"
	if m := runOf(t, s, nil); m["messages"] != 160 {
		t.Errorf("a quota of 10: %v messages", m["messages"])
	}
}

func TestTogetherKeysThatContradict(t *testing.T) {
	for want, change := range map[string]func(*spec.Spec){
		`workload.placement is "near"`:    func(s *spec.Spec) { s.Workload.Placement = "near" },
		"job.pattern is ring+fft":         func(s *spec.Spec) { s.Job.Pattern = "ring+fft" },
		"workload.background is ring+fft": func(s *spec.Spec) { s.Workload.Background = "ring+fft" },
	} {
		s := togetherSpec("ring", "contiguous")
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for want, change := range map[string]func(*spec.Spec){
		"give same, idle or a pattern": func(s *spec.Spec) { s.Workload.Background = "nothing" },
		"it needs a square": func(s *spec.Spec) {
			s.Job.Pattern, s.Workload.Processes = "npb-bt", 8
		},
		"jobs of 300 processes": func(s *spec.Spec) { s.Workload.Processes = 300 },
	} {
		s := togetherSpec("ring", "contiguous")
		change(&s)
		var sim Simulator
		if err := spectest.Check(&sim, s); !contains(err, want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Compared placements and backgrounds see the same random draws.
func TestPlacementsShareTheirDraws(t *testing.T) {
	s := togetherSpec("npb-mg", "random")
	a, b := s.StreamSeed(2, "placement")
	s.Workload.Placement, s.Workload.Background = "scattered", "idle"
	if c, d := s.StreamSeed(2, "placement"); a != c || b != d {
		t.Error("another placement has another stream")
	}
	if c, _ := s.StreamSeed(3, "placement"); a == c {
		t.Error("another replication has the same stream")
	}
}
