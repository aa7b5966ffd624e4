package report

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
	"contend/internal/must"
)

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
	points, err := st.Points()
	if err != nil {
		t.Fatal(err)
	}
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
	if err := r.Study.CheckFigure(&f); err != nil {
		t.Fatal(err)
	}
	f.WidthMM = plot.OneColumnMM
	d, err := DrawRecorded(r, &f, r.Names)
	if err != nil {
		t.Fatal(err)
	}
	if err := plot.Render(io.Discard, d, "svg"); err != nil {
		t.Fatalf("%s: %v", f.Kind, err)
	}
	return d
}

// rowsOf returns the rows of a part of a point's first replication by column.
func rowsOf(t *testing.T, r *experiments.Results, kind string, point int) []map[string]string {
	t.Helper()
	k := &recorded{results: r, figure: &study.Figure{Kind: "map"}, points: []int{point}}
	table, err := k.table(kind, point)
	if err != nil {
		t.Fatal(err)
	}
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
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
