package sim

import (
	"context"
	"errors"
	"testing"
	"time"

	"contend/experiments/config/configtest"
)

// A run stops soon after its context ends, while a single message is under way that takes hours:
// in the simulation of every flit, before a jump, in open-loop traffic, and while a job is
// simulated alone, as for a calibration.
func TestRunsStopDuringALongMessage(t *testing.T) {
	long := map[string]any{"machine.dims": []any{int64(8), int64(8)}, "workload.jobs": int64(2),
		"workload.side.max": int64(2), "job.pattern": "ring", "job.flits": int64(2_000_000_000)}
	for name, keys := range map[string]map[string]any{
		"every flit":  {},
		"jumps":       {"runs.fast_forward": 0.05},
		"calibration": {"workload.system_load": 0.5},
		"threads":     {"network.virtual_channels": int64(2), "runs.threads": int64(2)},
		"traffic": {"workload.source": "traffic", "workload.jobs": nil, "workload.side.max": nil,
			"job.pattern": nil, "workload.traffic_load": 0.5},
	} {
		all := map[string]any{}
		for _, list := range []map[string]any{long, keys} {
			for key, value := range list {
				if all[key] = value; value == nil {
					delete(all, key)
				}
			}
		}
		spec := specWith(t, all)
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err := (&Simulator{}).Run(ctx, configtest.Plan(t, spec), 0, nil)
		if took := time.Since(began); !errors.Is(err, context.Canceled) || took > 10*time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}
