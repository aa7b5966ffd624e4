package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
	"contend/scheduler"
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

// Jobs beside the first take the kinds of the background in turn, and go on without end.
func TestKindsOfBackground(t *testing.T) {
	s := togetherSpec("npb-mg", "scattered")
	s.Workload.Jobs, s.Workload.Background = 6, configtest.Mix("ring+fft+put-incast")
	w := must.Have(new(Simulator).NewWork(t.Context(), configtest.Plan(t, s), 0))
	var kinds []string
	for _, j := range w.Source.(*scheduler.List).Jobs {
		kinds = append(kinds, fmt.Sprint(w.patterns[j.Pattern].Name, j.Quota == endless))
	}
	want := []string{"npb-mgfalse", "ringtrue", "ffttrue", "put-incasttrue", "ringtrue", "ffttrue"}
	if !slices.Equal(kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
	one := runOf(t, s)
	s.Workload.Background = configtest.Mix("fft+ring+put-incast")
	if other := runOf(t, s); one["jobs"] != 1 || one["packets"] == other["packets"] {
		t.Errorf("%v jobs; %v and %v packets", one["jobs"], one["packets"], other["packets"])
	}
}

// Tasks in the background go on without end, and so a rank whose tasks take no time is refused.
func TestTasksInTheBackground(t *testing.T) {
	t.Chdir(t.TempDir())
	s := togetherSpec("ring", "contiguous")
	s.Workload.Processes, s.Network.Cycle, s.Job.Scale = 2, "1 ns", 1
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
		"workload.background is ring:2+fft": func(w *config.WorkloadSpec, _ *config.JobSpec) {
			w.Background = configtest.Mix("ring:2+fft")
		},
		"workload.background is ring+idle": func(w *config.WorkloadSpec, _ *config.JobSpec) {
			w.Background = configtest.Mix("ring+idle")
		},
		"for jobs of 16 processes on 256 nodes": func(w *config.WorkloadSpec, _ *config.JobSpec) {
			w.Placement = configtest.Placement("random:3")
		},
		"give same, idle or patterns": func(w *config.WorkloadSpec, _ *config.JobSpec) {
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

// placesOn places jobs of a size on a machine.
func placesOn(t *testing.T, machine, placement string, size int, seed uint64) (
	[][]topology.Node, error) {
	t.Helper()
	p, problem := config.ParsePlacement(placement)
	if problem != nil {
		t.Fatal(problem)
	}
	return PlaceJobs(p, configtest.Machine(t, machine), size, rand.New(rand.NewPCG(seed, 0)))
}

// TestPlacements runs the stories of placements. A line has a machine, a placement and the number
// of processes of a job, and what happens is the nodes of each job, in order of process.
func TestPlacements(t *testing.T) {
	story.Run(t, "testdata/placements/*.txt", func(t *testing.T, given []string) string {
		words := strings.Fields(given[0])
		places, err := placesOn(t, words[0], words[1], must.Have(strconv.Atoi(words[2])), 7)
		if err != nil {
			return err.Error()
		}
		var text strings.Builder
		for i, place := range places {
			fmt.Fprintf(&text, "job %d: %s\n", i+1, strings.Trim(fmt.Sprint(place), "[]"))
		}
		return text.String()
	})
}

// Under every placement each job has its own nodes, and there are as many jobs as blocks.
func TestPlacesAreDisjoint(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		machine := rapid.SampledFrom([]string{"tree:4x3", "tree:2x5", "tree:3x3", "fat-tree:4x3x6:2",
			"mesh:8x8", "mesh:7x5", "torus:4x4x4", "mesh:18", "hypercube:6"}).Draw(r, "machine")
		size := rapid.IntRange(2, 9).Draw(r, "size")
		kind := rapid.SampledFrom([]string{"contiguous", "away:1", "away:2", "dealt", "scattered",
			"random"}).Draw(r, "kind")
		places := must.Have(placesOn(t, machine, kind, size, rapid.Uint64().Draw(r, "seed")))
		if n := len(must.Have(placesOn(t, machine, "contiguous", size, 0))); n != len(places) || n < 1 {
			r.Fatalf("%s: room for %d jobs, contiguous %d", kind, len(places), n)
		}
		all := slices.Concat(places...)
		slices.Sort(all)
		nodes := configtest.Machine(t, machine).Nodes()
		if len(all) != size*len(places) || len(slices.Compact(all)) != size*len(places) || all[0] < 0 ||
			int(all[len(all)-1]) >= nodes {
			r.Fatalf("%v", places)
		}
	})
}

// On a tree, away:T puts exactly T processes of every job one level up, if the rest of a job is its
// greatest part.
func TestAwayOnATree(t *testing.T) {
	for _, name := range []string{"tree:4x4", "tree:2x6", "tree:4x3", "fat-tree:4x4x6x2:2:b2"} {
		meter := must.Have(allocation.NewTreeMeter(configtest.Machine(t, name)))
		for size := 3; size <= 16; size++ {
			for away := 1; away < min(5, size/3+1); away++ {
				for _, place := range must.Have(placesOn(t, name, fmt.Sprintf("away:%d", away), size, 7)) {
					if q := meter.Measure(place); q.Away != away || q.Level != q.JobLevel+1 {
						t.Errorf("%s, %d processes, away:%d: %v has %d away and is of level %d, not %d", name, size,
							away, place, q.Away, q.Level, q.JobLevel+1)
					}
				}
			}
		}
	}
}

func placementSpec(allocator string) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims = []int{8, 8}
	s.Workload.Jobs, s.Workload.SystemLoad = 60, 5
	s.Job.Run = "fixed"
	s.Allocator = allocatorOf(allocator)
	return s
}

// Along a packer's own order the span of jobs that all fit next to each other is the number of
// their processors.
func TestSpanOfPackersAlongTheirOrder(t *testing.T) {
	for _, c := range []struct {
		allocator, order string
		exact            bool
	}{
		{"best-fit-1d", "row-major", true}, {"best-fit-1d:hilbert", "hilbert", true},
		{"first-fit-1d:snake,linear", "snake", true}, {"paging:0,snake", "snake", true},
		{"best-fit-1d:hilbert", "row-major", false}, {"mbs", "row-major", false},
	} {
		s := placementSpec(c.allocator)
		s.Workload.Jobs, s.Workload.SystemLoad = 40, 0.01 // one at a time
		s.SpanOrder = c.order
		if got := runOf(t, s)["stretch_span"]; (got == 1) != c.exact {
			t.Errorf("%s along %s: stretch-span %v on an empty machine; 1 wanted: %v", c.allocator,
				c.order, got, c.exact)
		}
	}
}

// By hand, for the square of nodes 0, 1, 4 and 5 in a corner of 4 x 4, which all three allocators
// give to a job of four: in row-major order it goes from rank 0 to 5, and the longest gap on the
// ring is the ten ranks 6 to 15. Hilbert's curve goes through a quarter of the mesh at a time. The
// order is that of the run, whatever the allocator's.
func TestSpansOfAllAllocatorsAreAlongOneOrder(t *testing.T) {
	for order, want := range map[string]float64{"row-major": 6, "hilbert": 4} {
		for _, allocator := range []string{"best-fit-1d:hilbert", "mc1x1", "first-fit"} {
			s := placementSpec(allocator)
			s.Machine.Dims, s.Workload.Processors, s.Workload.Jobs = []int{4, 4}, 4, 1
			s.SpanOrder = order
			r, x := rowsOf(t, s, withJobs)
			if r["span_linear"] != want || r["span_ring"] != want ||
				jobColumn(t, x, "span_linear")[0] != want {
				t.Errorf("%s along %s: linear span %v, ring span %v, want %v", allocator, order,
					r["span_linear"], r["span_ring"], want)
			}
		}
	}
	s := configtest.Tree()
	s.SpanOrder = "hilbert"
	mustRefuse(t, s, "runs.span_order is hilbert: order hilbert needs")
}

// The largest jobs are separated from the others in any order of arrival.
func TestLargestJobs(t *testing.T) {
	s := placementSpec("mbs")
	r, x := rowsOf(t, s, withJobs)
	var largest, service, others metrics.Mean
	sizes, waits := jobColumn(t, x, "processors"), jobColumn(t, x, "wait_time")
	for i, size := range sizes {
		if size == slices.Max(sizes) {
			largest.Add(waits[i])
			service.Add(jobColumn(t, x, "service_time")[i])
		} else {
			others.Add(waits[i])
		}
	}
	for name, want := range map[string]float64{"largest_wait_time": largest.Value(),
		"largest_service_time": service.Value(), "other_wait_time": others.Value()} {
		if got := r[name]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, of the jobs %v", name, got, want)
		}
	}
	s.Workload.Side.Distribution, s.Workload.Side.Value = "fixed", 3
	if _, has := runOf(t, s)["largest_wait_time"]; has {
		t.Error("jobs of one size have largest ones")
	}
}
