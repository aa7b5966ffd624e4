package study

import (
	"contend/experiments/spec/input"
	"fmt"
	"strings"
)

// located is the place in a TOML text at which a key, a table header or an
// element of an array begins. In a path, axes[0] is an element, and dots join
// the parts of dotted and quoted keys.
type located struct {
	path         string
	line, column int // from 1; columns count bytes
}

// locate finds the places of all keys of a text. The TOML library has parsed the
// text without error, but does not report places.
func locate(text string) []located {
	l := locator{text: text, line: 1, tables: map[string]int{}}
	prefix := ""
	for l.skip(" \t\r\n"); l.i < len(text); l.skip(" \t\r\n") {
		if text[l.i] == '[' {
			prefix = l.header()
		} else {
			l.keyValue(prefix)
		}
	}
	return l.found
}

// position returns the place of a path, or of the innermost known key around it.
func position(found []located, path string) (line, column int) {
	for path != "" {
		for _, f := range found {
			if f.path == path {
				return f.line, f.column
			}
		}
		cut := max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['), 0)
		path = path[:cut]
	}
	return 1, 1
}

// locator scans a TOML text that is known to be valid.
type locator struct {
	text      string
	i         int
	line      int
	lineStart int
	tables    map[string]int // elements seen of each array of tables
	found     []located
}

// skip moves over the bytes of set. If set contains a newline, skip also moves
// over comments.
func (l *locator) skip(set string) {
	for l.i < len(l.text) {
		c := l.text[l.i]
		switch {
		case c == '#' && strings.Contains(set, "\n"):
			if n := strings.IndexByte(l.text[l.i:], '\n'); n >= 0 {
				l.i += n
			} else {
				l.i = len(l.text)
			}
			continue
		case !strings.ContainsRune(set, rune(c)):
			return
		}
		l.next()
	}
}

// next moves to the next byte and counts lines.
func (l *locator) next() {
	if l.text[l.i] == '\n' {
		l.line++
		l.lineStart = l.i + 1
	}
	l.i++
}

// record notes that path begins here.
func (l *locator) record(path string) {
	l.found = append(l.found, located{path, l.line, l.i - l.lineStart + 1})
}

// header reads [a.b] or [[a.b]] and returns the path of the table it opens.
func (l *locator) header() string {
	start := *l
	double := strings.HasPrefix(l.text[l.i:], "[[")
	l.i++
	if double {
		l.i++
	}
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
	l.found = append(l.found, located{path, start.line, start.i - start.lineStart + 1})
	return path
}

// key reads a bare, quoted or dotted key.
func (l *locator) key() []string {
	var parts []string
	for {
		l.skip(" \t")
		start := l.i
		if c := l.text[l.i]; c == '"' || c == '\'' {
			l.quoted()
			parts = append(parts, l.text[start+1:l.i-1])
		} else {
			for l.i < len(l.text) && !strings.ContainsRune(" \t.=]\n", rune(l.text[l.i])) {
				l.i++
			}
			parts = append(parts, l.text[start:l.i])
		}
		l.skip(" \t")
		if l.i >= len(l.text) || l.text[l.i] != '.' {
			return parts
		}
		l.i++
	}
}

// keyValue reads a key and its value.
func (l *locator) keyValue(prefix string) {
	start := *l
	path := prefix
	for _, p := range l.key() {
		path = input.Join(path, p)
	}
	l.found = append(l.found, located{path, start.line, start.i - start.lineStart + 1})
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
			l.record(element)
			l.value(element)
		}
	case '{':
		l.i++
		for l.more('}') {
			l.keyValue(path)
		}
	default:
		for l.i < len(l.text) && !strings.ContainsRune(",]}\n#", rune(l.text[l.i])) {
			l.i++
		}
	}
}

// more moves to the next element of an array or inline table, or past its end.
func (l *locator) more(end byte) bool {
	l.skip(" \t\r\n,")
	if l.i >= len(l.text) {
		return false
	}
	if l.text[l.i] == end {
		l.i++
		return false
	}
	return true
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
			l.next()
		}
		l.next()
	}
	l.i += len(quote)
	if len(quote) == 3 { // up to two quotes before the closing three belong to the text
		for l.i < len(l.text) && l.text[l.i] == quote[0] {
			l.i++
		}
	}
}
