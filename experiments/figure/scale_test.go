package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
)

func TestTicks(t *testing.T) {
	always := func([]plot.Tick) bool { return true }
	atMost := func(n int) fits { return func(t []plot.Tick) bool { return labelled(t) <= n } }
	for _, c := range []struct {
		s    scale
		ok   fits
		want string
	}{
		{scale{0, 3, false}, always, "0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{scale{0, 3, false}, atMost(4), "0 1 2 3"},
		{scale{-20, 20, false}, always, "−20 −10 0 10 20"},
		{scale{0, 25000, false}, always, "0 5000 10\u2009000 15\u2009000 20\u2009000 25\u2009000"},
		{scale{0, 2e8, false}, always, "0 5e7 1.0e8 1.5e8 2.0e8"},
		{scale{1, 100, true}, always, "1 2 5 10 20 50 100"},
		{scale{0.02, 1, true}, always, "0.02 0.05 0.1 0.2 0.5 1"},
		{scale{1, 100, true}, atMost(3), "1 10 100"},
		{scale{1, 1e6, true}, atMost(4), "1 100 10\u2009000 1\u2009000\u2009000"},
		{scale{3, 4, true}, always, "3.0 3.5 4.0"},
		{scale{3, 4, true}, atMost(2), "3 4"},
		{scale{6, 9, false}, atMost(2), "6 8"},
		{scale{6, 9, false}, atMost(1), "6.0"},
		{scale{1e-50, 1e50, true}, atMost(3), "1e-40 1 1e40"},
	} {
		var got []string
		for _, tick := range c.s.ticks(c.ok) {
			if !tick.IsMinor() {
				got = append(got, tick.Label)
			}
		}
		if diff := cmp.Diff(strings.ReplaceAll(c.want, "e-", "e−"), strings.Join(got, " ")); diff != "" {
			t.Errorf("%v: %s", c.s, diff)
		}
	}
}

func TestRanges(t *testing.T) {
	snap, loose, zero := extent{snap: true}, extent{}, extent{zero: true, snap: true}
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		e      extent
		want   scale
	}{
		{Axis{}, 0.4, 2.7, zero, scale{0, 3, false}},
		{Axis{}, 90, 95, zero, scale{0, 100, false}},
		{Axis{}, 90, 100, loose, scale{89.7, 100.3, false}},
		{Axis{}, -8, -3, zero, scale{-10, 0, false}},
		{Axis{}, 5, 5, loose, scale{4.47, 5.53, false}},
		{Axis{Min: new(0.0), Max: new(200.0)}, 20, 1500, snap, scale{0, 200, false}},
		{Axis{Min: new(9.0)}, 1, 3, snap, scale{9, 10, false}},
		{Axis{Log: true}, 23, 1400, snap, scale{20, 2000, true}},
		{Axis{Log: true}, 1, 100, snap, scale{1, 100, true}},
		{Axis{Log: true}, 7, 7, snap, scale{2, 20, true}},
	} {
		got := newScale(c.axis, c.lo, c.hi, c.e)
		if math.Abs(got.lo-c.want.lo) > 1e-6 || math.Abs(got.hi-c.want.hi) > 1e-6 ||
			got.log != c.want.log {
			t.Errorf("%g to %g: %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
}
