package table

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"contend/internal/decimal"
)

// Value is a typed cell. The zero value is the empty cell.
type Value struct {
	kind valueKind
	bits uint64 // of an integer, a number or a boolean
	// text is the text of a string, and the unit of a number, which sets its digits in CSV.
	text string
}

// valueKind is the kind of a Value.
type valueKind uint8

const (
	emptyValue valueKind = iota
	integerValue
	numberValue // CSV has the digits that decimal.InUnit gives
	exactValue  // a number of which CSV has all digits
	booleanValue
	stringValue
)

// typeOf has the type of the columns that hold values of each kind.
var typeOf = [...]Type{integerValue: Integer, numberValue: Number, exactValue: Number,
	booleanValue: Boolean, stringValue: String}

// Int returns an integer.
func Int[T ~int | ~int32 | ~int64](n T) Value {
	return Value{kind: integerValue, bits: uint64(int64(n))}
}

// InUnit returns a number in a unit, or the empty cell for an undefined one. CSV has times with at
// most three decimals and other numbers with nine digits; Parquet has all digits.
func InUnit(x float64, unit string) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Value{}
	}
	return Value{kind: numberValue, bits: math.Float64bits(x), text: unit}
}

// Exact is InUnit with all digits in CSV too.
func Exact(x float64) Value {
	v := InUnit(x, "")
	if v.kind == numberValue {
		v.kind = exactValue
	}
	return v
}

// Bool returns a boolean.
func Bool(b bool) Value {
	v := Value{kind: booleanValue}
	if b {
		v.bits = 1
	}
	return v
}

// Text returns a string, which may be "".
func Text(s string) Value { return Value{kind: stringValue, text: s} }

// Texts returns strings.
func Texts(texts []string) []Value {
	cells := make([]Value, len(texts))
	for i, text := range texts {
		cells[i] = Text(text)
	}
	return cells
}

// Empty reports whether CSV has no characters for the cell.
func (v Value) Empty() bool { return v.kind == emptyValue || v.kind == stringValue && v.text == "" }

// Float returns an integer or a number, and NaN for any other cell.
func (v Value) Float() float64 {
	switch v.kind {
	case integerValue:
		return float64(int64(v.bits))
	case numberValue, exactValue:
		return math.Float64frombits(v.bits)
	}
	return math.NaN()
}

// Int returns an integer, and 0 for any other cell.
func (v Value) Int() int64 {
	if v.kind != integerValue {
		return 0
	}
	return int64(v.bits)
}

// String returns the cell as text, as CSV has it without quotes.
func (v Value) String() string {
	if v.kind == stringValue {
		return v.text
	}
	return string(v.appendText(nil))
}

// appendText appends the cell as String returns it.
func (v Value) appendText(to []byte) []byte {
	switch v.kind {
	case integerValue:
		return strconv.AppendInt(to, int64(v.bits), 10)
	case numberValue:
		return decimal.AppendInUnit(to, v.text, math.Float64frombits(v.bits))
	case exactValue:
		return decimal.AppendExact(to, math.Float64frombits(v.bits))
	case booleanValue:
		return strconv.AppendBool(to, v.bits != 0)
	}
	return append(to, v.text...)
}

// MarshalJSON implements json.Marshaler. Numbers have all digits.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case emptyValue:
		return []byte("null"), nil
	case numberValue, exactValue:
		return json.Marshal(v.Float())
	case stringValue:
		return json.Marshal(v.text)
	}
	return v.appendText(nil), nil
}

// Parse returns the value of a cell in CSV.
func (c *Column) Parse(text string) (Value, error) {
	if text == "" && c.Nullable {
		return Value{}, nil
	}
	v := Text(text)
	var err error
	switch c.Type {
	case Integer:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v = Int(n)
	case Number:
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		v = Exact(x)
	case Boolean:
		var b bool
		b, err = strconv.ParseBool(text)
		v = Bool(b)
	}
	if err != nil {
		return Value{}, fmt.Errorf("the column %s has %q, which is no %s", c.Name, text, c.Type)
	}
	return v, nil
}

// Typed returns a cell of the column: a text as Parse reads it, any other value unchanged.
func (c *Column) Typed(v Value) (Value, error) {
	if v.kind == stringValue && (c.Type != String || c.Nullable) {
		return c.Parse(v.text)
	}
	return v, nil
}

// Rows calls write with the cells of each row of a table. A writer that has failed once writes
// nothing more and returns its error at the end too.
type Rows func(write func(cells ...Value) error)

// TextRows returns rows of strings.
func TextRows(rows [][]string) Rows {
	return func(write func(...Value) error) {
		for _, row := range rows {
			write(Texts(row)...)
		}
	}
}

// WriteCSV writes a table as encoding/csv does, but without a text for each number: tables of
// 100,000 runs have millions of rows.
func WriteCSV(w io.Writer, header []string, rows Rows) error {
	out := bufio.NewWriter(w)
	write := func(cells ...Value) error {
		_, err := out.Write(append(AppendCSV(out.AvailableBuffer(), cells), '\n'))
		return err
	}
	write(Texts(header)...)
	rows(write)
	return out.Flush()
}

// AppendCSV appends a row as CSV without the end of its line.
func AppendCSV(to []byte, cells []Value) []byte {
	for i, c := range cells {
		if i > 0 {
			to = append(to, ',')
		}
		if c.kind == stringValue && quotes(c.text) {
			to = append(append(append(to, '"'), strings.ReplaceAll(c.text, `"`, `""`)...), '"')
		} else {
			to = c.appendText(to)
		}
	}
	return to
}

// quotes reports whether encoding/csv quotes a text.
func quotes(text string) bool {
	return text == `\.` || strings.ContainsAny(text, ",\"\r\n") ||
		strings.TrimLeftFunc(text, unicode.IsSpace) != text
}
