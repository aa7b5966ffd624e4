package main

import (
	"fmt"
	"regexp"
	"strings"
)

// constantsMark stands above a table whose numbers are those of a definition or a data sheet, or
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
	if found[4] != digest(r.lines[1:n-3]...) {
		return "it was changed by hand: run make docs"
	}
	if now.Rule != found[1] {
		return "its mark has changed: run make docs"
	}
	if why := stale(Digests{now.Rule, found[2], found[3]}, now); why != "" {
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
