package study

import (
	"errors"
	"fmt"
	"strings"

	"contend/internal/input"
)

// source is the TOML of a study, with the places of its keys.
type source struct {
	file  string
	text  string
	found []located // where the keys of the text stand
}

// place gives an error the line and column of its key.
func (s *source) place(err *input.Error) {
	line, column := position(s.text, s.found, err.Key)
	err.Where = fmt.Sprintf("%s:%d:%d", s.file, line, column)
}

// setting returns the path of a key of runs in the text: its own, or else that in the one
// override that sets it.
func (s *source) setting(key string) string {
	path, n := key, 0
	for _, f := range s.found {
		switch {
		case f.path == key:
			return key
		case strings.HasPrefix(f.path, "overrides[") && strings.HasSuffix(f.path, ".set."+key):
			path, n = f.path, n+1
		}
	}
	if n > 1 {
		return key
	}
	return path
}

// Place gives an error about a key the place where the key was set: the flag, or file, line and
// column. Labels, where there are any, name the point at which it is wrong. Errors that have a
// place stay as they are.
func (st *Study) Place(err error, labels []string) error {
	var bad *input.Error
	if !errors.As(err, &bad) || bad.Where != "" || bad.File != "" {
		return err
	}
	if bad.Key != "" {
		st.placeKey(bad)
	}
	if len(labels) > 0 {
		at := "at " + strings.Join(labels, ", ")
		bad.Where = strings.TrimPrefix(bad.Where+", "+at, ", ")
	}
	return err
}

// placeKey gives an error the place where its key was set.
func (st *Study) placeKey(bad *input.Error) {
	for _, g := range st.given {
		if g.where != "" && (g.path == bad.Key || covers(g.path, bad.Key)) {
			bad.Where = g.where
			return
		}
	}
	at := st.source.setting(bad.Key)
	for i, a := range st.Axes {
		if a.Key != bad.Key && !covers(a.Key, bad.Key) {
			continue
		}
		if a.where != "" {
			bad.Where = a.where
			return
		}
		at = fmt.Sprintf("axes[%d]", i)
	}
	if st.source.file != "" {
		named := *bad
		named.Key = at
		st.source.place(&named)
		bad.Where = named.Where
	}
}
