package report

import (
	"bytes"
	"contend/experiments/config"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
	"contend/internal/must"
)

const smallStudy = `
name = "small"
title = "Two allocators on a small mesh"
cites = "Nobody, Nowhere, 1999"
doc = "Jobs send messages."
notes = ["The paper has no machine."]
primary = ["finish_time"]
[machine]
dims = [6, 4]
[workload]
jobs = 30
[job]
pattern = "all-to-all"
quota = { mean_iterations = 0.5 }
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["random", "first-fit"]
[[figures]]
name = "finish"
title = "Finish time"
kind = "bars"
x = "allocator"
metric = "finish_time"
`

// ran runs a study into a folder and returns what is stored of it.
func ran(t *testing.T, text string, tables experiments.Tables) *experiments.Results {
	t.Helper()
	results, err := experimentstest.Record(t.TempDir(), text, tables)
	if err == nil {
		results, err = experiments.ReadFolder(results.Folder.Dir, results.Names)
	}
	if err != nil {
		t.Fatal(err)
	}
	return results
}

var pageRecorded = experiments.Tables{Jobs: true, Links: true, Series: true}

// written returns the page of results.
func writtenPage(t *testing.T, r *experiments.Results, limit int) string {
	t.Helper()
	var b bytes.Buffer
	must.Have(0, WritePage(&b, r, PageOptions{Limit: limit}))
	return b.String()
}

// saved writes a page into a file.
func saved(t *testing.T, page string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	must.Have(0, os.WriteFile(path, []byte(page), 0o600))
	return path
}

// pageHas checks that a page has some texts.
func pageHas(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %s", text)
		}
	}
}

// hasNot checks that a page lacks some texts.
func hasNot(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if i := strings.Index(page, text); i >= 0 {
			t.Errorf("the page has %s: %.200s", text, page[max(0, i-60):])
		}
	}
}

// scratch is a folder for what several tests read.
var scratch string

func TestMain(m *testing.M) {
	scratch = must.Have(os.MkdirTemp("", "figures"))
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// everything runs the study of records with all tables, once for the tests that only read them.
var everything = sync.OnceValue(func() *experiments.Results {
	return must.Have(experimentstest.Record(filepath.Join(scratch, "everything"),
		experimentstest.RecordedStudy, experimentstest.Everything))
})

// stored returns results of a study whose points have these values of a metric, by replication.
func stored(t *testing.T, text, metric string, values func(i int, labels []string) []float64,
) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, text)
	points := must.Have(st.Points())
	st.Runs.Replications = len(values(0, points[0].Labels))
	return experimentstest.Stored(t, st, config.Builtin(), func(i int,
		p *study.Point) []metrics.Result {
		return experimentstest.OfMetric(metric, values(i, p.Labels)...)
	})
}

// draw collects a figure, and draws it at the width of a column of a paper.
func draw(t *testing.T, r *experiments.Results, f study.Figure) plot.Drawable {
	t.Helper()
	f.Name = f.Kind
	if f.Where == nil && f.OnePoint() {
		f.Where = map[string]any{"allocator": "random"}
	}
	must.Have(0, r.Study.CheckFigure(&f))
	f.WidthMM = plot.OneColumnMM
	d := must.Have(DrawRecorded(r, &f))
	if err := plot.Render(io.Discard, d, "svg"); err != nil {
		t.Fatalf("%s: %v", f.Kind, err)
	}
	return d
}

// rowsOf returns the rows of a part of a point's first replication by column.
func rowsOf(t *testing.T, r *experiments.Results, kind string, point int) []map[string]string {
	t.Helper()
	k := &drawing{results: r, figure: &study.Figure{Kind: "map"}, points: []int{point}}
	table := must.Have(k.table(kind, point))
	var rows []map[string]string
	for i := range table.Rows {
		row := map[string]string{}
		for _, name := range table.Header {
			row[name] = table.Text(i, name)
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x := must.Have(strconv.ParseFloat(text, 64))
	return x
}
