package tables

import (
	"bytes"
	"encoding/csv"
	"testing"

	"contend/experiments/experimentstest"
)

// Cells of summary.csv have the types that datapackage.json says.
func TestCellsOfTheSummaryHaveTheirTypes(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210},
		{290, 330}, {112, 116}, {395}, {1, 2}})
	var b bytes.Buffer
	if err := WriteSummary(r, &b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns, first := SummaryTable().Columns, len(r.AxisKeys())
	if len(lines) < 3 || len(lines[0]) != first+len(columns) {
		t.Fatalf("%d rows of %d columns", len(lines), len(lines[0]))
	}
	for _, line := range lines[1:] {
		for i := range columns {
			if _, err := columns[i].Parse(line[first+i]); err != nil {
				t.Errorf("%s: %v", columns[i].Name, err)
			}
		}
	}
}
