package study

import (
	"fmt"
	"strings"

	"contend/internal/input"
)

// located is the place in a TOML text, in bytes, at which a key, a table header or an
// element of an array begins. In a path, axes[0] is an element, and dots join
// the parts of dotted and quoted keys.
type located struct {
	path string
	at   int
}

// locate finds the places of all keys of a text. The TOML library has parsed the
// text without error, but does not report places.
func locate(text string) []located {
	l := locator{text: text, tables: map[string]int{}}
	prefix := ""
	for l.skip(blanks); l.i < len(text); l.skip(blanks) {
		if text[l.i] == '[' {
			prefix = l.header()
		} else {
			l.keyValue(prefix)
		}
	}
	return l.found
}

// position returns line and column, from 1, of a path, or of the innermost known key around it.
// Columns count bytes.
func position(text string, found []located, path string) (line, column int) {
	for path != "" {
		for _, f := range found {
			if f.path == path {
				before := text[:f.at]
				return 1 + strings.Count(before, "\n"), f.at - strings.LastIndexByte(before, '\n')
			}
		}
		cut := max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['), 0)
		path = path[:cut]
	}
	return 1, 1
}

// locator scans a TOML text that is known to be valid.
type locator struct {
	text   string
	i      int
	tables map[string]int // elements seen of each array of tables
	found  []located
}

// blanks are the bytes between keys and values, where comments may stand too.
const blanks = " \t\r\n,"

// skip moves over the bytes of a set, and over comments if the set has an end of line.
func (l *locator) skip(set string) {
	for l.i < len(l.text) {
		switch c := l.text[l.i]; {
		case c == '#' && set == blanks:
			l.until("\n")
		case strings.IndexByte(set, c) >= 0:
			l.i++
		default:
			return
		}
	}
}

// until moves to the next byte of a set, or to the end.
func (l *locator) until(set string) {
	if n := strings.IndexAny(l.text[l.i:], set); n >= 0 {
		l.i += n
	} else {
		l.i = len(l.text)
	}
}

// header reads [a.b] or [[a.b]] and returns the path of the table it opens.
func (l *locator) header() string {
	at, double := l.i, strings.HasPrefix(l.text[l.i:], "[[")
	l.skip("[")
	parts := l.key()
	path := ""
	for i, p := range parts {
		path = input.Join(path, p)
		n := l.tables[path]
		if i == len(parts)-1 && double {
			l.tables[path]++
			path = fmt.Sprintf("%s[%d]", path, n)
		} else if n > 0 {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
	}
	l.skip(" \t]")
	l.found = append(l.found, located{path, at})
	return path
}

// key reads a bare, quoted or dotted key.
func (l *locator) key() []string {
	var parts []string
	for {
		l.skip(" \t.")
		start := l.i
		if c := l.text[l.i]; c == '"' || c == '\'' {
			l.quoted()
			parts = append(parts, l.text[start+1:l.i-1])
		} else {
			l.until(" \t.=]\n")
			parts = append(parts, l.text[start:l.i])
		}
		l.skip(" \t")
		if l.i >= len(l.text) || l.text[l.i] != '.' {
			return parts
		}
	}
}

// keyValue reads a key and its value.
func (l *locator) keyValue(prefix string) {
	at, path := l.i, prefix
	for _, p := range l.key() {
		path = input.Join(path, p)
	}
	l.found = append(l.found, located{path, at})
	l.skip(" \t=")
	l.value(path)
}

// value moves over a value and records its elements.
func (l *locator) value(path string) {
	if l.i >= len(l.text) {
		return
	}
	switch l.text[l.i] {
	case '"', '\'':
		l.quoted()
	case '[':
		l.i++
		for n := 0; l.more(']'); n++ {
			element := fmt.Sprintf("%s[%d]", path, n)
			l.found = append(l.found, located{element, l.i})
			l.value(element)
		}
	case '{':
		l.i++
		for l.more('}') {
			l.keyValue(path)
		}
	default:
		l.until(",]}\n#")
	}
}

// more moves to the next element of an array or inline table, or past its end.
func (l *locator) more(end byte) bool {
	l.skip(blanks)
	if l.i < len(l.text) && l.text[l.i] != end {
		return true
	}
	l.i = min(len(l.text), l.i+1)
	return false
}

// quoted moves over a string of any of the four kinds.
func (l *locator) quoted() {
	quote := l.text[l.i : l.i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(l.text[l.i:], triple) {
		quote = triple
	}
	l.i += len(quote)
	for l.i < len(l.text) && !strings.HasPrefix(l.text[l.i:], quote) {
		if l.text[l.i] == '\\' && quote[0] == '"' {
			l.i++
		}
		l.i++
	}
	l.i += len(quote)
	for len(quote) == 3 && l.i < len(l.text) && l.text[l.i] == quote[0] {
		l.i++ // up to two quotes before the closing three belong to the text
	}
}
