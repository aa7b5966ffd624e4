package call

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A configuration states the default, the bounds and the choices of its fields once, in their tags:
//
//	BufferFlits int    `default:"2" min:"1" max:"32767"`
//	Engine      string `choices:"auto,cycle,worm"`
//
// A field without a default is zero, or the first of its choices.

// Named is a numbered type whose constants have names.
type Named interface {
	Names() []string // by number, from 0
}

// Field is a field of a configuration as a parameter without a type.
type Field struct {
	Parameter
	index []int
}

// FieldsOf lists the fields of a configuration, those of embedded structs included.
func FieldsOf(t reflect.Type) (list []Field) {
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			list = append(list, Field{FieldParameter(f), f.Index})
		}
	}
	return list
}

// FieldParameter returns a field as a parameter, with the default in TOML where it is no list.
func FieldParameter(f reflect.StructField) Parameter {
	p := Parameter{Name: f.Name, Default: f.Tag.Get("default"), Min: f.Tag.Get("min"),
		Max: f.Tag.Get("max"), Above: f.Tag.Get("above"), Below: f.Tag.Get("below")}
	if list := f.Tag.Get("choices"); list != "" {
		p.Choices = strings.Split(list, ",")
	} else if n, ok := reflect.Zero(f.Type).Interface().(Named); ok {
		p.Choices = n.Names()
	}
	if p.Choices != nil {
		p.Default = cmp.Or(p.Default, p.Choices[0])
	}
	return p
}

// Defaults returns a configuration with each field at its default.
func Defaults[T any](fields []Field) (c T) {
	at := reflect.ValueOf(&c).Elem()
	for i := range fields {
		f := &fields[i]
		if f.Default == "" {
			continue
		}
		switch v := at.FieldByIndex(f.index); v.Kind() {
		case reflect.String:
			v.SetString(f.Default)
		case reflect.Int, reflect.Int64:
			n, err := strconv.ParseInt(f.Default, 10, 64)
			if err != nil {
				panic("call: the field " + f.Name + " has the bad default " + f.Default)
			}
			v.SetInt(n)
		}
	}
	return c
}

// Outside returns the first field of a configuration, a pointer, that is out of its bounds or none
// of its choices, and its value or entry; nil if there is none.
func Outside(fields []Field, c any) (f *Field, value any) {
	at := reflect.ValueOf(c).Elem()
	for i := range fields {
		f := &fields[i]
		if bad, is := f.outside(at.FieldByIndex(f.index)); is {
			return f, bad.Interface()
		}
	}
	return nil, nil
}

// outside returns the value of the field, or the first entry of a list, that is out of bounds.
func (f *Field) outside(v reflect.Value) (bad reflect.Value, is bool) {
	fits := true
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if bad, is := f.outside(v.Index(i)); is {
				return bad, true
			}
		}
	case f.Choices != nil && v.CanUint():
		fits = v.Uint() < uint64(len(f.Choices))
	case f.Choices != nil:
		fits = slices.Contains(f.Choices, v.String())
	case v.CanInt():
		fits = f.Fits(float64(v.Int()))
	case v.CanFloat():
		fits = f.Fits(v.Float())
	}
	return v, !fits
}
