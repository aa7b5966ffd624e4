package input

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Auto is a number, or Automatic where the program chooses the number.
type Auto float64

// Automatic is the value of "auto".
const Automatic Auto = -1

// FormatValue formats a value as the shortest TOML that reads back equal.
func FormatValue(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return QuoteTOML(v.String())
	case reflect.Struct: // a text that was parsed
		return QuoteTOML(v.Interface().(fmt.Stringer).String())
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
	panic("input: no way to write a " + v.Type().String() + " in TOML")
}

// ParseTOML parses a TOML value, the right side of an assignment.
func ParseTOML(text string) (any, error) {
	t, err := ReadTOML("value", "value = "+text)
	if err != nil {
		return nil, err
	}
	return t.Values["value"], nil
}

// Number returns a TOML integer or float.
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

// Describe returns a TOML value as error messages name it: a table or a list by its kind.
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

// Text returns a TOML string, number or boolean without quotes. It reports false for other values.
func Text(raw any) (string, bool) {
	switch v := raw.(type) {
	case string:
		return v, true
	case int64, float64, bool:
		return FormatValue(reflect.ValueOf(v)), true
	}
	return "", false
}

// QuoteTOML quotes a text as a basic string of TOML, which lacks some escapes of Go.
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
