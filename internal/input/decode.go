package input

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
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

// decodeList stores a TOML list in a slice. A string counts as a list of one string.
func decodeList(to reflect.Value, raw any, at string) *Error {
	if s, ok := raw.(string); ok && to.Type().Elem().Kind() == reflect.String {
		raw = []any{s}
	}
	list := reflect.ValueOf(raw)
	if list.Kind() == reflect.Map && to.Type().Elem().Kind() == reflect.Struct {
		return Bad(at, fmt.Sprintf("write [[%s]]", at), "%s is a list of tables", at)
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
