package input

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decode stores a value of the TOML library in a field of a study, whose fields it finds by their
// key tags. at is the path of the value, for errors.
func decode(to reflect.Value, raw any, at string) *Error {
	wrong := func(right string) *Error {
		return Bad(at, right, "%s is %s", at, Describe(raw))
	}
	switch to.Kind() {
	case reflect.Struct:
		table, ok := raw.(map[string]any)
		if !ok {
			return wrong("give a table")
		}
		return DecodeTable(to, table, at)
	case reflect.Map:
		table, ok := raw.(map[string]any)
		if !ok {
			return wrong(`give a table such as { "job.pattern" = "fft" }`)
		}
		flat := map[string]any{}
		flatten(flat, "", table)
		to.Set(reflect.ValueOf(flat))
	case reflect.Slice:
		return decodeList(to, raw, at)
	case reflect.Pointer: // a value that may be left out
		to.Set(reflect.New(to.Type().Elem()))
		return decode(to.Elem(), raw, at)
	case reflect.Interface:
		to.Set(reflect.ValueOf(raw))
	case reflect.String:
		s, ok := raw.(string)
		if !ok {
			return wrong("give a string")
		}
		if err := checkText(s, at); err != nil {
			return err
		}
		to.SetString(s)
	case reflect.Bool:
		b, ok := raw.(bool)
		if !ok {
			return wrong("give true or false")
		}
		to.SetBool(b)
	case reflect.Int:
		n, ok := Whole(raw)
		if !ok || n < 0 {
			return wrong("give an integer of at least 0")
		}
		to.SetInt(n)
	case reflect.Float64:
		x, ok := Number(raw)
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			return wrong("give a number")
		}
		to.SetFloat(x)
	default:
		panic("input: a study cannot hold a " + to.Type().String())
	}
	return nil
}

// DecodeTable stores the values of a TOML table in the fields of a struct that have their keys.
func DecodeTable(to reflect.Value, table map[string]any, at string) *Error {
	fields := StudyFields(to.Type())
	for _, name := range SortedKeys(table) {
		i := slices.IndexFunc(fields,
			func(f reflect.StructField) bool { return f.Tag.Get("key") == name })
		if i < 0 {
			return unknownIn(fields, name, at)
		}
		if err := decode(to.FieldByIndex(fields[i].Index), table[name], Join(at, name)); err != nil {
			return err
		}
	}
	return nil
}

// unknownIn returns the error for a key that no field has.
func unknownIn(fields []reflect.StructField, name, at string) *Error {
	var names []string
	for _, f := range fields {
		names = append(names, f.Tag.Get("key"))
	}
	return Bad(Join(at, name), OneOf(name, names), "unknown key %s", Join(at, name))
}

// NotATable returns the error for a single table at the path of a list of tables.
func NotATable(path string) *Error {
	return Bad(path, fmt.Sprintf("did you mean [[%s]]?", path), "%s is a list of tables", path)
}

// decodeList stores a TOML list in a slice. A string counts as a list of one string.
func decodeList(to reflect.Value, raw any, at string) *Error {
	if s, ok := raw.(string); ok && to.Type().Elem().Kind() == reflect.String {
		raw = []any{s}
	}
	list := reflect.ValueOf(raw)
	if list.Kind() == reflect.Map && to.Type().Elem().Kind() == reflect.Struct {
		return NotATable(at)
	}
	if list.Kind() != reflect.Slice {
		return Bad(at, "give a list", "%s is %s", at, Describe(raw))
	}
	to.Set(reflect.MakeSlice(to.Type(), list.Len(), list.Len()))
	for i := range list.Len() {
		item := fmt.Sprintf("%s[%d]", at, i)
		if err := decode(to.Index(i), list.Index(i).Interface(), item); err != nil {
			return err
		}
	}
	return nil
}

// StudyFields lists the fields of a struct of a study that have a key tag.
func StudyFields(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("key") != "" {
			fields = append(fields, f)
		}
	}
	return fields
}

// flatten puts the leaves of nested tables under their dotted paths.
func flatten(flat map[string]any, prefix string, table map[string]any) {
	for name, v := range table {
		if inner, ok := v.(map[string]any); ok {
			flatten(flat, Join(prefix, name), inner)
		} else {
			flat[Join(prefix, name)] = v
		}
	}
}

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

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
