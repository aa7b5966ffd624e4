package study

import (
	"contend/experiments/spec/input"
)

// PinFiles writes the digests of the files of traffic matrices, patterns and commands behind their
// names, wherever the study names one. So results hang on the bytes of the files, and a folder is
// read without them.
func (st *Study) PinFiles() error {
	var bad *input.Error
	registry := st.Base.Registry
	st.eachValue(func(path string, value any) any {
		if bad == nil {
			value, bad = registry.Pinned(path, value)
		}
		return value
	})
	return InFlag(bad, "")
}
