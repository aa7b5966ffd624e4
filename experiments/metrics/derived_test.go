package metrics

import (
	"math"
	"testing"
)

// A difference is computed from both of its metrics, by name and by place, and undefined without
// one of them; JSON has the stored metrics alone.
func TestDerivedMetrics(t *testing.T) {
	for _, c := range []struct {
		latency, blocking float64
		want              float64
		ok                bool
	}{{60, 12.5, 47.5, true}, {60, math.NaN(), 0, false}, {math.NaN(), 12.5, 0, false}} {
		r := Result{Metrics: []Metric{{"entry_blocking_time", c.blocking}, {"entry_latency", c.latency}}}
		got, ok := r.Value("unblocked_latency")
		picked, both := NewPicker([]string{"unblocked_latency"}).Value(&r, 0)
		if ok != c.ok || both != c.ok || ok && (got != c.want || picked != c.want) {
			t.Errorf("latency %v, blocking %v: %v %v and %v %v, want %v %v", c.latency, c.blocking, got, ok,
				picked, both, c.want, c.ok)
		}
	}
	r := Result{Metrics: []Metric{{"entry_blocking_time", 1}, {"entry_latency", 3}}}
	text, err := r.MarshalJSON()
	if want := `{"entry_blocking_time":1,"entry_latency":3}`; err != nil || string(text) != want {
		t.Errorf("%s, want %s: %v", text, want, err)
	}
	if x, ok := (&Result{}).Value("no such metric"); ok {
		t.Errorf("a metric that is none is %v", x)
	}
}
