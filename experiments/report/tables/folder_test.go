package tables

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/must"
	"contend/internal/table"
)

// The Parquet files have the columns and rows of the CSV files. A cell that is empty in
// one is null in the other, and every column has the type that the table says.
func TestParquetHasTheCellsOfCSV(t *testing.T) {
	r, dir := finished(t, twoClocks)
	must.Have(0, WriteTables(r, r.Folder.Out, experiments.Tables{Jobs: true, Links: true}))
	for _, of := range []table.Table{RunTable(r), WideTable(r), rowTable(r, metrics.JobTable)} {
		lines := readCSV(t, filepath.Join(dir, of.Name+".csv"))
		file, rows := readParquet(t, filepath.Join(dir, of.Name+".parquet"))
		if diff := cmp.Diff(table.Names(of.Columns), lines[0]); diff != "" {
			t.Errorf("%s.csv: columns\n%s", of.Name, diff)
		}
		if len(rows) != len(lines)-1 || len(rows) < 4 {
			t.Fatalf("%s: %d rows as Parquet, %d as CSV", of.Name, len(rows), len(lines)-1)
		}
		nulls := 0
		for i, c := range file.Root().Columns() {
			nulls += checkColumn(t, &of, i, c, rows, lines)
		}
		if nulls == 0 {
			t.Errorf("%s: no cell is empty, so nulls are not tested", of.Name)
		}
	}
}

// checkColumn compares a column of a Parquet file with that of the CSV file, and returns
// the number of its nulls.
func checkColumn(t *testing.T, of *table.Table, i int, c *parquet.Column, rows []parquet.Row,
	lines [][]string) (nulls int) {
	t.Helper()
	types := map[table.Type]string{table.Integer: "INT(64,true)", table.Number: "DOUBLE",
		table.Boolean: "BOOLEAN", table.String: "STRING"}
	want := of.Columns[i]
	if c.Name() != want.Name || c.Type().String() != types[want.Type] ||
		c.Optional() != want.Nullable {
		t.Errorf("%s.parquet: column %d is %s, %s, optional %v; want %v", of.Name, i, c.Name(), c.Type(),
			c.Optional(), want)
	}
	for n, row := range rows {
		v, text := row[i], lines[n+1][i]
		got := v.String()
		switch {
		case v.IsNull():
			nulls++
			got = ""
		case want.Type == table.Number:
			got = sameNumber(v.Double(), text)
		}
		if got != text {
			t.Fatalf("%s: row %d, %s: %s as Parquet, %q as CSV", of.Name, n, want.Name, v, text)
		}
	}
	return nulls
}

// sameNumber writes a number as text does, if that is one of the ways to write it in a
// result file.
func sameNumber(x float64, text string) string {
	for _, unit := range []string{"", "cycles"} {
		if got := decimal.InUnit(unit, x); got == text {
			return got
		}
	}
	return "another number"
}

// Numbers in wide.parquet are exactly those of the runs.
func TestWideIsExact(t *testing.T) {
	r, dir := finished(t, twoClocks)
	must.Have(0, WriteTables(r, r.Folder.Out, experiments.Tables{}))
	_, rows := readParquet(t, filepath.Join(dir, "wide.parquet"))
	names := table.Names(WideTable(r).Columns)
	for i := range r.Points {
		for rep, run := range r.Runs[i] {
			row := rows[2*i+rep]
			for _, m := range r.Metrics() {
				v := row[slices.Index(names, m)]
				if want, ok := run.Value(m); ok == v.IsNull() || ok && v.Double() != want {
					t.Errorf("point %d, replication %d, %s: %v, want %v", i, rep, m, v, want)
				}
			}
			if got := row[slices.Index(names, "hash")].String(); got != r.Points[i].Hash {
				t.Errorf("point %d has the hash %s, want %s", i, got, r.Points[i].Hash)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "jobs.parquet")); !os.IsNotExist(err) {
		t.Errorf("jobs.parquet was not asked for: %v", err)
	}
}

// packageText is what a test reads of a Data Package.
type packageText struct {
	Version   int `json:"schema_version"`
	Resources []struct {
		Name, Path, Parquet string
		Schema              schemaText
	}
}

type schemaText struct {
	Fields  []struct{ Name, Type, Unit, Description string }
	Key     []string `json:"primaryKey"`
	Foreign []struct {
		Fields    []string
		Reference struct{ Resource string }
	} `json:"foreignKeys"`
}

// The Data Package describes every file with the columns and the units of the study, and
// the metadata of a Parquet file say the same.
func TestSchemaSaysTheUnits(t *testing.T) {
	for _, c := range []struct{ set, unit string }{
		{"", "time"}, // the points differ, and the column time_unit says which
		{"messages", "cycles"},
		{"fixed", "time units"},
	} {
		text := twoClocks
		if c.set != "" {
			text = strings.Replace(text, `["messages", "fixed"]`, `["`+c.set+`"]`, 1)
		}
		r, dir := finished(t, text)
		must.Have(0, WriteTables(r, r.Folder.Out, experiments.Tables{Jobs: true, Links: true}))
		p := packageOf(t, dir)
		if len(p.Resources) != 4 || p.Version != table.SchemaVersion {
			t.Fatalf("%d resources of version %d: %+v", len(p.Resources), p.Version, p.Resources)
		}
		for _, res := range p.Resources {
			header := readCSV(t, filepath.Join(dir, res.Path))[0]
			for i, f := range res.Schema.Fields {
				if f.Name != header[i] || f.Description == "" {
					t.Errorf("%s: column %d is %s, described as %+v", res.Path, i, header[i], f)
				}
				if f.Name == "wait_time" && f.Unit != c.unit || f.Name == "utilization" && f.Unit != "%" {
					t.Errorf("%s: the unit of %s is %q, want %q", res.Path, f.Name, f.Unit, c.unit)
				}
			}
			checkMetadata(t, dir, res.Parquet, res.Schema)
		}
	}
}

// checkMetadata compares the schema in a Parquet file with that in the Data Package.
func checkMetadata(t *testing.T, dir, name string, want schemaText) {
	t.Helper()
	if name == "" { // links.csv has no Parquet file
		return
	}
	file, _ := readParquet(t, filepath.Join(dir, name))
	text, _ := file.Lookup(table.SchemaEntry)
	var got schemaText
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: schema\n%s", name, diff)
	}
	if v, _ := file.Lookup(table.VersionEntry); v != "1" {
		t.Errorf("%s: schema version %q", name, v)
	}
	if study, _ := file.Lookup("contend.study"); study != "two-clocks" {
		t.Errorf("%s: study %q", name, study)
	}
}

// A metric of one's own that is named like another column of wide.csv gets a column of
// its own.
func TestMetricNamedLikeAColumn(t *testing.T) {
	reg := metrics.Builtin()
	reg.Metrics = append(reg.Metrics, config.Metric{Name: "hash", Doc: "a metric",
		New: func(config.MetricRun) config.Meter { return nil }})
	st := must.Have(study.Parse("x.toml", parquetStudy, config.Builtin()))
	r := &experiments.Results{Study: st, Names: reg, Points: make([]study.Point, 1),
		Runs: [][]metrics.Result{{{Metrics: []metrics.Metric{{Name: "hash", Value: 1}}}}}}
	names := table.Names(WideTable(r).Columns)
	if !slices.Contains(names, "metric.hash") || len(slices.Compact(slices.Sorted(
		slices.Values(names)))) != len(names) {
		t.Errorf("columns %q", names)
	}
}

// A jobs.csv that another version of the program wrote, or that was damaged, is refused
// with the place.
func TestRowsThatDoNotFit(t *testing.T) {
	r, dir := finished(t, strings.Replace(twoClocks, `, "fixed"`, "", 1))
	path := filepath.Join(dir, "jobs.csv")
	whole := must.Have(os.ReadFile(path))
	for _, c := range []struct{ old, new, want string }{
		{"job.run,replication", "job.run,repetition", "jobs.csv: it has the columns"},
		{"\nmessages,1,", "\nmessages,x,", `jobs.csv:10: the column replication has "x", which is no ` +
			"integer"},
		{"\nmessages,1,", "\nmessages,", "jobs.csv: record on line 10: wrong number of fields"},
	} {
		bad := strings.Replace(string(whole), c.old, c.new, 1)
		must.Have(0, os.WriteFile(path, []byte(bad), 0o600))
		err := WriteTables(r, r.Folder.Out, experiments.Tables{Jobs: true})
		configtest.MustBeInput(t, err)
		if err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error %v does not say %q", err, c.want)
		}
	}
}

// Tables of many rows other than jobs are Parquet alone, and text again when they have few.
func TestTablesOfManyRowsAreParquet(t *testing.T) {
	r, dir := finished(t, twoClocks)
	before := ParquetRows
	defer func() { ParquetRows = before }()
	csv := readCSV(t, filepath.Join(dir, "links.csv"))
	for _, many := range []bool{true, false} {
		if ParquetRows = before; many {
			ParquetRows = len(csv) - 2
		}
		must.Have(0, r.Folder.JoinAll(experiments.Tables{Links: true}, r))
		must.Have(0, WriteTables(r, r.Folder.Out, experiments.Tables{Links: true}))
		for name, want := range map[string]bool{"links.csv": !many, "links.parquet": many} {
			if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
				t.Errorf("many rows: %v; %s is there: %v", many, name, err == nil)
			}
		}
		p := packageOf(t, dir)
		want := map[bool]string{true: "links.parquet", false: "links.csv"}[many]
		if got := p.Resources[len(p.Resources)-1].Path; got != want {
			t.Errorf("the package has %s, want %s", got, want)
		}
	}
}

// packageOf reads the Data Package of a folder.
func packageOf(t *testing.T, dir string) (p packageText) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "datapackage.json"))
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}
