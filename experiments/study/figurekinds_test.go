package study

import (
	"reflect"
	"slices"
	"testing"

	"contend/internal/input"
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
	plain := Figure{Name: "a", Kind: "difference", X: "allocator", Metric: "wait_time"}
	logarithmic := plain
	logarithmic.Relative, logarithmic.LogY = "mbs", true
	for want, f := range map[string]Figure{
		"figures[0] is of kind difference and has no relative_to":              plain,
		"figures[0].log_y has no effect on a figure of kind difference: leave": logarithmic,
	} {
		err := f.check("figures[0]", &Study{Name: "x"})
		if err == nil {
			t.Fatalf("no error, want %q", want)
		}
		checkError(t, err, f.Kind, want)
	}
}

// Rows name keys of figures, each once, and tables and words where they need them.
func TestRowsOfFigureKinds(t *testing.T) {
	known := slices.Concat(commonKeys, drawnKeys)
	for _, field := range input.StudyFields(reflect.TypeFor[Figure]()) {
		if key := field.Tag.Get("key"); !slices.Contains(known, key) {
			known = append(known, key)
		}
	}
	for i := range FigureKinds {
		k := &FigureKinds[i]
		keys := slices.Concat(commonKeys, drawnKeys, k.Needs, k.Takes)
		for n, key := range keys {
			if !slices.Contains(known, key) || slices.Contains(keys[:n], key) {
				t.Errorf("%s names %s, which is no key, or has it twice", k.Name, key)
			}
		}
		if k.takes("x") != (k.XKey || k.X != nil) && !k.Table {
			t.Errorf("%s takes x: %v, and the row says what x is: %v", k.Name, k.takes("x"),
				k.XKey || k.X != nil)
		}
		if k.takes("metric") != (k.Metric != nil || k.Check != nil) || k.Doc == "" {
			t.Errorf("%s takes a metric: %v, and nothing or too much says what it is", k.Name,
				k.takes("metric"))
		}
		if k.OnePoint && !k.Recorded || k.Recorded && k.Tables == nil {
			t.Errorf("%s: records %v, one point %v, and tables are named: %v", k.Name, k.Recorded,
				k.OnePoint, k.Tables != nil)
		}
	}
}
