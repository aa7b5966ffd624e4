package sim

import (
	"math"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
)

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
