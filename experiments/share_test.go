package experiments

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
	"contend/internal/papertest"
)

// On a real log jobs run as long as it says where they are kept together, and
// longer where they are not, the longer the more they communicate.
func TestClosedLoopOnHPC2N(t *testing.T) {
	st, err := study.Load("pascual-closed-loop", spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	sim := cosim.Simulator{TraceDirs: []string{filepath.Join("..", "..", "shared", "traces")}}
	if _, err := input.FindTrace(st.Base.Workload.Trace, sim.TraceDirs); err != nil {
		papertest.NoLog(t, err)
	}
	s := st.Base
	s.Workload.Jobs, s.Job.Pattern, s.Scheduler.Policy = 400, "near-neighbour", "easy"
	service := func(allocator string, share float64) float64 {
		s.Allocator.Name, s.Job.Share = allocator, share
		r, err := spectest.Run(context.Background(), sim.Run, s, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := r.Value("service_time")
		return v
	}
	log := service("contiguous", 0)
	if v := service("contiguous", 0.8); math.Abs(v/log-1) > 0.01 {
		t.Errorf("contiguous, four fifths of communication: jobs run %v, the log has %v", v, log)
	}
	some, much := service("sequential", 0.2), service("sequential", 0.8)
	if !(log < some && some < much) {
		t.Errorf("sequential: jobs run %v with none, %v with a fifth and %v with four fifths of "+
			"communication", log, some, much)
	}
}
