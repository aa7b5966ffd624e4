package study

import (
	"reflect"
	"slices"

	"contend/internal/input"
)

// TableKind is the kind of figure that is a table: the values of a metric by rows and columns.
const TableKind = "table"

// tableKeys are the keys that act on a table.
var tableKeys = []string{"name", "title", "kind", "rows", "columns", "metric", "relative_to",
	"where", "labels", "width_mm"}

// checkTable tests the keys of a table, and refuses its keys in other figures.
func (f *Figure) checkTable(at string) *input.Error {
	of := reflect.ValueOf(f).Elem()
	for _, field := range input.StudyFields(of.Type()) {
		key := field.Tag.Get("key")
		acts := slices.Contains(tableKeys, key)
		if f.Kind != TableKind {
			acts = key != "rows" && key != "columns"
		}
		if !acts && !of.FieldByIndex(field.Index).IsZero() {
			return input.Bad(at+"."+key, "leave it out", "%s.%s has no effect on a figure of kind %s", at,
				key, f.Kind)
		}
	}
	if f.Kind != TableKind {
		return nil
	}
	if f.Columns == "" || len(f.Rows) == 0 {
		return input.Bad(at+".columns", `give axes such as rows = ["workload.system_load"], columns = `+
			`"allocator"`, "%s is a table without rows or columns", at)
	}
	for i, key := range f.Rows {
		if key == f.Columns || slices.Index(f.Rows, key) < i {
			return input.Bad(at+".rows", "give each key once", "%s.rows has %s again", at, key)
		}
	}
	return nil
}

// LaidOut returns a table as a figure with the same places: the last key of the rows along the
// abscissa, a panel for each of the others, and a series for each column. It returns other figures
// as they are.
func (f *Figure) LaidOut() *Figure {
	if f.Kind != TableKind || len(f.Rows) == 0 {
		return f
	}
	g, last := *f, len(f.Rows)-1
	g.X, g.Panels, g.Series = f.Rows[last], f.Rows[:last], f.Columns
	return &g
}
