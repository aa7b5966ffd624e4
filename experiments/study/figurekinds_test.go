package study

import (
	"testing"
)

// A factor of the abscissa changes its unit, so the figure has to name the new one.
func TestScaledAbscissaNeedsALabel(t *testing.T) {
	st := &Study{Name: "x"}
	f := Figure{Name: "a", Kind: "scatter", X: "service_time", Metric: "wait_time", XScale: 0.001}
	if err := f.check("figures[0]", st); err == nil ||
		err.Key != "figures[0].x_label" {
		t.Errorf("the error is %v", err)
	}
	f.XLabel = "Service time (ks)"
	if err := f.check("figures[0]", st); err != nil {
		t.Error(err)
	}
}
