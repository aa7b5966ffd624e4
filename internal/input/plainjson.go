package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// CheckJSON returns an error if a text is not JSON, or if an object of it has a key twice.
func CheckJSON(text []byte) error {
	if !json.Valid(text) {
		return JSONProblem(text, json.Unmarshal(text, new(json.RawMessage)))
	}
	return checkKeys(text)
}

// checkKeys returns an error if an object of a valid text has a key twice.
func checkKeys(text []byte) error {
	if key := repeatedKey(text); key != nil {
		return fmt.Errorf("the key %s stands twice in one object", Shortened(key))
	}
	return nil
}

// JSONProblem returns an error of encoding/json about a text in plain words.
func JSONProblem(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, &syntax) && strings.HasPrefix(err.Error(), "unexpected end"):
		return errors.New("it ends in the middle of a value")
	case errors.As(err, &syntax):
		at := min(max(1, int(syntax.Offset)), len(text)) - 1
		return fmt.Errorf("the character %q, number %d, is not expected there", text[at], at+1)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s has a %s as its value", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("it is a %s", kind.Value)
	}
	return err
}

// Shortened returns the first characters of a text, as messages quote it.
func Shortened(text []byte) string { return Shorten(string(text), maxQuoted) }

// repeatedKey returns a key, in quotes and with its escapes, that an object of a valid text has
// twice, nil if there is none.
func repeatedKey(text []byte) []byte {
	var keys [][]byte // keys of the objects that are open
	var starts []int  // by open object: where its keys begin, -1 for a list
	key := false      // the next string is a key
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			starts, key = append(starts, len(keys)), true
		case '[':
			starts, key = append(starts, -1), false
		case '}', ']':
			if n := starts[len(starts)-1]; n >= 0 {
				ofObject := keys[n:]
				slices.SortFunc(ofObject, bytes.Compare)
				for i := 1; i < len(ofObject); i++ {
					if bytes.Equal(ofObject[i-1], ofObject[i]) {
						return ofObject[i]
					}
				}
				keys = keys[:n]
			}
			starts = starts[:len(starts)-1]
		case ',':
			key = len(starts) > 0 && starts[len(starts)-1] >= 0
		case '"':
			end := i + 1
			for ; text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
			if key {
				keys, key = append(keys, text[i:end+1]), false
			}
			i = end
		}
	}
	return nil
}
