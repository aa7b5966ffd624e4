package export

import (
	"bytes"
	"encoding/csv"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"contend/experiments"
	"contend/experiments/cosim/metrics"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

// parquetStudy has an axis of every type of column.
const parquetStudy = `
name = "parquet"
[allocator]
name = "first-fit"
[[axes]]
key = "workload.interarrival.mean"
values = [0.5, 3000000.0]
[[axes]]
key = "job.pattern"
values = ["ring", "fft"]
[[axes]]
key = "allocator.rotate"
values = [false, true]
[[axes]]
key = "network.buffer_flits"
values = [1, 16]
[[axes]]
key = "job.cycles_per_second"
values = ["auto", 1000000]
[[axes]]
key = "machine.dims"
values = [[8, 8]]
`

// runs.parquet has the columns of runs.csv in their order, each in its type, and
// the values exact.
func TestParquetHoldsTheRows(t *testing.T) {
	st, err := study.Parse("x.toml", parquetStudy, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	r, err := experiments.NewMemory("test").Results(st, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Points {
		for rep := range 2 {
			value := 1217942.0 + float64(10*i+rep)/3
			r.Runs[i] = append(r.Runs[i], metrics.Result{Metrics: []metrics.Metric{{Name: "utilization",
				Value: value}}})
		}
	}
	var b, text bytes.Buffer
	of := RunTable(r)
	if err := writeParquet(&b, r, &of, runRows(r)); err != nil {
		t.Fatal(err)
	}
	if err := WriteRuns(r, &text); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names, types []string
	for _, c := range file.Root().Columns() {
		names, types = append(names, c.Name()), append(types, c.Type().String())
	}
	if diff := cmp.Diff(lines[0], names); diff != "" {
		t.Errorf("columns (-runs.csv +runs.parquet)\n%s", diff)
	}
	want := []string{"DOUBLE", "STRING", "BOOLEAN", "INT(64,true)", "STRING", "STRING",
		"INT(64,true)", "STRING", "STRING", "STRING", "DOUBLE"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("types\n%s", diff)
	}
	checkParquetRows(t, file, lines, r.Points, r)
}

// checkParquetRows compares the rows of a Parquet file with the lines of runs.csv, and values
// that have types with those of the points and results.
func checkParquetRows(t *testing.T, file *parquet.File, lines [][]string,
	points []study.Point, r *experiments.Results) {
	t.Helper()
	names := lines[0]
	rows := parquet.NewReader(file)
	defer rows.Close()
	buffer := make([]parquet.Row, 1)
	for n, line := range lines[1:] {
		if _, err := rows.ReadRows(buffer); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		row, p := buffer[0], points[n/2]
		load, rotate := p.Spec.Workload.Interarrival.Mean, p.Spec.Allocator.Rotate
		if row[0].Double() != load || row[2].Boolean() != rotate ||
			row[3].Int64() != int64(p.Spec.Network.BufferFlits) || row[6].Int64() != int64(n%2) {
			t.Fatalf("row %d is %v, want %v, %v", n, row, line, p.Spec)
		}
		for _, i := range []int{1, 4, 5, 7, 8, 9} {
			if got := row[i].String(); got != line[i] {
				t.Errorf("row %d, %s: %s, want %s", n, names[i], got, line[i])
			}
		}
		if exact, _ := r.Runs[n/2][n%2].Value("utilization"); row[10].Double() != exact {
			t.Errorf("row %d: %v, want exactly %v", n, row[10].Double(), exact)
		}
		if got := line[0] + " " + line[4]; n == len(lines)-2 && got != "3000000 1000000" {
			t.Errorf("labels %q", got)
		}
	}
	if _, err := rows.ReadRows(buffer); err != io.EOF {
		t.Errorf("more rows than %d: %v", len(lines)-1, err)
	}
}
