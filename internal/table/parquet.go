package table

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// rowGroup is the number of rows after which a row group is written. A group is held in
// memory, and other programs read groups in parallel.
const rowGroup = 1 << 17

// Names of the metadata of a Parquet file.
const (
	// VersionEntry holds SchemaVersion.
	VersionEntry = "contend.schema_version"
	// SchemaEntry holds the Table Schema of the file as JSON, with units and meanings.
	SchemaEntry = "contend.schema"
)

// batch is the number of rows that go to the pages of the columns at a time. It divides rowGroup.
const batch = 1 << 10

// ParquetWriter writes a table as Apache Parquet. The same rows give the same bytes on every
// processor: unlike that of Snappy, the library's compressor of gzip has one algorithm for all, and
// texts stand in no dictionaries, whose runs of equal entries it finds otherwise with AVX2.
type ParquetWriter struct {
	columns []Column
	out     *parquet.GenericWriter[any]
	row     []parquet.Value
	values  [][]parquet.Value // by column: the rows since the last batch
	rows    int               // rows of the row group without those
}

// NewParquetWriter returns a writer of the table. Its schema, with units and meanings,
// goes into the metadata of the file, and so do the given entries.
func NewParquetWriter(w io.Writer, t *Table, entries map[string]string) (*ParquetWriter, error) {
	schema, err := json.Marshal(t.schema())
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{
		parquetSchema(t), parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Gzip),
		parquet.KeyValueMetadata(VersionEntry, strconv.Itoa(SchemaVersion)),
		parquet.KeyValueMetadata(SchemaEntry, string(schema)),
	}
	for name, text := range entries {
		options = append(options, parquet.KeyValueMetadata(name, text))
	}
	out := &ParquetWriter{columns: t.Columns, out: parquet.NewGenericWriter[any](w, options...),
		values: make([][]parquet.Value, len(t.Columns))}
	for i := range out.values {
		out.values[i] = make([]parquet.Value, 0, batch)
	}
	return out, nil
}

// Write writes a row. Its values are of the types of the columns, or empty in a nullable column.
func (w *ParquetWriter) Write(values ...Value) error {
	if len(values) != len(w.columns) {
		return fmt.Errorf("table: a row of %d values for %d columns", len(values), len(w.columns))
	}
	w.row = w.row[:0]
	for i, v := range values {
		cell, err := w.cell(i, v)
		if err != nil {
			return err
		}
		w.row = append(w.row, cell)
	}
	for i := range w.row {
		w.values[i] = append(w.values[i], w.row[i])
	}
	if len(w.values[0]) < batch {
		return nil
	}
	return w.flush()
}

// cell returns a value for a column, as Write takes it.
func (w *ParquetWriter) cell(column int, v Value) (cell parquet.Value, err error) {
	c := &w.columns[column]
	if v.kind == emptyValue {
		if !c.Nullable {
			return cell, fmt.Errorf("table: no value in the column %s, which must have one", c.Name)
		}
		return parquet.NullValue().Level(0, 0, column), nil
	}
	if of := typeOf[v.kind]; of != c.Type {
		return cell, fmt.Errorf("table: a value of type %s in the column %s of type %s", of, c.Name,
			c.Type)
	}
	switch c.Type {
	case Integer:
		cell = parquet.Int64Value(int64(v.bits))
	case Number:
		cell = parquet.DoubleValue(math.Float64frombits(v.bits))
	case Boolean:
		cell = parquet.BooleanValue(v.bits != 0)
	case String:
		cell = parquet.ByteArrayValue([]byte(v.text))
	}
	level := 0
	if c.Nullable {
		level = 1
	}
	return cell.Level(0, level, column), nil
}

// flush moves the rows of a batch into the pages of the columns.
func (w *ParquetWriter) flush() error {
	if w.rows == rowGroup {
		if err := w.out.Flush(); err != nil {
			return err
		}
		w.rows = 0
	}
	w.rows += len(w.values[0])
	for i, column := range w.out.ColumnWriters() {
		if _, err := column.WriteRowValues(w.values[i]); err != nil {
			return err
		}
		w.values[i] = w.values[i][:0]
	}
	return nil
}

// Close writes the end of the file.
func (w *ParquetWriter) Close() error {
	if len(w.values) > 0 && len(w.values[0]) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.out.Close()
}

// parquetSchema returns the schema of a struct with a field for each column. A
// parquet.Group would sort the columns by name.
func parquetSchema(t *Table) *parquet.Schema {
	fields := make([]reflect.StructField, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		tag := c.Name
		if c.Nullable {
			tag += ",optional"
		}
		if c.Type == String {
			tag += ",plain"
		}
		fields[i] = reflect.StructField{
			Name: fmt.Sprint("Column", i), Type: c.goType(),
			Tag: reflect.StructTag("parquet:" + strconv.Quote(tag)),
		}
	}
	return parquet.NewSchema(t.Name, parquet.SchemaOf(
		reflect.New(reflect.StructOf(fields)).Interface()))
}

// goType returns the Go type of the values in a column.
func (c *Column) goType() reflect.Type {
	switch c.Type {
	case Integer:
		return reflect.TypeFor[int64]()
	case Number:
		return reflect.TypeFor[float64]()
	case Boolean:
		return reflect.TypeFor[bool]()
	case String:
		return reflect.TypeFor[string]()
	}
	panic("table: the column " + c.Name + " has no type")
}
