package main

import (
	"errors"
	"regexp"
	"strings"
)

// tableMark is the comment above a table that make docs writes from stored runs:
//
//	<!-- table: FOLDER metric=M rows=KEY,... columns=KEY relative_to=LABEL -->
//
// FOLDER is a folder below out. The table has a row for all values that the axes of rows have
// together, and a column for each value of another axis: the mean of the metric at the label of
// relative_to, and ratios to it.
type tableMark struct {
	folder, metric, columns, relative string
	rows                              []string
}

var (
	tableBegins = regexp.MustCompile(`^<!--\s*table:(.*)-->\s*$`)
	tableRuns   = regexp.MustCompile(`^<!-- runs: (\S+) (\S+) (\S+) (\S+) -->$`)
)

// tableEnds follows the table and the line on its runs.
const tableEnds = "<!-- end of table -->"

// parseTableMark parses the text of a mark.
func parseTableMark(text string) (m tableMark, err error) {
	folder, rest, _ := strings.Cut(text, " ")
	given := map[string]string{}
	for _, w := range strings.Fields(rest) {
		key, value, _ := strings.Cut(w, "=")
		given[key] = value
	}
	m = tableMark{folder, given["metric"], given["columns"], given["relative_to"],
		strings.Split(given["rows"], ",")}
	if len(given) != 4 || m.metric == "" || given["rows"] == "" || m.columns == "" ||
		m.relative == "" {
		return m, errors.New("give FOLDER metric=NAME rows=KEY,... columns=KEY relative_to=LABEL")
	}
	return m, nil
}

// region is a table mark of a document with the lines that it encloses.
type region struct {
	at, end int // indices of the lines with the mark and with its end, -1 if it has none
	mark    string
	lines   []string
}

// regions returns the table marks among the lines of a document outside of blocks.
func regions(lines []string) (list []region) {
	fenced := false
	for i, l := range lines {
		if strings.HasPrefix(l, "```") {
			fenced = !fenced
		}
		m := tableBegins.FindStringSubmatch(l)
		if fenced || m == nil {
			continue
		}
		r := region{at: i, end: -1, mark: strings.TrimSpace(m[1])}
		for k := i + 1; k < len(lines) && !tableBegins.MatchString(lines[k]); k++ {
			if lines[k] == tableEnds {
				r.end, r.lines = k, lines[i+1:k]
				break
			}
		}
		list = append(list, r)
	}
	return list
}
