package input

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"contend/internal/decimal"
)

// Auto is a number, or "auto", which leaves the number to the program.
type Auto float64

// Automatic is the value of "auto".
const Automatic Auto = -1

// FormatValue writes a value in TOML, the shortest way that reads back equal.
func FormatValue(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return QuoteTOML(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Float64:
		if v.Type() == reflect.TypeFor[Auto]() && v.Float() == float64(Automatic) {
			return `"auto"`
		}
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = FormatValue(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Interface:
		return FormatValue(v.Elem())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	}
	panic("experiments: no way to write a " + v.Type().String() + " in TOML")
}

// ParseTOML reads the right side of an assignment.
func ParseTOML(text string) (any, error) {
	m, err := DecodeTOML("value", "value = "+text)
	if err != nil {
		return nil, err
	}
	return m["value"], nil
}

// number returns a TOML integer or float.
func Number(raw any) (float64, bool) {
	switch n := raw.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// Whole returns a TOML integer, also one with a decimal point, such as 500.0.
func Whole(raw any) (int64, bool) {
	if x, ok := raw.(float64); ok && x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
		return int64(x), true
	}
	n, ok := raw.(int64)
	return n, ok
}

// Describe shows a TOML value to its author.
func Describe(raw any) string {
	switch v := raw.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	case int64, float64, bool:
		return FormatValue(reflect.ValueOf(v))
	}
	return fmt.Sprint(raw)
}

// Text returns a TOML string, number or boolean as it is written without quotes.
func Text(raw any) (string, bool) {
	switch v := raw.(type) {
	case string:
		return v, true
	case int64, float64, bool:
		return FormatValue(reflect.ValueOf(v)), true
	}
	return "", false
}

// QuoteTOML writes a basic string; the escapes of Go that TOML does not know
// never come out of it.
func QuoteTOML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\u00` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// The numbers in files are the package decimal's: integers as integers, times
// with at most three decimals, other numbers with at most nine significant
// digits, none with an exponent. Exceptions are runs.jsonl, runs.parquet and
// wide.parquet, which are exact, and TOML, which is read back.

// InUnit writes a number of the unit.
func InUnit(unit string, x float64) string {
	if IsTime(unit) {
		return decimal.Time(x)
	}
	return decimal.Number(x)
}

// AppendInUnit appends a number as InUnit writes it.
func AppendInUnit(to []byte, unit string, x float64) []byte {
	if IsTime(unit) {
		return decimal.AppendTime(to, x)
	}
	return decimal.AppendNumber(to, x)
}

// Signed writes a difference with its sign and four significant digits.
func Signed(x float64) string {
	if x >= 0 {
		return "+" + decimal.Significant(x, 4)
	}
	return decimal.Significant(x, 4)
}

// IsTime tells whether a unit is one of time. The time units of generated
// workloads are none: how long one is, the workload says.
func IsTime(unit string) bool { return unit == "s" || unit == "cycles" }

// ColumnUnit is the unit of a column of jobs.csv, as far as it is one of time;
// clock is that of the run's clock.
func ColumnUnit(column, clock string) string {
	switch column {
	case "submit", "start", "end", "wait_time", "service_time":
		return clock
	case "latency", "network_latency", "packet_blocking_time", "foreign_blocking_time":
		return "cycles"
	}
	return ""
}
