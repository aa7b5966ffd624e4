package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/written"
)

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
	now, err := c.asOfToday(dir, r)
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
	runs := fmt.Sprintf("<!-- runs: %s %s %s %s -->", d.Rule, d.Points, d.Results, digest(lines...))
	return slices.Concat([]string{""}, lines, []string{"", made, runs}), nil
}

// tableDigests returns what a table rests on: its mark, the points of the study, and the metric in
// the golden file.
func (c *Repository) tableDigests(m *tableMark, mark string, st *study.Study) (d Digests,
	err error) {
	points, err := st.Points()
	if err != nil {
		return d, err
	}
	results, err := goldenDigest(c.Root, st.Name, &study.Tolerance{Metric: m.metric})
	return Digests{digest(strings.Fields(mark)...), digestPoints(points), digest(results)}, err
}
