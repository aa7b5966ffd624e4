package export

import (
	"bytes"
	"contend/experiments/cosim/metrics"
	"encoding/csv"
	"strconv"

	"contend/experiments/spec"
	"contend/experiments/study"
)

// Cells returns cells of CSV as encoding/csv writes them, each with a comma behind it. Rows that
// share their first cells are put together from those bytes and from numbers, which need no
// quotes: tables of 100,000 runs have millions of rows.
func Cells(cells ...string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(append(cells[:len(cells):len(cells)], "")) // an empty cell ends the row
	w.Flush()
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// UnitCells returns a function that gives the cells with the name and the unit of each metric in
// runs of a spec.
func UnitCells(names []string) func(*spec.Spec) (units []string, cells [][]byte) {
	units := metrics.Units(names)
	known := map[*string][][]byte{} // by the list of units
	return func(s *spec.Spec) ([]string, [][]byte) {
		list := units(s)
		if len(list) == 0 {
			return nil, nil
		}
		cells, ok := known[&list[0]]
		if !ok {
			for i, m := range names {
				cells = append(cells, Cells(m, list[i]))
			}
			known[&list[0]] = cells
		}
		return list, cells
	}
}

// runCells returns the first cells of the rows of a run: the labels of its point, then those that
// name it.
func runCells(p *study.Point, replication int, more ...string) []byte {
	cells := append(p.Labels[:len(p.Labels):len(p.Labels)], strconv.Itoa(replication), p.Hash)
	return Cells(append(cells, more...)...)
}
