package cosim

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// With self messages each of 16 nodes gets a 16th of its own messages, which cross no network
// channel.
func TestSelfMessages(t *testing.T) {
	s := spectest.Traffic()
	s.Workload.WindowCycles = 60000
	others, _ := mustRun(t, s, 0).Value("mean_hops")
	s.Workload.SelfMessages = true
	all, _ := mustRun(t, s, 0).Value("mean_hops")
	if math.Abs(others-8.0/3) > 0.03 || math.Abs(all-2.5) > 0.03 {
		t.Errorf("uniform traffic crosses %.3f channels, and %.3f with messages to itself, want 8/3 "+
			"and 5/2", others, all)
	}
	s.Workload.Traffic = "transpose"
	created, _ := mustRun(t, s, 0).Value("created_load")
	s.Workload.SelfMessages = false
	silent, _ := mustRun(t, s, 0).Value("created_load")
	if math.Abs(created-0.1) > 0.004 || math.Abs(silent-0.075) > 0.004 {
		t.Errorf("transpose creates %.4f flits, %.4f without the diagonal, want 0.1 and 0.075", created,
			silent)
	}
}

// Of a run without jobs nothing about jobs, queue and allocation acts, and the keys
// of traffic act nowhere else.
func TestKeysOfTraffic(t *testing.T) {
	s, plain := spectest.Traffic(), spec.DefaultSpec()
	for _, k := range spec.Keys() {
		switch section, _, _ := strings.Cut(k.Path, "."); {
		case !k.Identity || k.Path == "workload.source":
		case k.Path == "workload.traffic", k.Path == "workload.traffic_load",
			k.Path == "workload.self_messages", k.Path == "workload.message_lengths",
			k.Path == "workload.burst_cycles",
			k.Path == "workload.warmup_cycles", k.Path == "workload.window_cycles":
			if !k.Acts(&s) || k.Acts(&plain) {
				t.Errorf("%s acts with traffic %t, with jobs %t", k.Path, k.Acts(&s), k.Acts(&plain))
			}
		case k.Path == "job.flits", k.Path == "runs.seed":
			if !k.Acts(&s) {
				t.Errorf("%s does not act with traffic: %s", k.Path, k.Idle(&s))
			}
		case section == "workload" || section == "job" || section == "scheduler" ||
			section == "allocator" || section == "runs":
			if k.Acts(&s) {
				t.Errorf("%s acts with traffic", k.Path)
			}
		}
	}
	run := func(change func(*spec.Spec)) string {
		other := s
		change(&other)
		text, err := metricsOf(&Simulator{}, other, 0)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	base := run(func(*spec.Spec) {})
	for name, change := range map[string]func(*spec.Spec){
		"traffic":         func(s *spec.Spec) { s.Workload.Traffic = "tornado" },
		"load":            func(s *spec.Spec) { s.Workload.TrafficLoad = 0.05 },
		"self_messages":   func(s *spec.Spec) { s.Workload.SelfMessages = true },
		"warmup_cycles":   func(s *spec.Spec) { s.Workload.WarmupCycles = 77 },
		"window_cycles":   func(s *spec.Spec) { s.Workload.WindowCycles = 777 },
		"message_lengths": func(s *spec.Spec) { s.Workload.Lengths = "1:1+8:2" },
		"burst_cycles":    func(s *spec.Spec) { s.Workload.BurstCycles = 40 },
		"parameters":      func(s *spec.Spec) { s.Workload.Traffic = "hotspot:nodes=3,share=0.4" },
		"seed":            func(s *spec.Spec) { s.Seed = 5 },
		"flits":           func(s *spec.Spec) { s.Job.Flits = 3 },
	} {
		if run(change) == base {
			t.Errorf("%s changes nothing", name)
		}
	}
}
