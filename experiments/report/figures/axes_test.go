package figures

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/figure"
)

// crossedStudy is a recorded study of two axes.
const crossedStudy = experimentstest.RecordedStudy + `
[[axes]]
key = "workload.interarrival.mean"
values = [300, 3000]
`

// An axis that a figure of records has neither as x nor as series gets panels, so that every
// point of the study is in the figure and in its numbers once.
func TestRemainingAxesArePanels(t *testing.T) {
	r := experimentstest.Recorded(t, crossedStudy, experiments.Tables{Jobs: true, Series: true})
	for _, f := range []experiments.Figure{
		{Kind: "box", X: "allocator"},
		{Kind: "box", Series: "allocator"},
		{Kind: "ecdf", Series: "allocator"},
		{Kind: "series", Series: "allocator"},
	} {
		f.Name = f.Kind
		if err := r.Study.CheckFigure(&f, r.Names); err == nil ||
			!strings.Contains(err.Error(), "differ in workload.interarrival.mean") {
			t.Errorf("%s without panels: %v", f.Kind, err)
		}
		notes := r.Study.SplitFigure(&f, r.Names)
		if len(notes) != 1 || !slices.Equal(f.Panels, []string{"workload.interarrival.mean"}) {
			t.Errorf("%s: panels %q, notes %q", f.Kind, f.Panels, notes)
		}
		d := draw(t, r, f).(figure.Figure)
		if len(d.Panels) != 2 || !strings.HasSuffix(d.Description,
			" A panel for each interarrival mean.") {
			t.Fatalf("%s: %d panels, %q", f.Kind, len(d.Panels), d.Description)
		}
		one := f // the point of the second panel and the first allocator alone
		one.Panels = nil
		one.Where = map[string]any{"workload.interarrival.mean": 3000.0, "allocator": "mbs"}
		alone := draw(t, r, one).(figure.Figure)
		if got, want := d.Panels[1].Series[0].Y[0], alone.Series[0].Y[0]; got != want {
			t.Errorf("%s: %v, alone %v", f.Kind, got, want)
		}
		checkRows(t, d)
	}
}

// checkRows fails if a line of the numbers behind a figure is as long as no header, or if two
// lines of a figure with categories stand for the same place.
func checkRows(t *testing.T, d figure.Figure) {
	t.Helper()
	var b bytes.Buffer
	if err := figure.WriteCSV(&b, d); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for _, line := range lines {
		if strings.Count(line, ",") != strings.Count(lines[0], ",") {
			t.Errorf("%q under %q", line, lines[0])
		}
		place := strings.Join(strings.SplitN(line, ",", 4)[:3], ",")
		if d.Categories != nil && seen[place] {
			t.Errorf("%s is there twice", place)
		}
		seen[place] = true
	}
}

// Without series, records of each point have a line or a box of their own.
func TestEveryPointHasALine(t *testing.T) {
	r := experimentstest.Recorded(t, crossedStudy, experiments.Tables{Jobs: true, Series: true})
	want := []string{"mbs, 300", "mbs, 3000", "random, 300", "random, 3000"}
	for _, kind := range []string{"box", "ecdf", "series"} {
		d := draw(t, r, experiments.Figure{Kind: kind}).(figure.Figure)
		names := d.Categories
		if kind != "box" {
			names = nil
			for _, s := range d.Series {
				names = append(names, s.Name)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q", kind, names)
		}
	}
}
