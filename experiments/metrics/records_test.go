package metrics

import (
	"testing"

	"contend/experiments/config/configtest"
	"contend/internal/table"
)

// A job on a machine too large to measure has empty cells: a 0 would pass for a compact job.
func TestNoMeasuresAreNoZeros(t *testing.T) {
	row := JobRow{meter: &PlacementMeter{}}
	cells := configtest.Rows(JobTable.Columns, JobTable.Rows(&Records{JobRows: []JobRow{row}}))[0]
	for _, m := range placementMeasures {
		if x, has := cells[m.info.Name]; has {
			t.Errorf("%s is %v", m.info.Name, x)
		}
	}
}

// BenchmarkJobRows writes the rows of jobs of a log as CSV.
func BenchmarkJobRows(b *testing.B) {
	row := JobRow{meter: &PlacementMeter{}, Reserved: 32, Pattern: "all-to-all"}
	row.ID, row.Processors, row.Nodes = 12345, 32, "0-15,32-47"
	row.Submit, row.Start, row.End = 1_000_001, 1_234_567, 2_000_000
	row.Sent.Packets, row.Sent.Latency, row.Sent.NetworkLatency = 99_991, 12_345_678, 11_345_678
	row.slowdowns = *unknownSlowdowns(false)
	x, text := &Records{JobRows: []JobRow{row}}, []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		JobTable.Rows(x)(func(cells ...table.Value) error {
			text = table.AppendCSV(text[:0], cells)
			return nil
		})
	}
}
