package experiments

import (
	"context"
	"math"
	"strings"
	"testing"
)

// trafficSpec is a small network under traffic.
func trafficSpec() Spec {
	s := DefaultSpec()
	s.Machine.Dims, s.Workload.Source, s.Workload.TrafficLoad = []int{4, 4}, "traffic", 0.1
	return s
}

func runTraffic(t *testing.T, s Spec) *Result {
	t.Helper()
	r, err := (&Simulator{}).Run(context.Background(), s, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// A run of traffic measures what contend net does, of the same messages.
func TestTrafficIsThatOfNet(t *testing.T) {
	s := trafficSpec()
	r := runTraffic(t, s)
	p := runNet(t, NetConfig{Spec: s, Traffic: []string{"uniform"}, Loads: []float64{0.1}, Workers: 1})[0]
	for name, want := range map[string]float64{"latency": p.Latency, "network_latency": p.NetworkLatency,
		"accepted_load": p.Accepted, "created_load": p.Created, "idle_latency": p.ZeroLoad, "saturated": 0} {
		if got, ok := r.Value(name); !ok || got != want {
			t.Errorf("%s is %v, contend net has %v", name, got, want)
		}
	}
	s.Workload.TrafficLoad = 0.9
	if got, _ := runTraffic(t, s).Value("saturated"); got != 100 {
		t.Errorf("at 0.9 flits per node and cycle saturated is %v, want 100", got)
	}
}

// Of 16 nodes each gets a 16th of its own messages, which cross no channel of the
// network, where they are sent.
func TestSelfMessages(t *testing.T) {
	s := trafficSpec()
	s.Workload.WindowCycles = 60000
	others, _ := runTraffic(t, s).Value("mean_hops")
	s.Workload.SelfMessages = true
	all, _ := runTraffic(t, s).Value("mean_hops")
	if math.Abs(others-8.0/3) > 0.03 || math.Abs(all-2.5) > 0.03 {
		t.Errorf("uniform traffic crosses %.3f channels, and %.3f with messages to itself, want 8/3 and 5/2", others, all)
	}
	s.Workload.Traffic = "transpose"
	created, _ := runTraffic(t, s).Value("created_load")
	s.Workload.SelfMessages = false
	silent, _ := runTraffic(t, s).Value("created_load")
	if math.Abs(created-0.1) > 0.004 || math.Abs(silent-0.075) > 0.004 {
		t.Errorf("transpose creates %.4f flits, %.4f without the diagonal, want 0.1 and 0.075", created, silent)
	}
}

// Of a run without jobs nothing about jobs, queue and allocation acts, and the keys
// of traffic act nowhere else.
func TestKeysOfTraffic(t *testing.T) {
	s, plain := trafficSpec(), DefaultSpec()
	for _, k := range Keys() {
		switch section, _, _ := strings.Cut(k.Path, "."); {
		case !k.Identity || k.Path == "workload.source":
		case k.Path == "workload.traffic", k.Path == "workload.traffic_load", k.Path == "workload.self_messages",
			k.Path == "workload.warmup_cycles", k.Path == "workload.window_cycles":
			if !k.acts(&s) || k.acts(&plain) {
				t.Errorf("%s acts with traffic %t, with jobs %t", k.Path, k.acts(&s), k.acts(&plain))
			}
		case k.Path == "job.flits", k.Path == "runs.seed":
			if !k.acts(&s) {
				t.Errorf("%s does not act with traffic: %s", k.Path, k.idle(&s))
			}
		case section == "workload" || section == "job" || section == "scheduler" || section == "allocator" || section == "runs":
			if k.acts(&s) {
				t.Errorf("%s acts with traffic", k.Path)
			}
		}
	}
	run := func(change func(*Spec)) string {
		other := s
		change(&other)
		text, err := metricsOf(&Simulator{}, other, 0)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	base := run(func(*Spec) {})
	for name, change := range map[string]func(*Spec){
		"traffic":       func(s *Spec) { s.Workload.Traffic = "tornado" },
		"load":          func(s *Spec) { s.Workload.TrafficLoad = 0.05 },
		"self_messages": func(s *Spec) { s.Workload.SelfMessages = true },
		"warmup_cycles": func(s *Spec) { s.Workload.WarmupCycles = 77 },
		"window_cycles": func(s *Spec) { s.Workload.WindowCycles = 777 },
		"seed":          func(s *Spec) { s.Seed = 5 },
		"flits":         func(s *Spec) { s.Job.Flits = 3 },
	} {
		if run(change) == base {
			t.Errorf("%s changes nothing", name)
		}
	}
}

// Every figure of BookSim 2 meets a point of the study, and every judged cell has
// one.
func TestBookSimStudyHasAllPoints(t *testing.T) {
	st, err := LoadStudy("booksim", BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	points, err := st.Points(BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	rows := st.Published.mustRows()
	for _, r := range rows {
		n := 0
		for i := range points {
			if matches(&points[i], r.where, BuiltinNames()) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the row %v meets %d points", r.where, n)
		}
	}
	if len(rows) != 23 || len(st.Tolerances) != 12 {
		t.Errorf("%d rows and %d rules, want 23 and 12", len(rows), len(st.Tolerances))
	}
	for _, rule := range st.Tolerances {
		if loads, ok := rule.Where["workload.traffic_load"].([]any); ok {
			n := 0
			for i := range points {
				if matches(&points[i], rule.Where, BuiltinNames()) && publishedAt(rows, &points[i], BuiltinNames()) != nil {
					n++
				}
			}
			if n != len(loads) {
				t.Errorf("%v: %d of %d loads have a figure", rule.Where, n, len(loads))
			}
		}
	}
}
