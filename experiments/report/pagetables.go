package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
)

// tableView is a table of the page.
type tableView struct {
	tables.Grid
	verdicts bool // the last column is within, outside or not run
}

// maxRows is the largest number of rows of a table in the page.
const maxRows = 2000

// Rows returns the rows that the page has.
func (v tableView) Rows() [][]string { return v.Cells[1:min(len(v.Cells), 1+maxRows)] }

// More points to the rows that the page leaves out, "" if it leaves out none.
func (v tableView) More() string {
	if len(v.Cells) > 1+maxRows {
		return "Further rows are in the files of the folder."
	}
	return ""
}

// Number reports whether a column holds numbers.
func (v tableView) Number(column int) bool {
	return column >= v.Left && !(v.verdicts && column == len(v.Cells[0])-1)
}

// Look returns the style of a cell: "good", "bad" or "".
func (v tableView) Look(column int, text string) string {
	if !v.verdicts || column < v.Left {
		return ""
	}
	return map[string]string{"within": "good", "outside": "bad"}[text]
}

// Bare returns the table without its heading.
func (v tableView) Bare() tableView {
	v.Heading = ""
	return v
}

// summary is the table of the study with its notes.
type summary struct {
	Table  tableView
	Notes  []string
	Others []tableView // break-evens
}

// summaryOf returns the tables of the study with the notes of its main table.
func summaryOf(r *experiments.Results) summary {
	s := summary{Table: tableView{Grid: tables.Table(r)}, Notes: tables.TableNotes(r)}
	for _, g := range tables.BreakEvens(r) {
		g.Heading += g.About
		s.Others = append(s.Others, tableView{Grid: g})
	}
	return s
}

// ruleView is a rule of the study with its verdict.
type ruleView struct {
	Verdict
	Cells   *tableView // published cells, nil for rules about measured values alone
	Heading string     // of the cells
	Details []string   // of a rule without cells
}

// comparison is the section on published values.
type comparison struct {
	Rules []ruleView
	Pass  int    // rules that hold
	Why   string // why there are no rules to judge by
}

// Shown reports whether the page has the comparison.
func (c comparison) Shown() bool { return c.Why != "" || len(c.Rules) > 0 }

// comparisonOf judges the results by the rules of the study.
func comparisonOf(r *experiments.Results) comparison {
	var c comparison
	if c.Why = Incomparable(r); c.Why != "" {
		return c
	}
	for _, j := range Judge(r) {
		v := ruleView{Verdict: j, Details: j.Details}
		if j.Cells != nil {
			v.Cells, v.Details = cellsView(j.Cells), nil
			v.Heading = fmt.Sprintf("%d published cells", len(j.Cells))
		}
		if j.Pass {
			c.Pass++
		}
		c.Rules = append(c.Rules, v)
	}
	return c
}

// cellsView returns the cells of a rule as a table.
func cellsView(cells []Cell) *tableView {
	v := &tableView{tables.Grid{Left: 1,
		Cells: [][]string{{"cell", "measured", "published", "ratio", "verdict"}}}, true}
	for _, c := range cells {
		row := []string{c.Name, "", tables.Significant(c.Published, 5), "", "not run"}
		if c.Run {
			row[1], row[4] = tables.MeanText(c.Measured), "outside"
		}
		if ratio := c.Ratio(); !math.IsNaN(ratio) {
			row[3] = tables.Significant(ratio, 4)
		}
		if c.Within {
			row[4] = "within"
		}
		v.Cells = append(v.Cells, row)
	}
	return v
}

// paired are the paired differences along one axis.
type paired struct {
	Key    string
	Notes  []string
	Tables []tableView
}

// pairedOf returns the paired differences along the axes that were compared with contend compare
// --by, else along the axis of allocators or the last one. An axis that cannot be compared is
// left out.
func pairedOf(r *experiments.Results) []paired {
	var all []paired
	for _, key := range comparedKeys(r) {
		c, err := tables.CompareBy(r, key)
		if err != nil {
			continue
		}
		metrics, err := c.Metrics(nil)
		if err != nil {
			continue
		}
		p := paired{Key: key, Notes: c.Caption(metrics)[1:]}
		for _, g := range c.Tables(metrics) {
			p.Tables = append(p.Tables, tableView{Grid: g})
		}
		all = append(all, p)
	}
	return all
}

// comparedKeys lists the axes whose values are compared.
func comparedKeys(r *experiments.Results) []string {
	keys := r.AxisKeys()
	stored := slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		if strings.ContainsAny(key, `/\`) {
			return true
		}
		_, err := os.Stat(filepath.Join(r.Folder.Dir, "comparison-"+key+".csv"))
		return err != nil
	})
	switch {
	case len(stored) > 0 || len(keys) == 0:
		return stored
	case slices.Contains(keys, "allocator"):
		return []string{"allocator"}
	}
	return keys[len(keys)-1:]
}
