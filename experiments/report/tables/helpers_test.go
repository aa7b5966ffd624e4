package tables

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"testing"

	"github.com/parquet-go/parquet-go"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/internal/must"
)

// twoClocks is a study whose points have clocks of two units, and metrics that only one
// of the points has.
const twoClocks = `
name = "two-clocks"
title = "Messages and fixed times"
[machine]
dims = [4, 4]
[workload]
jobs = 8
side.max = 3
[allocator]
name = "mbs"
[runs]
replications = 2
[[axes]]
key = "job.run"
values = ["messages", "fixed"]
`

// finished runs a study and returns its results and its folder, with all tables of
// jobs, channels and times.
func finished(t *testing.T, text string) (*experiments.Results, string) {
	t.Helper()
	tables := experiments.Tables{Jobs: true, Links: true, Series: true}
	r := must.Have(experimentstest.Record(t.TempDir(), text, tables))
	must.Have(0, r.Folder.JoinAll(tables, r))
	return r, r.Folder.Dir
}

// readCSV returns the lines of a CSV file, the header first.
func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	text := must.Have(os.ReadFile(path))
	lines := must.Have(csv.NewReader(bytes.NewReader(text)).ReadAll())
	return lines
}

// readParquet returns a Parquet file and all its rows.
func readParquet(t *testing.T, path string) (*parquet.File, []parquet.Row) {
	t.Helper()
	text := must.Have(os.ReadFile(path))
	file := must.Have(parquet.OpenFile(bytes.NewReader(text), int64(len(text))))
	in := parquet.NewReader(file)
	defer in.Close()
	var rows []parquet.Row
	buffer := make([]parquet.Row, 1)
	for {
		n, err := in.ReadRows(buffer)
		if n == 1 {
			rows = append(rows, buffer[0].Clone())
		}
		if err == io.EOF {
			return file, rows
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
