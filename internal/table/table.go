// Package table describes tables for other programs: the columns with their types,
// units and meanings. It writes them as Apache Parquet and describes CSV files by a
// Data Package, so that both forms of a table have one schema.
//
// An empty cell of a CSV file is a null in the Parquet file. A column in which that can
// happen is Nullable.
package table

// SchemaVersion is the version of the names, types and units of all tables. It grows by
// one when a column gets another name, type, unit or meaning, or disappears. A new column
// at the end leaves it as it is.
const SchemaVersion = 1

// Type is the type of the values in a column, by its name in a Data Package.
type Type string

// Types of columns. In Parquet they are INT64, DOUBLE, BOOLEAN and STRING.
const (
	Integer Type = "integer"
	Number  Type = "number"
	Boolean Type = "boolean"
	String  Type = "string"
)

// Column describes a column.
type Column struct {
	// Name is the name in the header.
	Name string
	// Type is the type of all values, empty where nothing but CSV is written.
	Type Type
	// Nullable says that cells may be empty.
	Nullable bool
	// Unit is the unit of the values, empty for plain numbers, names and texts.
	Unit string
	// Meaning says in a line what the column holds.
	Meaning string
}

// Column returns a column of the type in which every cell has a value.
func (t Type) Column(name, unit, meaning string) Column {
	return Column{Name: name, Type: t, Unit: unit, Meaning: meaning}
}

// Plain returns a column of a table that is only a CSV file, whose columns have no types.
func Plain(name, unit, meaning string) Column {
	return Column{Name: name, Unit: unit, Meaning: meaning}
}

// OrEmpty returns the column with cells that may be empty.
func (c Column) OrEmpty() Column {
	c.Nullable = true
	return c
}

// Table describes a table.
type Table struct {
	// Name is the name of its files without the extension.
	Name string
	// Row says what a row stands for.
	Row string
	// Columns are the columns in the order of the files.
	Columns []Column
	// Key lists columns whose values together identify a row.
	Key []string
	// Of names the table of which each row belongs to a row, "" for none, and OfKey lists the
	// columns of both that say to which.
	Of    string
	OfKey []string
}

// Names lists the names of columns.
func Names(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
