package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/claims"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// tableMark is the comment above a table that make docs writes from stored runs:
//
//	<!-- table: FOLDER metric=M rows=KEY,... columns=KEY relative_to=LABEL where=KEY:LABEL -->
//
// FOLDER is a folder below out. The table has a row for all values that the axes of rows have
// together, and a column for each value of another axis: the mean of the metric at the label of
// relative_to, and ratios to it. Where the mark has where, other points are left out.
type tableMark struct {
	folder, metric, columns, relative string
	rows                              []string
	key, only                         string // of where; "" without it
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
	m = tableMark{folder: folder, metric: given["metric"], columns: given["columns"],
		relative: given["relative_to"], rows: strings.Split(given["rows"], ",")}
	if where, is := given["where"]; is {
		m.key, m.only, _ = strings.Cut(where, ":")
		delete(given, "where")
	}
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

// FillTables writes the tables of all documents whose folders of results are in out. It leaves the
// other tables unchanged.
func (c *Repository) FillTables(out string) error {
	paths, err := c.Documents()
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		filled, err := c.fillTables(out, string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if filled != string(text) {
			if err := written.Replace(path, []byte(filled)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillTables returns a document with the tables whose folders are in out.
func (c *Repository) fillTables(out, document string) (string, error) {
	lines := strings.Split(document, "\n")
	list := regions(lines)
	for i := len(list) - 1; i >= 0; i-- { // from the end, so that indices stay
		r := &list[i]
		m, err := parseTableMark(r.mark)
		if err == nil && r.end < 0 {
			err = fmt.Errorf("no line %s follows", tableEnds)
		}
		dir := filepath.Join(out, m.folder)
		if _, missing := os.Stat(dir); err == nil && missing != nil {
			continue
		}
		var filled []string
		if err == nil {
			filled, err = c.fillTable(dir, r.mark, &m)
		}
		if err != nil {
			return "", fmt.Errorf("line %d: table %s: %w", r.at+1, r.mark, err)
		}
		lines = slices.Replace(lines, r.at+1, r.end, filled...)
	}
	return strings.Join(lines, "\n"), nil
}

// fillTable returns the lines of a table, and of its runs.
func (c *Repository) fillTable(dir, mark string, m *tableMark) ([]string, error) {
	r, err := experiments.ReadFolder(dir, c.Names)
	if err != nil {
		return nil, err
	}
	st := c.Load(r.Study.Name)
	if st == nil {
		return nil, fmt.Errorf("%s is no built-in study", r.Study.Name)
	}
	now, err := c.AsOfToday(dir, r)
	if err != nil {
		return nil, err
	}
	text, err := m.table(now)
	if err != nil {
		return nil, err
	}
	d, err := c.tableDigests(m, mark, st)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	made := "Runs made by contend " + now.Program() + "."
	runs := fmt.Sprintf("<!-- runs: %s %s %s %s -->", d.OfRule, d.Points, d.Results,
		claims.Digest(lines...))
	return slices.Concat([]string{""}, lines, []string{"", made, runs}), nil
}

// tableDigests returns what a table rests on: its mark, the points of the study, and the metric in
// the golden file.
func (c *Repository) tableDigests(m *tableMark, mark string, st *study.Study) (d claims.Digests,
	err error) {
	points, err := st.Points()
	if err != nil {
		return d, err
	}
	results, err := goldenDigest(c.Root, st.Name, &study.Tolerance{Metric: m.metric})
	return claims.Digests{OfRule: claims.Digest(strings.Fields(mark)...),
		Points: claims.DigestPoints(points), Results: claims.Digest(results)}, err
}

// table returns the Markdown table of a mark, the column of the reference first.
func (m *tableMark) table(r *experiments.Results) (string, error) {
	if err := m.check(r); err != nil {
		return "", err
	}
	keys, columns := r.AxisKeys(), []string{m.relative}
	for _, label := range r.Study.LabelsOf(r.Points, m.columns) {
		if label != m.relative {
			columns = append(columns, label)
		}
	}
	grid := [][]string{m.header(r, columns)}
	for i := range r.Points {
		labels := r.Points[i].Labels
		if labels[slices.Index(keys, m.columns)] != m.relative ||
			m.key != "" && labels[slices.Index(keys, m.key)] != m.only {
			continue
		}
		var row []string
		for _, key := range m.rows {
			row = append(row, labels[slices.Index(keys, key)])
		}
		for _, column := range columns {
			cell, err := m.cell(r, i, column)
			if err != nil {
				return "", err
			}
			row = append(row, cell)
		}
		grid = append(grid, row)
	}
	return tables.MarkdownTable(grid, len(m.rows)), nil
}

// check refuses names that the results do not have, and a choice of axes that would put two points
// into one cell.
func (m *tableMark) check(r *experiments.Results) error {
	if has := r.Metrics(); !slices.Contains(has, m.metric) {
		return fmt.Errorf("no run has the metric %s: %s", m.metric, input.OneOf(m.metric, has))
	}
	keys, shown := r.AxisKeys(), append(slices.Clone(m.rows), m.columns)
	if m.key != "" {
		shown = append(shown, m.key)
		if has := r.Study.LabelsOf(r.Points, m.key); !slices.Contains(has, m.only) {
			return fmt.Errorf("where=%s:%s is no value of the axis: %s", m.key, m.only,
				input.OneOf(m.only, has))
		}
	}
	for _, key := range shown {
		if !slices.Contains(keys, key) {
			return fmt.Errorf("%s is no axis of the study %s", key, r.Study.Name)
		}
	}
	for _, key := range keys {
		if !slices.Contains(shown, key) && len(r.Study.LabelsOf(r.Points, key)) > 1 {
			return fmt.Errorf("points differ in %s too: add it to rows", key)
		}
	}
	if !slices.Contains(r.Study.LabelsOf(r.Points, m.columns), m.relative) {
		return fmt.Errorf("relative_to=%s is no value of %s", m.relative, m.columns)
	}
	return nil
}

// header returns the names of the axes of the rows, then the columns, the first with its unit.
func (m *tableMark) header(r *experiments.Results, columns []string) (head []string) {
	for _, key := range m.rows {
		head = append(head, key[strings.LastIndexByte(key, '.')+1:])
	}
	head = append(head, columns...)
	unit := metrics.UnitOf(m.metric, &r.Points[0].Spec)
	head[len(m.rows)] = tables.Title(m.relative, unit)
	return head
}

// cell returns the mean at the reference point, or the ratio to it of another column in its row. It
// is empty where runs have no such metric. It refuses a point that was not run.
func (m *tableMark) cell(r *experiments.Results, reference int, column string) (string, error) {
	at, _ := r.Study.Sibling(r.Points, reference, m.columns, column)
	if r.Replications(at) == 0 {
		return "", fmt.Errorf("%s was not run: contend run resumes the study",
			strings.Join(r.Points[at].Labels, " "))
	}
	if column == m.relative {
		if e, ok := r.Estimate(at, m.metric); ok {
			return tables.EstimateText(e), nil
		}
	} else if ratio, ok := r.PairedRatio(at, reference, m.metric); ok {
		return ratioText(&ratio), nil
	}
	return "", nil
}

// ratioText returns a ratio with its interval, where it has one.
func ratioText(r *stats.PairedRatio) string {
	text := tables.Significant(r.Mean, 3)
	if !math.IsNaN(r.Low) {
		text += fmt.Sprintf(" (%s to %s)", tables.Significant(r.Low, 3), tables.Significant(r.High, 3))
	}
	return text
}
