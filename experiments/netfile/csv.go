package netfile

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"contend/internal/bounded"
)

// csvColumns are the columns of a CSV file, of which only the first two are needed.
var csvColumns = []string{"from", "to", "count", "cycles", "back", "class", "flit_cycles",
	"back_flit_cycles", "nodes", "group", "rail"}

// parseCSV reads a table of links. A row without the field to describes the router from: its
// nodes and its group.
func parseCSV(file, text string) (*Network, error) {
	n := newNamed(file)
	r := csv.NewReader(strings.NewReader(text))
	r.Comment, r.TrimLeadingSpace, r.ReuseRecord = '#', true, true
	var columns []string
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(file, err)
		}
		n.line, _ = r.FieldPos(0)
		if columns == nil {
			if columns, err = n.header(row); err != nil {
				return nil, err
			}
			continue
		}
		if err := n.row(columns, row); err != nil {
			return nil, err
		}
	}
	return n.finish()
}

// csvError says where a text is no CSV.
func csvError(file string, err error) error {
	var bad *csv.ParseError
	if !errors.As(err, &bad) {
		return err
	}
	return &bounded.Error{File: file, Line: bad.Line, Problem: bad.Err.Error(),
		Right: "give comma-separated values with a row of names first"}
}

// header checks the names of the columns.
func (n *named) header(row []string) ([]string, error) {
	columns := slices.Clone(row)
	for i, name := range columns {
		if !slices.Contains(csvColumns, name) || slices.Contains(columns[:i], name) {
			return nil, n.bad("give each of these once: "+strings.Join(csvColumns, ", "),
				"a column is called %q", name)
		}
	}
	if !slices.Contains(columns, "from") || !slices.Contains(columns, "to") {
		return nil, n.bad("name the columns in the first row", "there is no column from, or none to")
	}
	return columns, nil
}

// row reads a link or a router.
func (n *named) row(columns, row []string) error {
	p := properties{}
	for i, value := range row {
		if value = strings.TrimSpace(value); value != "" {
			p[columns[i]] = value
		}
	}
	from, to := p["from"], p["to"]
	delete(p, "from")
	delete(p, "to")
	if to == "" {
		return n.addRouter(from, p)
	}
	return n.addLink(from, to, p)
}
