package spec

import (
	"math"
	"reflect"
	"sync"
)

// isDefault reports whether the key is at its default in s. Studies of a hundred
// thousand points ask that for every key of every point, so values are compared
// before they are written as text.
func (k *Key) isDefault(s *Spec) bool {
	at := reflect.ValueOf(s).Elem().FieldByIndex(k.index)
	return sameBits(at, defaultFields()[k.Path]) || FormatValue(at) == k.defaultText()
}

var defaultFields = sync.OnceValue(func() map[string]reflect.Value {
	standard, fields := Defaults(), map[string]reflect.Value{}
	for _, k := range Keys() {
		if k.Identity {
			fields[k.Path] = k.Field(&standard)
		}
	}
	return fields
})

// sameBits reports whether two values are surely written alike; 0 and -0 are not.
func sameBits(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Slice:
		return a.Len() == 0 && b.Len() == 0
	}
	return false
}
