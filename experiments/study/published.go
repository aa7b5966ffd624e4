package study

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/internal/input"
)

// loadPublished replaces published.file by its content in published.csv, so that the study is
// complete without the file, and checks that the CSV can be parsed. It looks for the file in dir,
// unless that is "", then among the CSV files of the built-in studies. A study has file or csv, not
// both.
func (st *Study) loadPublished(dir string) *input.Error {
	p := &st.Published
	if p.File == "" && p.CSV == "" {
		return nil
	}
	if p.File != "" && p.CSV != "" {
		return input.Bad("published.file", "give either file or csv",
			"published.file and published.csv exclude each other")
	}
	if p.File != "" {
		text, err := []byte(nil), fs.ErrNotExist
		if dir != "" {
			text, err = input.ReadFile(filepath.Join(dir, p.File), input.PublishedLimits)
		}
		builtin, ok := studies.CSV(p.File)
		p.from = p.File
		switch {
		case err == nil:
			p.CSV, p.from = string(text), filepath.Join(dir, p.File)
		case ok && errors.Is(err, fs.ErrNotExist):
			p.CSV = builtin
		default:
			return input.Bad("published.file", "give a CSV file beside the study", "%v", err)
		}
		p.File = ""
	}
	var err *input.Error
	p.rows, err = parsePublished(p.CSV, st.Base.Registry)
	return err
}

// Rows returns the rows of the CSV.
func (p *Published) Rows() []PublishedRow { return p.rows }

// PublishedRow is a row of numbers that a paper published: the points that they are about and, by
// metric, what the paper says.
type PublishedRow struct {
	Where    map[string]any     // the values that its points have, by key
	Values   map[string]float64 // the numbers
	Texts    map[string]string  // the numbers as printed
	Rounding map[string]float64 // half a unit of the last printed digit; 0 if unknown
	Stated   map[string]float64 // the error that the paper states

	line int // line of the CSV, from 1
}

// errorColumn ends the name of a column with the stated errors of a metric.
const errorColumn = "_error"

// halfUnit returns half a unit of the last digit of a printed number, 0 for a
// number with an exponent.
func halfUnit(text string) float64 {
	if strings.ContainsAny(text, "eE") {
		return 0
	}
	_, decimals, _ := strings.Cut(text, ".")
	return 0.5 * math.Pow10(-len(decimals))
}

// parsePublished parses a CSV. A column is a key, the variant, a metric, or a metric with the
// suffix _error, which holds the error that the paper states.
func parsePublished(text string, names *config.Registry) ([]PublishedRow, *input.Error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	for _, name := range header {
		if _, ok := config.FindKey(name); ok || name == variantKey {
			continue
		}
		if err := CheckMetric(strings.TrimSuffix(name, errorColumn), "published", names); err != nil {
			return nil, input.Bad("published", err.Right, "the published figures "+
				"have a column %q that is neither a key nor a metric", name)
		}
	}
	var rows []PublishedRow
	for n := 1; err == nil; n++ {
		var record []string
		if record, err = r.Read(); err != nil {
			break
		}
		row := PublishedRow{Where: map[string]any{}, Values: map[string]float64{},
			Texts: map[string]string{}, Rounding: map[string]float64{},
			Stated: map[string]float64{}}
		row.line, _ = r.FieldPos(0)
		for i, cell := range record {
			name := header[i]
			if name == variantKey {
				row.Where[name] = cell
				continue
			}
			if k, ok := config.FindKey(name); ok {
				row.Where[name] = config.ParseFlagValue(k, cell)
				continue
			}
			if cell == "" {
				continue
			}
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, input.Bad("published", "give a number",
					"row %d of the published figures has the %s %q", n, name, cell)
			}
			if metric, isError := strings.CutSuffix(name, errorColumn); isError {
				row.Stated[metric] = x
				continue
			}
			row.Values[name], row.Rounding[name], row.Texts[name] = x, halfUnit(cell), cell
		}
		rows = append(rows, row)
	}
	if !errors.Is(err, io.EOF) {
		return nil, input.Bad("published", "give CSV with a header of keys and metrics", "%v", err)
	}
	return rows, nil
}

// PublishedAt returns the published numbers of a point by metric, merged from all rows that match
// it. Of two rows with the same metric the first counts. It returns nil if no row matches.
func PublishedAt(rows []PublishedRow, p *Point) map[string]float64 {
	var values map[string]float64
	for _, r := range rows {
		if !Matches(p, r.Where) {
			continue
		}
		if values == nil {
			values = map[string]float64{}
		}
		for metric, x := range r.Values {
			if _, known := values[metric]; !known {
				values[metric] = x
			}
		}
	}
	return values
}

// checkPublished returns an error for a row of published numbers that would be ignored: one that
// matches no point of the study, or that repeats a metric of a point. name is the file of the
// study, for messages. It checks nothing once flags have changed the study or selected points: rows
// without a point are then expected.
func (st *Study) checkPublished(name string) error {
	if len(st.Changed)+len(st.Selected) > 0 || st.Published.CSV == "" {
		return nil
	}
	points, err := st.Points()
	if err != nil {
		return err
	}
	rows, n := st.Published.rows, newNameCheck(st, points)
	rowOf := make([]map[string]int, len(points)) // row by point, then by metric
	for at, row := range rows {
		if err := cmp.Or(st.checkWhere(row.Where, ""), n.where(row.Where, "")); err != nil {
			return st.atRow(name, at, row, err)
		}
		for i := range points {
			if !n.matches(i, row.Where) {
				continue
			}
			if rowOf[i] == nil {
				rowOf[i] = map[string]int{}
			}
			for _, metric := range input.SortedKeys(row.Values) {
				if before, twice := rowOf[i][metric]; twice {
					return st.atRow(name, at, row, input.Bad("", "keep one of them",
						"%s of %s is given twice, also in row %d",
						metric, strings.Join(points[i].Labels, " "), before+1))
				}
				rowOf[i][metric] = at
			}
		}
	}
	return nil
}

// atRow changes err to be about row n, from 0, and returns it: its problem begins with the number
// of the row from 1, its place is the line of the CSV file or, without a file, the study called
// name, and its key is cleared.
func (st *Study) atRow(name string, n int, row PublishedRow, err *input.Error) *input.Error {
	err.Where = fmt.Sprintf("%s, published.csv", name)
	if st.Published.from != "" {
		err.Where = fmt.Sprintf("%s:%d:1", st.Published.from, row.line)
	}
	err.Problem = fmt.Sprintf("row %d of the published figures: %s", n+1, err.Problem)
	err.Key = ""
	return err
}
