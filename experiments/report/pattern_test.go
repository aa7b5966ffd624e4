package report

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
)

// The figure has the bytes of the matrix in the unit it names.
func TestMatrixFigure(t *testing.T) {
	s := config.DefaultSpec()
	s.Job.Pattern = configtest.Mix("npb-mg")
	reports := must.Have(ReportPattern(&s, 16))
	f := must.Have(reports[0].figure())
	if !f.Colour.Log || f.Colour.Label != "kB an iteration" || len(f.Series) != 16 {
		t.Errorf("%+v", f.Colour)
	}
	for i, row := range f.Series {
		for j, y := range row.Y {
			if bytes := reports[0].Matrix.Bytes[16*i+j]; bytes == 0 != math.IsNaN(y) || bytes > 0 &&
				math.Abs(y*1000-float64(bytes)) > 1e-6*float64(bytes) {
				t.Errorf("%v from %d to %d, want %d bytes", y, i, j, bytes)
			}
		}
	}
	for processes, want := range map[int]string{1: "has no messages to draw",
		512: "a matrix of 512 processes"} {
		_, err := must.Have(ReportPattern(&s, processes))[0].figure()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d processes: %v", processes, err)
		}
	}
	if _, err := ReportPattern(&s, 12); err == nil {
		t.Error("MG on 12 processes")
	}
}
