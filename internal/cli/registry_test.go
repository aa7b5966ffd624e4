package cli

import (
	"bytes"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

// A registry in which something is wrong ends the program before its command.
func TestRunRefusesABadRegistry(t *testing.T) {
	r := cosim.Builtin()
	r.Metrics = append(r.Metrics, spec.Metric{Name: "makespan", Doc: "again",
		New: func(spec.MetricRun) spec.Meter { return nil }})
	var out, errs bytes.Buffer
	status := Run([]string{"list", "metrics"}, &out, &errs, r)
	if want := "contend: registry: metrics: \"makespan\" occurs twice\n"; status != exitFailed ||
		errs.String() != want || out.Len() > 0 {
		t.Errorf("status %d, %q, %q", status, errs.String(), out.String())
	}
}
