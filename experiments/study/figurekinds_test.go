package study

import (
	"testing"
)

func TestMomentInPercentOfTheRun(t *testing.T) {
	for _, c := range []struct {
		figure Figure
		timed  bool
		want   float64
	}{
		{Figure{}, false, 0},
		{Figure{Time: 30}, true, 30},
		{Figure{TimePercent: 25}, true, 200},
	} {
		if got := c.figure.Moment(800); got != c.want || c.figure.Timed() != c.timed {
			t.Errorf("%+v: %v, %v", c.figure, got, c.figure.Timed())
		}
	}
}

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
