package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/written"
)

// loadStudy has a table of a metric by load and allocator.
const loadStudy = `
name = "load"
primary = ["finish_time"]
[job]
run = "fixed"
[[axes]]
key = "workload.system_load"
values = [1.0, 2.0]
[[axes]]
key = "allocator"
values = ["mbs", "random", "first-fit"]
[[figures]]
name = "load"
kind = "table"
rows = ["workload.system_load"]
columns = "allocator"
metric = "finish_time"
`

// tablesOf draws the table of a study and returns its files.
func tablesOf(t *testing.T, text string, values ...[]float64) (tex, markdown, captions string) {
	t.Helper()
	r := stored(t, text, "finish_time", func(i int, _ []string) []float64 { return values[i] })
	dir := t.TempDir()
	must.Have(0, DrawFigures(r, written.In(dir), FigureOptions{Formats: []string{"svg"}}))
	read := func(name string) string {
		return string(must.Have(os.ReadFile(filepath.Join(dir, "figures", name))))
	}
	if numbers := read("load.csv"); !strings.Contains(numbers, "\nfirst-fit,2,") {
		t.Errorf("the numbers are\n%s", numbers)
	}
	if _, err := os.Stat(filepath.Join(dir, "figures", "load.svg")); err == nil {
		t.Error("a table is drawn")
	}
	return read("load.tex"), read("load.md"), read("captions.tex")
}

// Of two runs half an interval of 95% is 12.706 times half their difference. Two digits of it say
// how many a mean has. Columns and rows have the names of papers.
func TestTableOfAMetric(t *testing.T) {
	tex, markdown, captions := tablesOf(t, loadStudy, []float64{99, 101}, []float64{200, 200},
		[]float64{30_000, 30_200}, []float64{1, 1.2}, []float64{2, 4}, []float64{5, 7})
	want := `% \usepackage{booktabs} in the preamble
{\footnotesize\setlength{\tabcolsep}{4pt}%
{\sbox0{%
\begin{tabular}{@{}lrrr@{}}
\toprule
& \multicolumn{3}{c@{}}{Allocator} \\
\cmidrule(l){2-4}
System load & MBS & Random & First fit \\
\midrule
1 & $100 \pm 13$ & $200$ & $30\,100 \pm 1300$ \\
2 & $1.1 \pm 1.3^{\dagger}$ & $3.0 \pm 13^{\dagger}$ & $6.0 \pm 13^{\dagger}$ \\
\bottomrule
\end{tabular}}%
\parbox{\wd0}{\usebox0\par\smallskip\raggedright\footnotesize $^{\dagger}$ The interval ($\pm$) ` +
		`is wider than the value before it, so the value is not known.}}}%
`
	if tex != want {
		t.Errorf("got\n%swant\n%s", tex, want)
	}
	want = `| System load |        MBS |    Random |    First fit |
| ----------- | ---------: | --------: | -----------: |
| 1           |   100 ± 13 |       200 | 30100 ± 1300 |
| 2           | 1.1 ± 1.3† | 3.0 ± 13† |    6.0 ± 13† |

† The interval (±) is wider than the value before it, so the value is not known.
`
	if markdown != want {
		t.Errorf("got\n%swant\n%s", markdown, want)
	}
	for _, words := range []string{`\begin{table}`, `\input{load}`,
		"Finish time (time units) by system load (rows) and allocator (columns)."} {
		if !strings.Contains(captions, words) {
			t.Errorf("the captions lack %s:\n%s", words, captions)
		}
	}
}

// A table that is too wide with its intervals has means with the same digits, and its caption says
// so. The columns of a wider one are divided over several tabulars with the same rows. relative_to
// divides by a column, which is left out.
func TestTablesFit(t *testing.T) {
	values := [][]float64{{99, 101}, {298, 302}, {400, 400}, {100, 100}, {150, 160}, {50, 50}}
	narrow := loadStudy + "width_mm = 56.0\n"
	tex, markdown, captions := tablesOf(t, narrow, values...)
	if !strings.Contains(tex, `1 & $100$ & $300$ & $400$`) || strings.Contains(tex, "pm") ||
		!strings.Contains(markdown, "100 ± 13") ||
		!strings.Contains(captions, "Means end at the second digit of half of their intervals.") {
		t.Errorf("at 56 mm:\n%s%s%s", tex, markdown, captions)
	}
	tex, _, captions = tablesOf(t, loadStudy+"relative_to = \"mbs\"\n", values...)
	if !strings.Contains(tex, `System load & Random & First fit`) ||
		!strings.Contains(tex, `2 & $1.55 \pm 0.64$ & $0.5`) ||
		!strings.Contains(captions, "Finish time / MBS by") {
		t.Errorf("divided by MBS:\n%s%s", tex, captions)
	}
	tex, _, captions = tablesOf(t, loadStudy+"width_mm = 44.0\n", values...)
	parts := strings.Split(tex, "\\par\\medskip\n")
	if len(parts) != 2 || strings.Count(tex, "System load & ") != 2 ||
		!strings.Contains(parts[0], "System load & MBS \\\\") ||
		!strings.Contains(parts[1], "System load & Random & First fit \\\\") ||
		!strings.Contains(parts[1], "\n1 & $300") {
		t.Errorf("at 44 mm:\n%s%s", tex, captions)
	}
	tex, _, captions = tablesOf(t, loadStudy+"width_mm = 20.0\n", values...)
	if strings.Count(tex, `\begin{tabular}`) != 3 || strings.Contains(tex, "pm") ||
		!strings.Contains(captions, "Means end at the second digit") {
		t.Errorf("at 20 mm:\n%s%s", tex, captions)
	}
}

// longStudy has a table of n numbers of jobs and 4 loads, each with two allocators.
func longStudy(n int) string {
	values := ""
	for i := range n {
		values += fmt.Sprint(i+10, ", ")
	}
	return strings.NewReplacer(`"mbs", "random", "first-fit"`, `"mbs", "random"`, "[1.0, 2.0]",
		"[1.0, 2.0, 3.0, 4.5]", `rows = ["`, `rows = ["workload.jobs", "`, "[[axes]]\nkey = \"allocator\"",
		"[[axes]]\nkey = \"workload.jobs\"\nvalues = ["+values+"]\n[[axes]]\nkey = \"allocator\"").
		Replace(loadStudy)
}

// longTable draws the table of longStudy.
func longTable(t *testing.T, text string) (tex, captions string, m *tables.Matrix) {
	t.Helper()
	r := stored(t, text, "finish_time", func(i int, _ []string) []float64 {
		return []float64{float64(i), float64(i) + 1}
	})
	dir := t.TempDir()
	must.Have(0, DrawFigures(r, written.In(dir), FigureOptions{}))
	read := func(name string) string {
		return string(must.Have(os.ReadFile(filepath.Join(dir, "figures", name))))
	}
	return read("load.tex"), read("captions.tex"), matrixOf(r, &r.Study.Figures[0])
}

// A table with more rows than a page has gets the values of a key as groups of columns, the last
// one with which it fits, if it is a product of its keys. Otherwise it breaks over pages.
func TestTablesOfManyRows(t *testing.T) {
	tex, _, m := longTable(t, longStudy(12)) // 48 rows
	if m.IsLong() || m.Groups != nil || strings.Contains(tex, "longtable") {
		t.Errorf("48 rows: %v, groups %q\n%s", m.IsLong(), m.Groups, tex)
	}
	tex, captions, m := longTable(t, longStudy(30)+"width_mm = 174.0\n") // 120 rows
	want := `\begin{tabular}{@{}lrrrrrrrr@{}}
\toprule
& \multicolumn{8}{c@{}}{System load and allocator} \\
\cmidrule(l){2-9}
& \multicolumn{2}{c}{1} & \multicolumn{2}{c}{2} & \multicolumn{2}{c}{3} & \multicolumn{2}{c@{}}{4.5} \\
\cmidrule(l){2-3}\cmidrule(l){4-5}\cmidrule(l){6-7}\cmidrule(l){8-9}
Jobs & MBS & Random & MBS & Random & MBS & Random & MBS & Random \\
\midrule
10 & `
	if len(m.Names) != 30 || !strings.Contains(tex, want) ||
		!strings.Contains(captions, `\begin{table}`) ||
		!strings.Contains(captions, "by jobs (rows) and system load, allocator (columns).") {
		t.Errorf("of 120 rows:\n%s%s", tex, captions)
	}
	// Points are in the order of the axes: the load, the number of jobs, the allocator.
	for row := range m.Names {
		for column := range 8 {
			point := (column/2*30+row)*2 + column%2
			if got := m.Cells[row][column].Mean; got != float64(point)+0.5 {
				t.Errorf("row %d, column %d has %v, want that of point %d", row, column, got, point)
			}
		}
	}
	if g := m.Plain(); g.Cells[0][8] != "4.5, Random" || len(g.Cells) != 31 {
		t.Errorf("as text: %q", g.Cells[0])
	}
	for _, text := range []string{longStudy(30) + "width_mm = 56.0\n", // groups are too wide
		longStudy(60) + "width_mm = 174.0\n", // so are those of the jobs, and 60 rows are too many
		strings.Replace(longStudy(55), "[1.0, 2.0, 3.0, 4.5]", "[1.0]", 1)} {
		tex, captions, m = longTable(t, text)
		if !m.IsLong() || m.Groups != nil || !strings.Contains(tex, "{booktabs,longtable}") ||
			strings.Count(tex, "Jobs & System load & MBS & Random") != 2 ||
			!strings.Contains(tex, "\\end{longtable}\n{\\centering\\footnotesize $^{\\dagger}$ The") ||
			strings.Contains(captions, `\begin{table}`) ||
			!strings.Contains(captions, `{\def\tablecaption{\caption{`) {
			t.Errorf("%d rows, groups %q:\n%.1500s\n%s", len(m.Names), m.Groups, tex, captions)
		}
	}
}

// The page has the table as a table.
func TestPageHasTables(t *testing.T) {
	text := strings.Replace(loadStudy, "[job]",
		"[workload]\njobs = 9\n[runs]\nreplications = 2\n[job]", 1)
	r := experimentstest.Recorded(t, text, experiments.Tables{})
	all, failed := figuresOf(r)
	if failed != "" || len(all) != 1 || all[0].SVG != "" {
		t.Fatalf("%s %+v", failed, all)
	}
	cell := all[0].Table.Cells[2][3]
	page := writtenPage(t, r, DefaultLimit)
	pageHas(t, page, "<td class=\"number\">"+cell+"</td>")
	hasNot(t, page, `download="load.svg"`)
}

// Every axis has a place in a table, and other figures have no rows.
func TestTablesHideNothing(t *testing.T) {
	hidden := strings.Replace(loadStudy, "[[figures]]",
		"[[axes]]\nkey = \"workload.jobs\"\nvalues = [5, 9]\n[[figures]]", 1)
	for want, text := range map[string]string{
		"points that differ in workload.jobs: add it to rows": hidden,
		"figures[0].rows has no effect on a figure of kind bars": strings.Replace(loadStudy,
			`"table"`, `"bars"`, 1),
		"figures[0].log_y has no effect on a figure of kind table": loadStudy + "log_y = true\n",
		"is of kind table and has no columns": strings.Replace(loadStudy, `columns = "allocator"`, "",
			1),
		"figures[0].rows has allocator again": strings.Replace(loadStudy, `rows = [`,
			`rows = ["allocator", `, 1),
		"which is no axis of the study": strings.Replace(loadStudy, `columns = "allocator"`,
			`columns = "workload.jobs"`, 1),
	} {
		_, err := study.Parse("t.toml", text, config.Builtin())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	st := experimentstest.MustParse(t, loadStudy)
	st.Axes = append(st.Axes, study.Axis{Key: "workload.jobs", Values: []any{int64(5), int64(9)}})
	notes := st.SplitFigures()
	if strings.Join(st.Figures[0].Rows, " ") != "workload.jobs workload.system_load" ||
		strings.Join(notes, "") != "figure load: rows for each value of workload.jobs" {
		t.Errorf("rows %v, notes %v", st.Figures[0].Rows, notes)
	}
}
