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

// A figure of differences needs what to subtract, and has no logarithm and no gain.
func TestFiguresOfDifferences(t *testing.T) {
	plain := Figure{Name: "a", Kind: DifferenceKind, X: "allocator", Metric: "wait_time"}
	logarithmic := plain
	logarithmic.Relative, logarithmic.LogY = "mbs", true
	for want, f := range map[string]Figure{
		"figures[0] is of kind difference and has no relative_to":                  plain,
		"figures[0] is of kind difference, which has none of them: leave out gain": logarithmic,
	} {
		err := f.check("figures[0]", &Study{Name: "x"})
		if err == nil {
			t.Fatalf("no error, want %q", want)
		}
		checkError(t, err, f.Kind, want)
	}
}
