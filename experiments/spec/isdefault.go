package spec

import (
	"reflect"
	"sync"

	"contend/experiments/spec/input"
)

// isDefault reports whether the key is at its default in s. Studies of a hundred
// thousand points ask that for every key of every point, so values are compared
// before they are written as text.
func (k *Key) isDefault(s *Spec) bool {
	at, standard := k.value(s), defaultValues()[k.place]
	if at.Kind() != reflect.Slice {
		return at.Equal(standard)
	}
	return at.Len() == 0 && standard.Len() == 0 || input.FormatValue(at) == k.defaultText()
}

var defaultValues = sync.OnceValue(func() []reflect.Value {
	standard, keys := DefaultSpec(), Keys()
	values := make([]reflect.Value, len(keys))
	for i := range keys {
		if keys[i].Identity {
			values[i] = keys[i].value(&standard)
		}
	}
	return values
})
