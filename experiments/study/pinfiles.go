package study

import (
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// PinFiles writes the digests of files that values name into the values: of traffic matrices and
// of commands, wherever the study has one. So results hang on the bytes of the files, and a folder
// is read without them.
func (st *Study) PinFiles(names spec.Names) error {
	var bad *input.Error
	st.eachValue(func(path string, value any) any {
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		pinned := make([]any, len(list))
		for i, v := range list {
			pinned[i] = v
			if text, ok := v.(string); ok && bad == nil {
				pinned[i], bad = spec.Pinned(path, text, names)
			}
		}
		if isList {
			return pinned
		}
		return pinned[0]
	})
	return InFlag(bad, "")
}
