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
	at := reflect.ValueOf(k.of(s)).Elem()
	return sameBits(at, defaultFields()[k.place]) || FormatValue(at) == k.defaultText()
}

var defaultFields = sync.OnceValue(func() []reflect.Value {
	standard, keys := Defaults(), Keys()
	fields := make([]reflect.Value, len(keys))
	for i := range keys {
		if keys[i].Identity {
			fields[i] = keys[i].Field(&standard)
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
