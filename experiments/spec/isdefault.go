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
	at := k.of(s)
	return defaultFields()[k.place].same(at) ||
		FormatValue(reflect.ValueOf(at).Elem()) == k.defaultText()
}

// field is a value of a key in the form in which it is compared.
type field struct {
	text string
	bits uint64
}

// same reports whether the field at a pointer surely is written as the value; 0 and -0 are
// not. Lists are the same if they are empty, since the defaults of lists are.
func (f *field) same(at any) bool {
	switch at := at.(type) {
	case *string:
		return *at == f.text
	case *int:
		return uint64(*at) == f.bits
	case *int64:
		return uint64(*at) == f.bits
	case *float64:
		return math.Float64bits(*at) == f.bits
	case *Auto:
		return math.Float64bits(float64(*at)) == f.bits
	case *bool:
		return *at == (f.bits == 1)
	case *[]int:
		return len(*at) == 0 && f.bits == 0
	case *[]bool:
		return len(*at) == 0 && f.bits == 0
	case *[]string:
		return len(*at) == 0 && f.bits == 0
	}
	return false
}

// fieldOf returns the value at a pointer.
func fieldOf(at any) (f field) {
	switch at := at.(type) {
	case *string:
		f.text = *at
	case *int:
		f.bits = uint64(*at)
	case *int64:
		f.bits = uint64(*at)
	case *float64:
		f.bits = math.Float64bits(*at)
	case *Auto:
		f.bits = math.Float64bits(float64(*at))
	case *bool:
		if *at {
			f.bits = 1
		}
	case *[]int:
		f.bits = uint64(len(*at))
	case *[]bool:
		f.bits = uint64(len(*at))
	case *[]string:
		f.bits = uint64(len(*at))
	}
	return f
}

var defaultFields = sync.OnceValue(func() []field {
	standard, keys := Defaults(), Keys()
	fields := make([]field, len(keys))
	for i := range keys {
		if keys[i].Identity {
			fields[i] = fieldOf(keys[i].of(&standard.Spec))
		}
	}
	return fields
})
