package experiments

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"contend/patterns"
)

func TestParseMix(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Weighted
	}{
		{"ring", []Weighted{{"ring", "", 1}}},
		{"ring:2+fft", []Weighted{{"ring", "", 2}, {"fft", "", 1}}},
		{"npb-ft:A", []Weighted{{"npb-ft", "A", 1}}},
		{"npb-ft:A:3 + npb-ft:S+npb-ft:0.5", []Weighted{{"npb-ft", "A", 3}, {"npb-ft", "S", 1}, {"npb-ft", "", 0.5}}},
	} {
		if got, err := ParseMix(c.text); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"npb-ft:A+npb-ft:A": "which has npb-ft:A twice",
		"npb-ft:D":          `where "D" of npb-ft is neither a class, of S, W, A, B, C, nor a weight above 0`,
		"npb-ft:A:x":        `where the weight "x" of npb-ft is not a number above 0`,
		"ring:A":            `where the weight "A" of ring is not a number above 0`,
	} {
		if got, err := ParseMix(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// The class of a name wins over job.class, and all keys get to the pattern.
func TestPatternConfig(t *testing.T) {
	s := DefaultSpec()
	s.Job.Class, s.Job.Scale, s.Job.Bytes, s.Network.FlitBytes = "W", 0.5, 99, 4
	for class, want := range map[string]string{"": "W", "B": "B"} {
		c := patternConfig(&s, Weighted{Name: "npb-bt", Class: class})
		if c.Class != want || c.Scale != 0.5 || c.Bytes != 99 || c.FlitBytes != 4 {
			t.Errorf("class %q: %+v", class, c)
		}
	}
}

// Messages of a known length let the network choose its engine; sizes in bytes
// do not.
func TestMessageFlits(t *testing.T) {
	for pattern, want := range map[string]int{"ring:1+fft": 8, "npb-lu": 0, "ring+all-reduce-tree": 0} {
		s := DefaultSpec()
		s.Job.Pattern = pattern
		if got := s.messageFlits(); got != want {
			t.Errorf("%s: %d, want %d", pattern, got, want)
		}
	}
}

// Messages with sizes in bytes are padded to what the network was promised,
// those that count in flits are not; so a mix of both promises nothing.
func TestMessageMultiple(t *testing.T) {
	for pattern, want := range map[string]int{"npb-lu:A:2+all-gather-ring": 6, "ring": 0, "npb-lu+ring": 0, "call": 0} {
		s := DefaultSpec()
		s.Job.Pattern, s.Network.PadFlits = pattern, 6
		if got := s.messageMultiple(); got != want {
			t.Errorf("%s: %d, want %d", pattern, got, want)
		}
	}
}

// Every pattern with sizes in bytes has its place in docs/patterns.md.
func TestPatternManualHasAll(t *testing.T) {
	text, err := PatternManual()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range patterns.Names() {
		want := "| `" + i.Name
		if patterns.OwnSizes(i.Name) != strings.Contains(text, want+"`") {
			t.Errorf("%s: in the manual or not, where it should be otherwise", i.Name)
		}
	}
}

// The figure has the bytes of the matrix in the unit it names.
func TestMatrixFigure(t *testing.T) {
	s := DefaultSpec()
	s.Job.Pattern = "npb-mg"
	reports, err := ReportPattern(&s, 16)
	if err != nil {
		t.Fatal(err)
	}
	f, err := reports[0].figure()
	if err != nil {
		t.Fatal(err)
	}
	if !f.Colour.Log || f.Colour.Label != "kB an iteration" || len(f.Series) != 16 {
		t.Errorf("%+v", f.Colour)
	}
	for i, row := range f.Series {
		for j, y := range row.Y {
			if bytes := reports[0].Matrix.Bytes[16*i+j]; bytes == 0 != math.IsNaN(y) || bytes > 0 && math.Abs(y*1000-float64(bytes)) > 1e-6*float64(bytes) {
				t.Errorf("%v from %d to %d, want %d bytes", y, i, j, bytes)
			}
		}
	}
	for processes, want := range map[int]string{1: "has no messages to draw", 512: "a matrix of 512 processes"} {
		if reports, err = ReportPattern(&s, processes); err != nil {
			t.Fatal(err)
		}
		if _, err := reports[0].figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d processes: %v", processes, err)
		}
	}
	if _, err := ReportPattern(&s, 12); err == nil {
		t.Error("MG on 12 processes")
	}
}

// A study of NAS codes runs, on both engines alike, with software latency too.
func TestCodesInStudies(t *testing.T) {
	for _, pattern := range []string{"npb-lu:S+npb-mg:S:2", "all-reduce-ring"} {
		var finish []float64
		for _, engine := range []string{"cycle", "worm"} {
			s := DefaultSpec()
			s.Machine.Dims, s.Network.Engine = []int{8, 8}, engine
			s.Workload.Jobs, s.Workload.Side.Distribution, s.Workload.Side.Value = 6, "fixed", 4
			s.Job.Pattern, s.Job.Scale, s.Job.SendCycles, s.Job.ReceiveCycles = pattern, 0.1, 20, 30
			s.Job.Quota.Distribution = "fixed"
			finish = append(finish, value(t, mustRun(t, s, 0), "finish_time"))
		}
		if finish[0] != finish[1] || finish[0] <= 0 {
			t.Errorf("%s: the engines end at %v", pattern, finish)
		}
	}
}
