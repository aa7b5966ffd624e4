package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
)

func TestTicks(t *testing.T) {
	always := func([]plot.Tick) bool { return true }
	atMost := func(n int) fits { return func(t []plot.Tick) bool { return countLabels(t) <= n } }
	for _, c := range []struct {
		s    scale
		ok   fits
		want string
	}{
		{scale{lo: 0, hi: 3, log: false}, always, "0 0.5 1.0 1.5 2.0 2.5 3.0"},
		{scale{lo: 0, hi: 3, log: false}, atMost(4), "0 1 2 3"},
		{scale{lo: -20, hi: 20, log: false}, always, "−20 −10 0 10 20"},
		{scale{hi: 25000}, always, "0 5000 10\u2009000 15\u2009000 20\u2009000 25\u2009000"},
		{scale{lo: 0, hi: 2e8, log: false}, always, "0 5e7 1.0e8 1.5e8 2.0e8"},
		{scale{lo: 1, hi: 100, log: true}, always, "1 2 5 10 20 50 100"},
		{scale{lo: 0.02, hi: 1, log: true}, always, "0.02 0.05 0.1 0.2 0.5 1"},
		{scale{lo: 1, hi: 100, log: true}, atMost(3), "1 10 100"},
		{scale{lo: 1, hi: 1e6, log: true}, atMost(4), "1 100 10\u2009000 1\u2009000\u2009000"},
		{scale{lo: 3, hi: 4, log: true}, always, "3.0 3.5 4.0"},
		{scale{lo: 3, hi: 4, log: true}, atMost(2), "3 4"},
		{scale{lo: 6, hi: 9, log: false}, atMost(2), "6 8"},
		{scale{lo: 6, hi: 9, log: false}, atMost(1), "6.0"},
		{scale{lo: 1e-50, hi: 1e50, log: true}, atMost(3), "1e-40 1 1e40"},
	} {
		var got []string
		for _, tick := range c.s.ticks(c.ok) {
			if !tick.IsMinor() {
				got = append(got, tick.Label)
			}
		}
		want := strings.ReplaceAll(c.want, "e-", "e−")
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%v: %s", c.s, diff)
		}
	}
}

func TestRanges(t *testing.T) {
	snap, loose, zero := extent{snap: true}, extent{}, extent{zero: true, snap: true}
	near := extent{edge: true, near: true}
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		e      extent
		want   scale
	}{
		{Axis{}, 0.4, 2.7, zero, scale{lo: 0, hi: 3, log: false}},
		{Axis{}, 90, 95, zero, scale{lo: 0, hi: 100, log: false}},
		{Axis{}, 90, 100, loose, scale{lo: 89.7, hi: 100.3, log: false}},
		{Axis{}, -8, -3, zero, scale{lo: -10, hi: 0, log: false}},
		{Axis{}, 5, 5, loose, scale{lo: 4.47, hi: 5.53, log: false}},
		{Axis{Min: new(0.0), Max: new(200.0)}, 20, 1500, snap, scale{lo: 0, hi: 200, log: false}},
		{Axis{Min: new(9.0)}, 1, 3, snap, scale{lo: 9, hi: 10, log: false}},
		{Axis{}, 0.3, 0.95, near, scale{lo: 0.2805, hi: 0.9695, log: false}},
		{Axis{}, 0.6, 0.95, near, scale{lo: 0.5895, hi: 0.9605, log: false}},
		{Axis{}, 0.1, 0.9, near, scale{lo: 0, hi: 0.927, log: false}},
		{Axis{Log: true}, 23, 1400, snap, scale{lo: 20, hi: 2000, log: true}},
		{Axis{Log: true}, 1, 100, snap, scale{lo: 1, hi: 100, log: true}},
		{Axis{Log: true}, 7, 7, snap, scale{lo: 2, hi: 20, log: true}},
	} {
		got := newScale(c.axis, c.lo, c.hi, c.e)
		if math.Abs(got.lo-c.want.lo) > 1e-6 || math.Abs(got.hi-c.want.hi) > 1e-6 ||
			got.log != c.want.log {
			t.Errorf("%g to %g: %v, want %v", c.lo, c.hi, got, c.want)
		}
	}
}
