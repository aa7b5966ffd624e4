package experiments

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"contend/experiments/bounded"
	"contend/experiments/studies"
)

// loadPublished reads the file of published figures into the study, so that
// the study is complete without it.
func (st *Study) loadPublished(dir string) *InputError {
	p := &st.Published
	if p.File != "" && p.CSV != "" {
		return badInput("published.file", "give one of file and csv", "published.file and published.csv exclude each other")
	}
	if p.File != "" {
		text, err := bounded.ReadFile(filepath.Join(dir, p.File), bounded.Published)
		builtin, ok := studies.CSV(p.File)
		switch {
		case err == nil:
			p.CSV = string(text)
		case ok:
			p.CSV = builtin
		default:
			return badInput("published.file", "give a CSV file beside the study", "%v", err)
		}
		p.File = ""
	}
	_, err := p.rows()
	return err
}

// publishedRow is one row of published figures: what the point has to be, and
// what was measured there.
type publishedRow struct {
	where  map[string]any
	values map[string]float64
}

// rows parses the CSV. A column is a key or the name of a metric.
func (p *Published) rows() ([]publishedRow, *InputError) {
	r := csv.NewReader(strings.NewReader(p.CSV))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, badInput("published", "give CSV with a header of keys and metrics", "%v", err)
	}
	if len(records) == 0 {
		return nil, nil
	}
	var rows []publishedRow
	for n, record := range records[1:] {
		row := publishedRow{map[string]any{}, map[string]float64{}}
		for i, cell := range record {
			name := records[0][i]
			if k, ok := FindKey(name); ok {
				row.where[name] = parseFlagValue(k, cell)
				continue
			}
			if err := checkOne(name, "published"); err != nil {
				return nil, badInput("published", err.Right, "the published figures have a column %q that is neither a key nor a metric", name)
			}
			if cell == "" {
				continue
			}
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, badInput("published", "give a number", "row %d of the published figures has the %s %q", n+1, name, cell)
			}
			row.values[name] = x
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// publishedAt returns the published figures for a point, nil where there are
// none.
func publishedAt(rows []publishedRow, p *Point, names Names) map[string]float64 {
	for _, r := range rows {
		if matches(p, r.where, names) {
			return r.values
		}
	}
	return nil
}

// mustRows returns the rows of a study that has been checked.
func (p *Published) mustRows() []publishedRow {
	rows, err := p.rows()
	if err != nil {
		panic(fmt.Sprintf("experiments: published figures that were checked are broken: %v", err))
	}
	return rows
}
