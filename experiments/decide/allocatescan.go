package decide

import (
	"bytes"
	"encoding/json"
)

// The functions of this file split JSON that json.Valid has accepted. They read a
// list of a thousand nodes in one pass and without allocating.

// nextField splits the next key and value off the inside of an object.
func nextField(inside []byte) (key, value, rest []byte, ok bool) {
	inside = skipTo(inside)
	if inside[0] == '}' {
		return nil, nil, nil, false
	}
	key, rest = cutValue(inside)
	value, rest = cutValue(skipTo(rest))
	return unquoted(key), value, rest, true
}

// unquoted returns the text of a JSON string.
func unquoted(value []byte) []byte {
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1]
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		panic("decide: a string that is not JSON: " + err.Error())
	}
	return []byte(text)
}

// skipTo moves to the next byte that belongs to a value or ends a list or an
// object.
func skipTo(text []byte) []byte {
	for i, c := range text {
		switch c {
		case ' ', '\t', '\r', '\n', ',', ':':
		default:
			return text[i:]
		}
	}
	return text[len(text):]
}

// cutValue splits off the value with which the text begins.
func cutValue(text []byte) (value, rest []byte) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return text[:i+1], text[i+1:]
			}
		case c == '[' || c == '{':
			depth++
		case (c == ']' || c == '}') && depth > 1:
			depth--
		case (c == ']' || c == '}') && depth == 1:
			return text[:i+1], text[i+1:]
		case depth == 0 && (c <= ' ' || c == ',' || c == ':' || c == ']' || c == '}'):
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// excerpt returns the beginning of a value, for messages.
func excerpt(value []byte) string {
	const most = 40
	if len(value) <= most {
		return string(value)
	}
	return string(bytes.ToValidUTF8(value[:most], nil)) + "..."
}

// jsonError returns the error at which a line stops being JSON.
func jsonError(line []byte) error {
	var value any
	return json.Unmarshal(line, &value)
}
