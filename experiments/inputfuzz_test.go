package experiments

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/internal/table"
	"contend/internal/written"
)

func FuzzRuns(f *testing.F) {
	line := []byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}`)
	f.Add(written.AppendSum(line))
	f.Add([]byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}}` + "\n"))
	f.Add([]byte("\x00\x00\x00"))
	f.Add([]byte("{}\n{\n"))
	f.Add([]byte(strings.Repeat("[", 20000) + "\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := Folder{Dir: t.TempDir(), Records: map[RunKey]Record{}}
		path := filepath.Join(folder.Dir, RunsFile)
		must.Have(0, os.WriteFile(path, text, 0o666))
		whole, err := folder.readRuns("", "")
		if err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		must.Have(0, os.Truncate(path, whole))
		again := Folder{Dir: folder.Dir, Records: map[RunKey]Record{}}
		if _, err := again.readRuns("", ""); err != nil || len(again.Records) != len(folder.Records) {
			t.Fatalf("%d runs became %d, %v", len(folder.Records), len(again.Records), err)
		}
	})
}

// A part that is read is one that could have been written: its rows give the same CSV again.
func FuzzPart(f *testing.F) {
	f.Add(encodePart("jobs.d/x", []string{"job", "end"},
		table.TextRows([][]string{{"1", "2.5"}, {"2", ""}})))
	f.Add([]byte("rows: 1\na,00000000\n"))
	f.Add([]byte("rows: -1\n"))
	f.Add([]byte("rows: 0 of jobs.d/x\na,00000000\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := io.ReadAll(NewPartReader("jobs.d/x.csv", bytes.NewReader(text)))
		if err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		r := csv.NewReader(bytes.NewReader(got))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil || len(rows) == 0 || bytes.ContainsAny(got, "\"\r") {
			return // no CSV, or none that a run writes
		}
		again := must.Have(io.ReadAll(NewPartReader("jobs.d/x.csv",
			bytes.NewReader(encodePart("jobs.d/x", rows[0], table.TextRows(rows[1:]))))))
		if !bytes.Equal(got, again) {
			t.Fatalf("%q became %q", got, again)
		}
	})
}
