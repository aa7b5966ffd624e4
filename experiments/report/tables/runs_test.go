package tables

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/table"
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

// The columns of axes have the types of their keys; a key that can be "auto" is text.
func TestColumnsOfAxesHaveTypes(t *testing.T) {
	st := experimentstest.MustParse(t, parquetStudy)
	r := experimentstest.Stored(t, st, config.Builtin(), func(int, *study.Point) []metrics.Result {
		return experimentstest.OfMetric("utilization", 1217942.0/3)
	})
	of := RunTable(r)
	var types []table.Type
	for _, c := range of.Columns {
		types = append(types, c.Type)
	}
	want := []table.Type{table.Number, table.String, table.Boolean, table.Integer, table.String,
		table.String, table.Integer, table.String, table.String, table.String, table.Number}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("types\n%s", diff)
	}
	if err := writeParquet(io.Discard, r, &of, runRows(r)); err != nil {
		t.Error(err)
	}
	var text bytes.Buffer
	const row = "\n3000000,fft,true,16,1000000,"
	err := table.WriteCSV(&text, table.Names(of.Columns), runRows(r))
	if err != nil || !strings.Contains(text.String(), row) {
		t.Errorf("%v, rows\n%s", err, text.String())
	}
}
