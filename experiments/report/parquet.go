package report

import (
	"fmt"
	"io"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"contend/experiments"
)

// WriteParquet writes runs.parquet. It has the rows and columns of runs.csv in
// the same order, with typed columns and exact values.
func WriteParquet(r *experiments.Results, w io.Writer) error {
	keys := r.AxisKeys()
	out := parquet.NewWriter(w, parquetSchema(keys))
	b := parquetRow{keys: keys, point: -1}
	err := eachRow(r, func(row *runRow) error {
		_, err := out.WriteRows([]parquet.Row{b.of(row)})
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// parquetRow makes rows in the memory of the row before.
type parquetRow struct {
	keys   []string // of the axes
	point  int
	labels []parquet.Value // of the point, in the types of their columns
	values parquet.Row
}

// of returns a row. Rows are written one at a time, since pages of a file depend on that.
func (b *parquetRow) of(row *runRow) parquet.Row {
	if row.point != b.point {
		b.point, b.labels = row.point, b.labels[:0]
		for i, key := range b.keys {
			label := parquet.ValueOf(typedLabel(key, row.labels[i]))
			b.labels = append(b.labels, label.Level(0, 0, i))
		}
	}
	n := len(b.keys)
	b.values = append(append(b.values[:0], b.labels...),
		parquet.Int64Value(int64(row.replication)).Level(0, 0, n),
		parquet.ByteArrayValue([]byte(row.hash)).Level(0, 0, n+1),
		parquet.ByteArrayValue([]byte(row.metric)).Level(0, 0, n+2),
		parquet.ByteArrayValue([]byte(row.unit)).Level(0, 0, n+3),
		parquet.DoubleValue(row.value).Level(0, 0, n+4))
	return b.values
}

// parquetSchema returns the schema of a struct with a field for each column. A
// parquet.Group would sort the columns by name.
func parquetSchema(keys []string) *parquet.Schema {
	var fields []reflect.StructField
	add := func(name string, t reflect.Type) {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("Column", len(fields)), Type: t,
			Tag: reflect.StructTag("parquet:" + strconv.Quote(name)),
		})
	}
	for _, key := range keys {
		add(key, columnType(key))
	}
	add("replication", reflect.TypeFor[int64]())
	add("hash", reflect.TypeFor[string]())
	add("metric", reflect.TypeFor[string]())
	add("unit", reflect.TypeFor[string]())
	add("value", reflect.TypeFor[float64]())
	return parquet.NewSchema("runs", parquet.SchemaOf(
		reflect.New(reflect.StructOf(fields)).Interface()))
}

// columnType returns the type of an axis's column. It depends on the key alone,
// not on the values of the axis, so that files of several studies fit together. A
// key that can be "auto" is text.
func columnType(key string) reflect.Type {
	k, _ := experiments.FindAxisKey(key)
	switch k.Type {
	case "integer":
		return reflect.TypeFor[int64]()
	case "number":
		return reflect.TypeFor[float64]()
	case "boolean":
		return reflect.TypeFor[bool]()
	}
	return reflect.TypeFor[string]()
}

// typedLabel returns the label of an axis in the type of its column.
func typedLabel(key, label string) any {
	var v any = label
	var err error
	switch columnType(key).Kind() {
	case reflect.Int64:
		v, err = strconv.ParseInt(label, 10, 64)
	case reflect.Float64:
		v, err = strconv.ParseFloat(label, 64)
	case reflect.Bool:
		v, err = strconv.ParseBool(label)
	}
	if err != nil {
		panic("experiments: a label of the axis " + key + " is not of its type: " + err.Error())
	}
	return v
}
