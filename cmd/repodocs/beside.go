package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// groupNames returns how many of the names of rows form groups: as many of the first as give at most
// mostGroups groups.
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
