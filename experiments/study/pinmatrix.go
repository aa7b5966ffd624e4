package study

import (
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// PinMatrices writes the digests of the files of traffic matrices behind their names, wherever the
// study names one. So results hang on the bytes of the files, and a folder is read without them.
func (st *Study) PinMatrices() error {
	var bad *input.Error
	st.eachValue(func(path string, value any) any {
		if path != string(spec.FieldTraffic) || bad != nil {
			return value
		}
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		pinned := make([]any, len(list))
		for i, v := range list {
			pinned[i] = v
			if text, ok := v.(string); ok && bad == nil {
				pinned[i], bad = spec.PinnedTraffic(text)
			}
		}
		if isList {
			return pinned
		}
		return pinned[0]
	})
	return InFlag(bad, "")
}
