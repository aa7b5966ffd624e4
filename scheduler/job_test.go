package scheduler

import (
	"errors"
	"math"
	"testing"
)

// field returns the field that an error names.
func field[T any](_ T, err error) string {
	var bad *FieldError
	if !errors.As(err, &bad) {
		return "none"
	}
	return bad.Field
}

// The error of a wrong configuration names the field.
func TestWrongFieldsAreNamed(t *testing.T) {
	fixed := func(mean float64) Distribution { return Distribution{"fixed", mean} }
	synthetic := func(change func(*SyntheticConfig)) string {
		c := plain()
		change(&c)
		return field(NewSynthetic(c))
	}
	side := func(s SideConfig) string {
		return synthetic(func(c *SyntheticConfig) { c.Side = s })
	}
	change := func(c TransformConfig) string { return field(NewTransform(&List{}, c)) }
	for _, c := range []struct{ got, want string }{
		{synthetic(func(c *SyntheticConfig) { c.Jobs = 0 }), "SyntheticConfig.Jobs"},
		{synthetic(func(c *SyntheticConfig) { c.Sides = nil }), "SyntheticConfig.Sides"},
		{synthetic(func(c *SyntheticConfig) { c.Sides = []int{4, 0} }), "SyntheticConfig.Sides"},
		{side(SideConfig{Distribution: "normal"}), "SyntheticConfig.Side.Distribution"},
		{side(SideConfig{Min: 33}), "SyntheticConfig.Side.Min"},
		{side(SideConfig{Min: 5, Max: 4}), "SyntheticConfig.Side.Max"},
		{side(SideConfig{Max: 33}), "SyntheticConfig.Side.Max"},
		{side(SideConfig{Distribution: "fixed"}), "SyntheticConfig.Side.Value"},
		{side(SideConfig{Distribution: "exponential", Mean: -1}), "SyntheticConfig.Side.Mean"},
		{side(SideConfig{Distribution: "exponential", Mean: 1e-4, Outside: "redraw"}),
			"SyntheticConfig.Side.Mean"}, // no side is ever drawn
		{side(SideConfig{Distribution: "exponential", Outside: "x"}), "SyntheticConfig.Side.Outside"},
		{side(SideConfig{Round: "closest"}), "SyntheticConfig.Side.Round"},
		{synthetic(func(c *SyntheticConfig) { c.Sides, c.Side.Distribution = []int{4}, "increasing" }),
			"SyntheticConfig.Side.Distribution"},
		{synthetic(func(c *SyntheticConfig) { c.Interarrival.Kind = "" }),
			"SyntheticConfig.Interarrival.Kind"},
		{synthetic(func(c *SyntheticConfig) { c.Interarrival.Mean = math.NaN() }),
			"SyntheticConfig.Interarrival.Mean"},
		{synthetic(func(c *SyntheticConfig) { c.Service.Kind = "x" }), "SyntheticConfig.Service.Kind"},
		{synthetic(func(c *SyntheticConfig) { c.Quota = fixed(0) }), "SyntheticConfig.Quota.Mean"},
		{synthetic(func(c *SyntheticConfig) { c.PatternQuota = []float64{1, 2} }),
			"SyntheticConfig.PatternQuota"},
		{synthetic(func(c *SyntheticConfig) { c.Patterns = []float64{1, -1} }),
			"SyntheticConfig.Patterns"},
		{synthetic(func(c *SyntheticConfig) { c.Patterns = []float64{0, 0} }),
			"SyntheticConfig.Patterns"},
		{field(NewLublin(LublinConfig{Processors: 4})), "LublinConfig.Jobs"},
		{field(NewLublin(LublinConfig{Processors: 4, Jobs: 1, Kind: "Batch"})), "LublinConfig.Kind"},
		{field(NewLublin(LublinConfig{Jobs: 1})), "LublinConfig.Processors"},
		{field(NewCplantStream(CplantStreamConfig{})), "CplantStreamConfig.Interarrival.Kind"},
		{field(NewCplantStream(CplantStreamConfig{Interarrival: fixed(-1)})),
			"CplantStreamConfig.Interarrival.Mean"},
		{field(NewCplantStream(CplantStreamConfig{Interarrival: fixed(1),
			Service: Distribution{"x", 1}})), "CplantStreamConfig.Service.Kind"},
		{change(TransformConfig{First: -1}), "TransformConfig.First"},
		{change(TransformConfig{Divide: -2}), "TransformConfig.Divide"},
		{change(TransformConfig{Max: -3}), "TransformConfig.Max"},
		{change(TransformConfig{Load: -1}), "TransformConfig.Load"},
		{change(TransformConfig{Work: -0.5}), "TransformConfig.Work"},
		{change(TransformConfig{Round: "x"}), "TransformConfig.Round"},
		{change(TransformConfig{Patterns: []float64{-1}}), "TransformConfig.Patterns"},
		{field(Replicate(nil, 0, 1, 1)), "Replicate.factor"},
		{field(Replicate(nil, 2, -1, 1)), "Replicate.spread"},
		{field(0, Shake(nil, math.NaN(), 1)), "Shake.spread"},
	} {
		if c.got != c.want {
			t.Errorf("the error names %s, want %s", c.got, c.want)
		}
	}
}

func TestClock(t *testing.T) {
	tests := []struct {
		rate, seconds float64
		want          Cycle
	}{
		{0, 1.5, 2}, {0, 2.5, 3}, {1, 2.4, 2}, {1000, 1.0004, 1000}, {1000, 1.0005, 1001},
		{0.5, 3, 2}, {1, -4, 0}, {1, 1e300, MaxCycle}, {1e9, 1e12, MaxCycle},
	}
	for _, test := range tests {
		c := Clock{CyclesPerSecond: test.rate}
		if got := c.Cycles(test.seconds); got != test.want {
			t.Errorf("rate %v: %v s is %d cycles, want %d", test.rate, test.seconds, got, test.want)
		}
	}
	if got := (Clock{CyclesPerSecond: 4}).Seconds(6); got != 1.5 {
		t.Errorf("6 cycles of a quarter second are %v s", got)
	}
}
