package study

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"contend/internal/input"
)

// setting returns the path of a key of runs in the text: its own, or that in the one override that
// sets it.
func setting(t *input.TOML, key string) string {
	path, n, end := key, 0, ".set."+key
	for b := range t.Keys() {
		switch {
		case string(b) == key:
			return key
		case bytes.HasPrefix(b, []byte("overrides[")) && bytes.HasSuffix(b, []byte(end)):
			path, n = string(b), n+1
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
	at := setting(&st.source, bad.Key)
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
	if st.source.File != "" {
		bad.Where = st.source.Place(at)
	}
}
