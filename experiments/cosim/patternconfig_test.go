package cosim

import (
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// The class of a name wins over job.class, and all keys get to the pattern.
func TestPatternConfig(t *testing.T) {
	s := spec.DefaultSpec()
	s.Job.Class, s.Job.Scale, s.Job.Bytes, s.Network.FlitBytes = "W", 0.5, 99, 4
	for class, want := range map[string]string{"": "W", "B": "B"} {
		c := s.PatternConfig(spec.Weighted{Name: "npb-bt", Class: class})
		if c.Class != want || c.Scale != 0.5 || c.Bytes != 99 || c.FlitBytes != 4 {
			t.Errorf("class %q: %+v", class, c)
		}
	}
}

// A study of NAS codes runs, on both engines alike, with software latency too.
func TestCodesInStudies(t *testing.T) {
	for _, pattern := range []string{"npb-lu:S+npb-mg:S:2", "all-reduce-ring"} {
		var finish []float64
		for _, engine := range []string{"cycle", "worm"} {
			s := spec.DefaultSpec()
			s.Machine.Dims, s.Network.Engine = []int{8, 8}, engine
			s.Workload.Jobs, s.Workload.Side.Distribution, s.Workload.Side.Value = 6, "fixed", 4
			s.Job.Pattern, s.Job.Scale, s.Job.SendCycles, s.Job.ReceiveCycles = pattern, 0.1, 20, 30
			s.Job.Quota.Distribution = "fixed"
			finish = append(finish, spectest.Value(t, mustRun(t, s, 0), "finish_time"))
		}
		if finish[0] != finish[1] || finish[0] <= 0 {
			t.Errorf("%s: the engines end at %v", pattern, finish)
		}
	}
}
