package study

import (
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// PinMatrices writes the digests of the files of traffic matrices behind their names, wherever the
// study names one. So results hang on the bytes of the files, and a folder is read without them.
func (st *Study) PinMatrices() error {
	for i := range st.Axes {
		if a := &st.Axes[i]; a.Key == string(spec.FieldTraffic) {
			list, err := pinnedTraffics(a.Values)
			if err != nil {
				return InFlag(err, "axis "+a.Key)
			}
			a.Values = list
		}
	}
	var tables []map[string]any
	for _, v := range st.Variants {
		tables = append(tables, v.Set)
	}
	for _, o := range st.Overrides {
		tables = append(tables, o.When, o.Set)
	}
	for _, set := range tables {
		value, names := set[string(spec.FieldTraffic)]
		if !names {
			continue
		}
		pinned, err := pinnedTraffic(value)
		if err != nil {
			return err
		}
		set[string(spec.FieldTraffic)] = pinned
	}
	return nil
}

// pinnedTraffic returns a kind of traffic, or a list of them, with the digests of their files.
func pinnedTraffic(value any) (any, *input.Error) {
	switch value := value.(type) {
	case string:
		return spec.PinnedTraffic(value)
	case []any:
		return pinnedTraffics(value)
	}
	return value, nil
}

func pinnedTraffics(values []any) ([]any, *input.Error) {
	var list []any
	for _, v := range values {
		pinned, err := pinnedTraffic(v)
		if err != nil {
			return nil, err
		}
		list = append(list, pinned)
	}
	return list, nil
}
