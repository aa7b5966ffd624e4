package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/report/tables"
	"contend/internal/written"
)

// wholeRows is the number of rows up to which a page shows a table, or the tables of ratios. Of
// longer ones it shows the ranges of groups of rows; all rows are beside the page as CSV.
const wholeRows = 15

// mostGroups is the number of groups that a page shows at most of a longer table.
const mostGroups = 16

// page is a page of validation and the tables beside it.
type page struct {
	name string
	strings.Builder
	files map[string][][]string // the tables by the names of their files, header first
}

func newPage(name string) *page { return &page{name: name, files: map[string][][]string{}} }

// notInFileNames are the characters of a title that the name of its file does not have.
var notInFileNames = regexp.MustCompile(`[^a-z0-9_]+`)

// beside puts a table beside the page. It returns a link to the file.
func (p *page) beside(title string, grid [][]string, text string) string {
	name := strings.Trim(notInFileNames.ReplaceAllString(strings.ToLower(title), "-"), "-") + ".csv"
	p.files[name] = grid
	return fmt.Sprintf("[%s](%s/%s)", text, p.name, name)
}

// besideRows puts a table beside the page. It returns a link that states the number of rows.
func (p *page) besideRows(name, title string, grid [][]string) string {
	return p.beside(title, grid, fmt.Sprintf("%s, %d rows", name, len(grid)-1))
}

// write writes the page and its tables into a folder. It removes the tables of an older page.
func (p *page) write(dir string) error {
	if err := os.RemoveAll(filepath.Join(dir, p.name)); err != nil {
		return err
	}
	return errors.Join(p.writeTables(dir),
		written.Replace(filepath.Join(dir, p.name+".md"), []byte(p.String())))
}

// writeTables writes the tables beside the page.
func (p *page) writeTables(dir string) error {
	beside := filepath.Join(dir, p.name)
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		if err := os.MkdirAll(beside, 0o777); err != nil {
			return err
		}
		grid := p.files[name]
		if err := writeRows(filepath.Join(beside, name), grid[0], grid[1:]); err != nil {
			return err
		}
	}
	return nil
}

// section writes a heading and the table below it, whose first columns are names.
func (p *page) section(heading string, grid [][]string, names int) {
	fmt.Fprintf(p, "\n## %s\n\n%s", heading, tables.MarkdownTable(grid, names))
}

// groupNames returns how many of the first names of rows form groups: the largest number that gives
// at most mostGroups groups.
func groupNames(rows [][]string, names int) (n int) {
	for n < names && len(groupsBy(rows, n+1)) <= mostGroups {
		n++
	}
	return n
}

// groupsBy lists the first n names of rows, each once.
func groupsBy(rows [][]string, n int) (list [][]string) {
	seen := map[string]bool{}
	for _, row := range rows {
		key := strings.Join(row[:n], "\x00")
		if !seen[key] {
			seen[key], list = true, append(list, row[:n])
		}
	}
	return list
}

// isIn reports whether a row belongs to a group.
func isIn(row, group []string) bool { return slices.Equal(row[:len(group)], group) }

// nameOfGroup returns the cells that name a group, "all" for the group of all rows.
func nameOfGroup(group []string) []string {
	if len(group) == 0 {
		return []string{"all"}
	}
	return slices.Clone(group)
}

// headOfGroups returns the header above the names of groups.
func headOfGroups(header []string, n int) []string {
	if n == 0 {
		return []string{"rows"}
	}
	return slices.Clone(header[:n])
}

// ratioTable is a table with a ratio in each row.
type ratioTable struct {
	title  string // the heading of its section
	metric string // its heading in the table of ranges
	grid   [][]string
	names  int      // the number of columns that name a row
	ratios []shown  // by row
	errors []string // the mean and the largest error as text, nil where the page states none
	below  string   // the sentence below the table
}

// shown is a number as a table shows it.
type shown struct {
	value float64 // NaN if there is none
	text  string
}

// rangeOf returns the lowest and the highest of numbers as text.
func rangeOf(list []shown) string {
	list = slices.DeleteFunc(slices.Clone(list), func(s shown) bool { return math.IsNaN(s.value) })
	if len(list) == 0 {
		return ""
	}
	low, high := slices.MinFunc(list, byValue), slices.MaxFunc(list, byValue)
	if low.text == high.text {
		return low.text
	}
	return low.text + " to " + high.text
}

// byValue compares numbers.
func byValue(a, b shown) int { return cmp.Compare(a.value, b.value) }

// greatestOf returns the greatest of some numbers as text.
func greatestOf(list []shown) string {
	return slices.MaxFunc(list, byValue).text // NaN is below all numbers
}

// writeRatios writes tables of ratios: each in a section if they are short together, and otherwise
// one table with the ranges of their ratios.
func (p *page) writeRatios(heading string, list []ratioTable) {
	list = merged(list)
	rows := 0
	for _, t := range list {
		rows += len(t.ratios)
	}
	if rows > wholeRows {
		p.writeRanges(heading, list)
		return
	}
	for _, t := range list {
		p.section(t.title, t.grid, t.names)
		p.WriteString(t.below)
	}
}

// writeRanges writes a table with a row for each group of rows and a column for each of some tables
// of ratios. Its last rows have the errors of all numbers.
func (p *page) writeRanges(heading string, list []ratioTable) {
	var rows [][]string
	for _, t := range list {
		rows = append(rows, t.grid[1:]...)
	}
	n := groupNames(rows, list[0].names)
	grid := [][]string{headOfGroups(list[0].grid[0], n)}
	for _, group := range groupsBy(rows, n) {
		grid = append(grid, nameOfGroup(group))
	}
	names := len(grid[0])
	last := func(name string) []string { return append([]string{name}, make([]string, names-1)...) }
	ends, links := [][]string{last("mean error"), last("largest error")}, []string{}
	for _, t := range list {
		grid[0] = append(grid[0], t.metric)
		for i, group := range groupsBy(rows, n) {
			var of []shown
			for k, row := range t.grid[1:] {
				if isIn(row, group) {
					of = append(of, t.ratios[k])
				}
			}
			grid[1+i] = append(grid[1+i], rangeOf(of))
		}
		errors := append(slices.Clone(t.errors), "", "")
		ends[0], ends[1] = append(ends[0], errors[0]), append(ends[1], errors[1])
		links = append(links, p.besideRows(t.metric, t.title, t.grid))
	}
	for _, row := range ends {
		if slices.ContainsFunc(row[names:], func(c string) bool { return c != "" }) {
			grid = append(grid, row)
		}
	}
	p.section(heading+", lowest to highest", grid, names)
	fmt.Fprintf(p, "\nAll rows: %s.\n", strings.Join(links, ", "))
}

// merged returns tables of which those with the same title are one.
func merged(list []ratioTable) (tables []ratioTable) {
	for _, t := range list {
		i := slices.IndexFunc(tables, func(o ratioTable) bool { return o.title == t.title })
		if i < 0 {
			tables = append(tables, t)
			continue
		}
		o := &tables[i]
		o.grid, o.ratios = append(o.grid, t.grid[1:]...), append(o.ratios, t.ratios...)
	}
	return tables
}

// writeMeasured writes a section with the measured values of points. The last columns of the table
// are the values and the numbers of runs. Of a long table the page has a column for each label of
// the last axis.
func (p *page) writeMeasured(title string, grid [][]string) {
	names := len(grid[0]) - 2
	if len(grid) <= 1+wholeRows || names < 2 {
		p.section(title, grid, names)
		return
	}
	rows, runs := grid[1:], []shown{}
	for _, row := range rows {
		n, _ := strconv.Atoi(row[names+1])
		runs = append(runs, shown{float64(n), row[names+1]})
	}
	by := names - 1
	wide := [][]string{slices.Clone(grid[0][:by])}
	at := map[string]int{} // columns by label
	for _, row := range rows {
		if _, ok := at[row[by]]; !ok {
			at[row[by]] = len(wide[0])
			wide[0] = append(wide[0], row[by])
		}
	}
	for _, group := range groupsBy(rows, by) {
		line := append(slices.Clone(group), make([]string, len(at))...)
		for _, row := range rows {
			if isIn(row, group) {
				line[at[row[by]]] = row[names]
			}
		}
		wide = append(wide, line)
	}
	p.section(title, wide, by)
	fmt.Fprintf(p, "\nAll rows: %s; runs of each: %s.\n", p.besideRows(title, title, grid),
		rangeOf(runs))
}
