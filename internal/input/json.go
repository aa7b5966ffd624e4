package input

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// DecodeStrictly decodes an object of JSON that has no unknown fields and that nothing follows.
func DecodeStrictly(text []byte, to any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	err := in.Decode(to)
	if err == nil && in.InputOffset() != int64(len(text)) {
		err = errors.New("something follows the object")
	}
	if err != nil {
		err = JSONProblem(text, err)
	}
	return err
}

// Object is a line that is one JSON object: the values of its keys.
type Object map[string]json.RawMessage

// ReadObject reads a line that is one JSON object in UTF-8, with each key once. A key whose value
// is null counts as left out.
func ReadObject(line []byte) (o Object, err error) {
	if !utf8.Valid(line) {
		return nil, errors.New("it is not UTF-8")
	}
	err = json.Unmarshal(line, &o)
	switch {
	case o == nil: // also where it is not JSON
		err = cmp.Or(CheckJSON(line), fmt.Errorf("it is %s", Shortened(line)))
	case err == nil:
		err = checkKeys(line)
	}
	if err != nil {
		return nil, fmt.Errorf("not one JSON object: %w", err)
	}
	maps.DeleteFunc(o, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	return o, nil
}

// Only returns an error if the object has a key that is not allowed.
func (o Object) Only(allowed ...string) error {
	for _, key := range SortedKeys(o) {
		if !slices.Contains(allowed, key) {
			return fmt.Errorf("unknown key %q: %s", key, OneOf(key, allowed))
		}
	}
	return nil
}

// Read decodes the value of a key into to. The error for a value of another type asks for what. An
// absent key leaves to unchanged.
func (o Object) Read(key, what string, to any) error {
	if text, has := o[key]; has && json.Unmarshal(text, to) != nil {
		return fmt.Errorf("%s is %s: give %s", key, Shortened(text), what)
	}
	return nil
}

// ErrLongLine is the error of a LineReader for a line that it skipped.
var ErrLongLine = errors.New("line too long")

// LineReader reads lines of any length up to a limit.
type LineReader struct {
	in   *bufio.Reader
	max  int // bytes of a line
	line []byte
}

// NewLineReader returns a reader of lines of at most max bytes.
func NewLineReader(in io.Reader, max int) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(in, 1<<16), max: max}
}

// More reports whether bytes of a further line have been read.
func (l *LineReader) More() bool { return l.in.Buffered() > 0 }

// Next returns the next line, which is valid until the next call. The last line may lack an end of
// line. At the end of the input Next returns io.EOF.
func (l *LineReader) Next() ([]byte, error) {
	l.line = l.line[:0]
	long, any := false, false
	for {
		part, err := l.in.ReadSlice('\n')
		any = any || len(part) > 0
		if long = long || len(l.line)+len(part) > l.max; !long {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !(errors.Is(err, io.EOF) && any):
			return nil, err
		case long:
			return nil, ErrLongLine
		}
		return l.line, nil
	}
}

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
