package sim

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"

	"contend/experiments/config/configtest"
)

func placementSpec(allocator string) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims = []int{8, 8}
	s.Workload.Jobs, s.Workload.SystemLoad = 60, 5
	s.Job.Run = "fixed"
	a, err := config.ParseAllocator(allocator, config.BuiltinNames())
	if err != nil {
		panic(err)
	}
	s.Allocator = a
	return s
}

// runJobs runs a spec and returns its result and the numbers of its jobs by column.
func runJobs(t *testing.T, s config.Spec) (metrics.Result, []map[string]float64) {
	t.Helper()
	var sim Simulator
	extra := &Extra{Records: metrics.Records{Jobs: true}}
	r, err := configtest.Run(context.Background(), sim.Run, s, 0, extra)
	if err != nil {
		t.Fatal(err)
	}
	return r, configtest.Rows(metrics.JobTable.Names(), extra.JobRows)
}

// Means agree with the rows of the jobs.
func TestPlacementMetricsAreThoseOfTheJobs(t *testing.T) {
	r, jobs := runJobs(t, placementSpec("hilbert/best-fit-1d"))
	for metric, column := range map[string]string{"span_ring": "span_ring",
		"span_linear": "span_linear", "components": "components",
		"bounding_cube_ratio": "bounding_cube_ratio", "mean_pairwise_distance": "mean_pairwise_distance",
		"dispersal": "dispersal"} {
		var mean metrics.Mean
		for _, j := range jobs {
			mean.Add(j[column])
		}
		got, want := configtest.Value(t, &r, metric), mean.Value()
		if math.Abs(got-want) > 1e-9*want || want == 0 {
			t.Errorf("%s is %v, of the jobs %v", metric, got, want)
		}
	}
}

// Along a packer's own order the span of jobs that all fit next to each other is the number of
// their processors.
func TestSpanOfPackersAlongTheirOrder(t *testing.T) {
	for _, c := range []struct {
		allocator, order string
		exact            bool
	}{
		{"best-fit-1d", "row-major", true}, {"hilbert/best-fit-1d", "hilbert", true},
		{"snake/first-fit-1d:linear", "snake", true}, {"paging:0,snake", "snake", true},
		{"hilbert/best-fit-1d", "row-major", false}, {"mbs", "row-major", false},
	} {
		s := placementSpec(c.allocator)
		s.Workload.Jobs, s.Workload.SystemLoad = 40, 0.01 // one at a time
		s.SpanOrder = c.order
		r, _ := runJobs(t, s)
		if got := configtest.Value(t, &r, "stretch_span"); (got == 1) != c.exact {
			t.Errorf("%s along %s: stretch-span %v on an empty machine; 1 wanted: %v", c.allocator,
				c.order, got, c.exact)
		}
	}
}

// Ranks alone decide where a packer packs: along rows it has the spans, measured along rows, that it
// has along a curve, measured along that.
func TestSpansOfPackersAreThoseOfRanks(t *testing.T) {
	var spans []float64
	for _, order := range []string{"row-major", "hilbert"} {
		s := placementSpec(order + "/best-fit-1d")
		s.SpanOrder = order
		r, _ := runJobs(t, s)
		spans = append(spans, configtest.Value(t, &r, "span_ring"))
	}
	if spans[0] != spans[1] {
		t.Errorf("spans %v", spans)
	}
}

// By hand, for the square of nodes 0, 1, 4 and 5 in a corner of 4 x 4, which all three allocators
// give to a job of four: in row-major order it goes from rank 0 to 5, and the longest gap on the
// ring is the ten ranks 6 to 15. Hilbert's curve goes through a quarter of the mesh at a time. The
// order is that of the run, whatever the allocator's.
func TestSpansOfAllAllocatorsAreAlongOneOrder(t *testing.T) {
	for order, want := range map[string]float64{"row-major": 6, "hilbert": 4} {
		for _, allocator := range []string{"hilbert/best-fit-1d", "mc1x1", "first-fit"} {
			s := placementSpec(allocator)
			s.Machine.Dims, s.Workload.Processors, s.Workload.Jobs = []int{4, 4}, 4, 1
			s.SpanOrder = order
			r, jobs := runJobs(t, s)
			linear, ring := configtest.Value(t, &r, "span_linear"), configtest.Value(t, &r, "span_ring")
			if linear != want || ring != want || jobs[0]["span_linear"] != want {
				t.Errorf("%s along %s: linear span %v, ring span %v, want %v", allocator, order, linear,
					ring, want)
			}
		}
	}
}

// An order that the machine does not have is refused by the name of the key.
func TestSpanOrderOfAnotherMachineIsRefused(t *testing.T) {
	s := configtest.Tree()
	s.SpanOrder = "hilbert"
	err := configtest.Check(new(Simulator), s)
	if err == nil || !strings.HasPrefix(err.Error(), "runs.span_order is hilbert: order hilbert needs") {
		t.Error(err)
	}
	s.SpanOrder = "row-major"
	if err := configtest.Check(new(Simulator), s); err != nil {
		t.Error(err)
	}
}

// Jobs in one subtree of their level have no processor away, and the level of that subtree.
func TestPlacementOnTrees(t *testing.T) {
	s := configtest.Tree()
	s.Job.Run, s.Workload.Jobs, s.Workload.SystemLoad = "fixed", 80, 4
	s.Workload.Side.Min, s.Workload.Side.Max = 3, 4
	s.Allocator = config.AllocatorSpec{Name: "contiguous", Order: "row-major"}
	contiguous, _ := runJobs(t, s)
	s.Allocator.Name = "random"
	random, _ := runJobs(t, s)
	level := configtest.Value(t, &contiguous, "tree_level")
	away := configtest.Value(t, &contiguous, "tree_away")
	if level != 2 || away != 0 {
		t.Errorf("contiguous: level %v, %v away; want 2 and 0", level, away)
	}
	level, away = configtest.Value(t, &random, "tree_level"), configtest.Value(t, &random, "tree_away")
	if level < 2.5 || away < 1 {
		t.Errorf("random: level %v, %v away", level, away)
	}
	if _, ok := random.Value("bounding_cube_ratio"); ok {
		t.Error("a tree has boxes")
	}
}

// Jobs of one group's size that are placed one at a time in the order of nodes stay in their
// group; at random they do not. A mesh has no groups.
func TestGroupsOfPlacements(t *testing.T) {
	s := placementSpec("sequential")
	s.Machine = config.MachineSpec{Topology: "dragonfly", GroupRouters: 4, GlobalLinks: 2,
		Concentration: 2, Groups: 9}
	s.Workload.SystemLoad = 0.001
	s.Workload.Processors = 8
	sequential, _ := runJobs(t, s)
	if got := configtest.Value(t, &sequential, "groups_spanned"); got != 1 {
		t.Errorf("sequential: %v groups for jobs of one group's size", got)
	}
	s.Allocator = config.AllocatorSpec{Name: "random"}
	random, _ := runJobs(t, s)
	if got := configtest.Value(t, &random, "groups_spanned"); got < 4 || got > 8 {
		t.Errorf("random: %v groups in the mean for 8 nodes", got)
	}
	mesh, _ := runJobs(t, placementSpec("random"))
	if _, ok := mesh.Value("groups_spanned"); ok {
		t.Error("a mesh has groups")
	}
}

// The largest jobs are separated from the others in any order of arrival.
func TestLargestJobs(t *testing.T) {
	r, jobs := runJobs(t, placementSpec("mbs"))
	size := slices.MaxFunc(jobs, func(a, b map[string]float64) int {
		return int(a["processors"] - b["processors"])
	})["processors"]
	var largest, service, others metrics.Mean
	for _, j := range jobs {
		if j["processors"] == size {
			largest.Add(j["wait_time"])
			service.Add(j["service_time"])
		} else {
			others.Add(j["wait_time"])
		}
	}
	for name, want := range map[string]float64{"largest_wait_time": largest.Value(),
		"largest_service_time": service.Value(), "other_wait_time": others.Value()} {
		if got := configtest.Value(t, &r, name); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, of the jobs %v", name, got, want)
		}
	}
	s := placementSpec("mbs")
	s.Workload.Side.Distribution, s.Workload.Side.Value = "fixed", 3
	if r, _ := runJobs(t, s); !math.IsNaN(valueOr(r, "largest_wait_time")) {
		t.Error("jobs of one size have largest ones")
	}
}

func valueOr(r metrics.Result, name string) float64 {
	if v, ok := r.Value(name); ok {
		return v
	}
	return math.NaN()
}
