package tables

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"

	"contend/internal/input"
)

// TableRows gives the rows of a table one after the other. Cells are texts, numbers of type int and
// InUnit, and nil for an empty cell. A writer that has failed once writes nothing more and returns
// its error at the end too.
type TableRows func(write func(cells ...any) error)

// InUnit is a number with its unit. CSV has times with at most three decimals, Parquet has all
// numbers exactly.
type InUnit struct {
	X    float64
	Unit string
}

// WriteCSV writes a table as encoding/csv does, but without a text for each number: tables of
// 100,000 runs have millions of rows.
func WriteCSV(w io.Writer, header []string, rows TableRows) error {
	out := bufio.NewWriter(w)
	write := func(cells ...any) error {
		row := out.AvailableBuffer()
		for _, c := range cells {
			row = append(appendCell(row, c), ',')
		}
		row[len(row)-1] = '\n' // in place of the last comma
		_, err := out.Write(row)
		return err
	}
	write(Texts(header)...)
	rows(write)
	return out.Flush()
}

// appendCell appends a cell of CSV.
func appendCell(to []byte, cell any) []byte {
	switch c := cell.(type) {
	case int:
		return strconv.AppendInt(to, int64(c), 10)
	case InUnit:
		return input.AppendInUnit(to, c.Unit, c.X)
	case string:
		if c == `\.` || strings.ContainsAny(c, ",\"\r\n") ||
			strings.TrimLeftFunc(c, unicode.IsSpace) != c {
			return append(append(append(to, '"'), strings.ReplaceAll(c, `"`, `""`)...), '"')
		}
		return append(to, c...)
	}
	return to
}

// Texts returns texts as cells.
func Texts(texts []string) []any {
	cells := make([]any, len(texts))
	for i, text := range texts {
		cells[i] = text
	}
	return cells
}
