package sim

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
)

// togetherSpec is sixteen small jobs on a 4-ary 4-tree.
func togetherSpec(pattern, placement string) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Topology = "tree"
	s.Network.BufferFlits, s.Network.PadFlits = 4, 8
	s.Workload.Source, s.Workload.Placement = "together", configtest.Placement(placement)
	s.Job.Pattern, s.Job.Class, s.Job.Scale = configtest.Mix(pattern), "S", 0.05
	return s
}

// Jobs in subtrees of their own share no channel under any routing. Each takes as long as alone,
// and all take the same time.
func TestContiguousJobsDoNotMeet(t *testing.T) {
	for _, routing := range []string{"d-mod-k", "s-mod-k", "adaptive"} {
		for _, pattern := range []string{"npb-mg", "npb-lu", "all-to-all"} {
			s := togetherSpec(pattern, "contiguous")
			s.Network.Routing = routing
			same := runOf(t, s)
			s.Workload.Background = configtest.Mix("idle")
			idle := runOf(t, s)
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
		if m := runOf(t, s); m["foreign_blocking_time"] != 0 {
			t.Errorf("%s, dealt: %v", routing, m["foreign_blocking_time"])
		}
		s.Workload.Placement = configtest.Placement("scattered")
		if m := runOf(t, s); m["foreign_blocking_time"] == 0 {
			t.Errorf("%s, scattered: jobs do not meet", routing)
		}
	}
}

// A run ends with the measured job. Other jobs can only slow it down, and placement and
// background do not change its messages.
func TestBackground(t *testing.T) {
	s := togetherSpec("npb-mg", "scattered")
	times := map[string]float64{}
	for _, background := range []string{"idle", "npb-ft:A", "ring", "npb-mg"} {
		s.Workload.Background = configtest.Mix(background)
		m := runOf(t, s)
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

// Tasks in the background go on without end, and so a rank whose tasks take no time is refused.
func TestTasksInTheBackground(t *testing.T) {
	t.Chdir(t.TempDir())
	s := togetherSpec("ring", "contiguous")
	s.Workload.Processes, s.Network.Cycle = 2, "1 ns"
	for i, c := range []struct {
		first string // task of rank 0
		send  int64  // cycles
		want  string
	}{
		{"recv 8b from 1 tag 2", 0, ""}, {"calc 1", 0, ""}, {"calc 0", 1, ""},
		{"calc 0", 0, "rank 0 waits for nothing, and would repeat its tasks at once without end"},
	} {
		back := "calc 3"
		if strings.HasPrefix(c.first, "recv") {
			back = "send 8b to 0 tag 2"
		}
		file := fmt.Sprintf("%d.goal", i)
		must.Do(os.WriteFile(file, fmt.Appendf(nil, "num_ranks 2\nrank 0 {\n%s\n"+
			"send 8b to 1 tag 1\n}\nrank 1 {\nrecv 8b from 0 tag 1\n%s\n}\n", c.first, back), 0o644))
		s.Workload.Background, s.Job.SendCycles = configtest.Mix("goal:"+file), c.send
		_, err := configtest.Run(t.Context(), new(Simulator).Run, s, 0, nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, sends of %d cycles: %v, want %q", c.first, c.send, err, c.want)
		}
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
		s.Network.PadFlits, s.Workload.Background = 6, configtest.Mix(k.background)
		if f, m := s.MessageFlits(), s.MessageMultiple(); f != k.flits || m != k.multiple {
			t.Errorf("%+v: %d, %d", k, f, m)
		}
	}
}

// The time is proportional to the quota, which is not drawn.
func TestQuotaIsExact(t *testing.T) {
	s := togetherSpec("npb-is", "random")
	one := runOf(t, s)
	s.Job.Quota.Iterations = 3
	if three := runOf(t, s); three["messages"] != 3*one["messages"] || one["messages"] != 16*544 {
		t.Errorf("one iteration %v, three %v", one["messages"], three["messages"])
	}
	s.Job.Quota.Iterations, s.Job.Quota.Messages, s.Job.Pattern = 0, 10, configtest.Mix("ring")
	if m := runOf(t, s); m["messages"] != 160 {
		t.Errorf("a quota of 10: %v messages", m["messages"])
	}
}

func TestTogetherKeysThatContradict(t *testing.T) {
	for want, change := range map[string]func(*config.WorkloadSpec, *config.JobSpec){
		"job.pattern is ring+fft": func(_ *config.WorkloadSpec, j *config.JobSpec) {
			j.Pattern = configtest.Mix("ring+fft")
		},
		"workload.background is ring+fft": func(w *config.WorkloadSpec, _ *config.JobSpec) {
			w.Background = configtest.Mix("ring+fft")
		},
		"give same, idle or a pattern": func(w *config.WorkloadSpec, _ *config.JobSpec) {
			w.Background = configtest.Mix("nothing")
		},
		"it needs a square": func(w *config.WorkloadSpec, j *config.JobSpec) {
			j.Pattern, w.Processes = configtest.Mix("npb-bt"), 8
		},
		"jobs of 300 processes": func(w *config.WorkloadSpec, _ *config.JobSpec) { w.Processes = 300 },
	} {
		s := togetherSpec("ring", "contiguous")
		change(&s.Workload, &s.Job)
		mustRefuse(t, s, want)
	}
}
