package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contend/experiments/claims"
	"contend/experiments/experimentstest"

	"github.com/google/go-cmp/cmp"
)

// tableOf returns the table of a mark of finish times: of ring under mbs, random and paging:1, then
// of fft.
func tableOf(t *testing.T, mark string, finish ...[]float64) string {
	t.Helper()
	m, err := parseTableMark(mark)
	if err != nil {
		t.Fatal(err)
	}
	text, err := m.table(experimentstest.Compared(t, finish))
	if err != nil {
		return err.Error()
	}
	return text
}

// The ratios 0.5 and 0.72 have the geometric mean 0.6; Student's t of one degree of freedom,
// 12.7062, gives it the ends 0.05916 and 6.085. 99 and 101 have the half width 12.7062.
func TestTablesOfMeans(t *testing.T) {
	finish := [][]float64{{100, 1000}, {50, 720}, {300, 3000}, {99, 101}, {100}, {7}}
	const of = "compare metric=finish_time rows=job.pattern columns=allocator relative_to="
	for _, c := range []struct{ mark, want string }{
		{of + "mbs",
			`| pattern | mbs (cycles) |                 random | paging:1 |
| ------- | -----------: | ---------------------: | -------: |
| ring    |   550 ± 5700 | 0.600 (0.0592 to 6.08) |     3.00 |
| fft     |     100 ± 13 |                   1.01 |   0.0707 |
`},
		{of + "random", `| pattern | random (cycles) |                  mbs |             paging:1 |
| ------- | --------------: | -------------------: | -------------------: |
| ring    |      390 ± 4300 | 1.67 (0.164 to 16.9) | 5.00 (0.493 to 50.7) |
| fft     |             100 |                0.990 |               0.0700 |
`},
		{strings.Replace(of, "finish_", "finish", 1) + "mbs", "no run has the metric finishtime: did " +
			"you mean \"finish_time\"? (there are finish_time, utilization)"},
		{strings.Replace(of, "allocator", "routing", 1) + "mbs",
			"routing is no axis of the study compare"},
		{of + "mbs where=job.pattern:fft", `| pattern | mbs (cycles) | random | paging:1 |
| ------- | -----------: | -----: | -------: |
| fft     |     100 ± 13 |   1.01 |   0.0707 |
`},
		{of + "mbs where=job.pattern:ffr", "where=job.pattern:ffr is no value of the axis: did you mean " +
			"\"fft\"? (there are ring, fft)"},
		{of + "mc1x1", "relative_to=mc1x1 is no value of allocator"},
		{"compare metric=finish_time rows=allocator columns=allocator relative_to=mbs",
			"points differ in job.pattern too: add it to rows"},
	} {
		if diff := cmp.Diff(c.want, tableOf(t, c.mark, finish...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.mark, diff)
		}
	}
	got := tableOf(t, of+"mbs", []float64{1}, nil, []float64{1},
		[]float64{1}, []float64{1}, []float64{1})
	if !strings.HasPrefix(got, "ring random was not run") {
		t.Errorf("a point without runs gives %s", got)
	}
}

func TestTableMarksThatAreRefused(t *testing.T) {
	const complete = "x metric=a rows=b columns=c relative_to=d"
	if _, err := parseTableMark(complete); err != nil {
		t.Error(err)
	}
	for _, mark := range []string{"", "x", complete + " by=b", complete[:len(complete)-1],
		complete[len("x "):], "x metric=a rows=b columns=c"} {
		if _, err := parseTableMark(mark); err == nil {
			t.Errorf("no error for %q", mark)
		}
	}
}

// A table is written between its marks, and is stale once its study gives other results.
func TestTablesOfDocuments(t *testing.T) {
	c, root := plant(t)
	out := filepath.Dir(experimentstest.RecordPlanted(t, "planted", "", ""))
	const mark = "<!-- table: planted metric=finish_time rows=allocator columns=allocator " +
		"relative_to=mbs -->"
	empty := "# A page\n\n" + mark + "\n" + tableEnds + "\nmore\n"
	other := strings.ReplaceAll(empty, "planted", "elsewhere")
	if got, err := c.fillTables(out, other); err != nil || got != other {
		t.Errorf("a table without results becomes %s, %v", got, err)
	}
	page, err := c.fillTables(out, empty)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.fillTables(out, page); err != nil || again != page ||
		!strings.Contains(page, "mbs (cycles)") || !strings.Contains(page, "contend test.") ||
		!strings.HasSuffix(page, tableEnds+"\nmore\n") {
		t.Errorf("%v\n%s\nbecomes\n%s", err, page, again)
	}
	check := func(document, want string) {
		t.Helper()
		list := c.Tables(document)
		if want == "" && len(list) > 0 || want != "" && (len(list) == 0 || list[0].Line != 3 ||
			!strings.Contains(list[0].Text, want)) {
			t.Errorf("%v, want %q", list, want)
		}
	}
	check(page, "")
	check(empty, "it is empty")
	check(other, "it is the folder of no built-in study")
	check(strings.Replace(page, tableEnds, "", 1), "no line <!-- end of table -->")
	check(strings.Replace(page, " -->", " rows=allocator -->", 1), "its mark has changed")
	row := page[strings.LastIndex(page, "|\n")-2:]
	check(strings.Replace(page, row, "9"+row[1:], 1), "it was changed by hand")
	check(strings.ReplaceAll(page, "<!-- runs", "<!-- run"), "it does not say of which runs it is")
	file := filepath.Join(root, "experiments", "testdata", "golden", "planted.txt")
	write(t, file, strings.Replace(golden, "100\t5", "101\t5", 1))
	check(page, "it is stale: the golden file of the study has changed")
	write(t, file, golden)
	c.Load, c.known = experimentstest.LoadPlanted(t, "jobs = 5", "jobs = 6"), nil
	check(page, "it is stale: points of the study have changed")
}

func TestTablesOfNumbersNeedASource(t *testing.T) {
	c, _ := plant(t)
	const table = "| a | b |\n| --- | --- |\n| x | 1.5 |\n| y | ~3 |\n"
	for _, k := range []struct {
		document string
		found    int
	}{
		{table, 1}, {"text\n\n" + table, 1}, {"```text output\n" + table + "```\n", 0},
		{"<!-- constants: the data sheet -->\n" + table, 0},
		{"<!-- constants: the data sheet -->\n\n" + table, 0},
		{"<!-- constants: -->\n" + table, 1}, {"<!-- constants: it -->\n" + table, 1},
		{"<!-- constants: the data sheet -->\ntext\n" + table, 1},
		{"<!-- constants: the data sheet -->\n" + table + "\n" + table, 1},
		{"| a | b |\n| --- | --- |\n| x | y |\n| y | 3 z |\n| z | u |\n", 0}, // mostly words
		{"| no. | b |\n| --- | --- |\n| 1 | y |\n| 2 | z |\n", 0},
	} {
		if list := c.Tables(k.document); len(list) != k.found {
			t.Errorf("%q: %v, want %d", k.document, list, k.found)
		}
	}
}

// constantsMark precedes a table whose numbers are those of a definition or a data sheet, or
// were measured by hand. Its text says which, with the command and the processor.
var constantsMark = regexp.MustCompile(`^<!--\s*constants:\s*(.*?)\s*-->$`)

// Tables returns the tables of a document whose numbers no stored run gives: tables of numbers that
// stand neither in a block nor between marks nor below a mark of constants, and marked tables that
// are stale or were changed by hand.
func (c *Repository) Tables(document string) (list []Problem) {
	lines := strings.Split(document, "\n")
	marked := make([]bool, len(lines))
	for _, r := range regions(lines) {
		for i := r.at; i <= r.end; i++ {
			marked[i] = true
		}
		if why := c.marked(&r); why != "" {
			list = append(list, Problem{r.at + 1, "table " + r.mark + ": " + why})
		}
	}
	fenced := false
	for i := 0; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "```") {
			fenced = !fenced
		}
		if fenced || !strings.HasPrefix(lines[i], "|") {
			continue
		}
		first := i
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|") {
			i++
		}
		if column := numbers(lines[first : i+1]); column != "" && !marked[first] &&
			!constants(lines[:first]) {
			list = append(list, Problem{first + 1, fmt.Sprintf("numbers in the column %q: show tested "+
				"output, have make docs write the table (table: FOLDER ...), or say where they are from "+
				"(constants: SOURCE)", column)})
		}
	}
	return list
}

// marked says what is wrong with a marked table, "" if nothing is.
func (c *Repository) marked(r *region) string {
	m, err := parseTableMark(r.mark)
	if err != nil {
		return err.Error()
	}
	if r.end < 0 {
		return "no line " + tableEnds + " follows"
	}
	st := c.studyOf(m.folder)
	if st == nil {
		return "it is the folder of no built-in study"
	}
	now, err := c.tableDigests(&m, r.mark, st)
	if err != nil {
		return err.Error()
	}
	n := len(r.lines)
	if n < 4 {
		return "it is empty: contend run " + m.folder + ", then make docs"
	}
	found := tableRuns.FindStringSubmatch(r.lines[n-1])
	if found == nil {
		return "it does not say of which runs it is: run make docs"
	}
	if found[4] != claims.Digest(r.lines[1:n-3]...) {
		return "it was changed by hand: run make docs"
	}
	if now.OfRule != found[1] {
		return "its mark has changed: run make docs"
	}
	made := claims.Digests{OfRule: now.OfRule, Points: found[2], Results: found[3]}
	if why := made.Stale(now); why != "" {
		return "it is stale: " + why + "; run the study again, then make docs"
	}
	return ""
}

// numeric is a cell that begins with a number.
var numeric = regexp.MustCompile(`^[*~<>≤≥±]*\s*[-+−]?\d`)

// numbers returns the heading of the first column of a table of which at least half of the cells
// are numbers, "" if there is none. Numbers of rows are no results.
func numbers(table []string) string {
	head := rowCells(table[0])
	for column, name := range head {
		full, count := 0, 0
		for _, row := range table[min(2, len(table)):] {
			if cells := rowCells(row); column < len(cells) && cells[column] != "" {
				full++
				if numeric.MatchString(cells[column]) {
					count++
				}
			}
		}
		if count > 0 && 2*count >= full && name != "no." {
			return name
		}
	}
	return ""
}

// rowCells returns the cells of a row of a table.
func rowCells(row string) (cells []string) {
	for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(row), "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

// constants reports whether the last line before a table marks its numbers as constants, and says
// where they are from.
func constants(before []string) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if strings.TrimSpace(before[i]) == "" {
			continue
		}
		m := constantsMark.FindStringSubmatch(strings.TrimSpace(before[i]))
		return m != nil && len(strings.Fields(m[1])) > 1
	}
	return false
}
