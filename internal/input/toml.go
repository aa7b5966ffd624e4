package input

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/BurntSushi/toml"
)

// TOML is a text in TOML that has been read.
type TOML struct {
	File   string // its name in errors
	Text   string
	Values map[string]any
}

// ReadTOML reads a text within the limits of tomlScan. Every error is an Error with file, line and
// column, even if the library itself fails.
func ReadTOML(file, text string) (t TOML, err error) {
	t = TOML{File: file, Text: text}
	s := tomlScan{text: text, visit: func([]byte, int) bool { return true }}
	if s.run(); s.problem != "" {
		return t, &Error{Where: place(file, text, s.at), Problem: s.problem, Right: s.right}
	}
	defer func() {
		if r := recover(); r != nil { // the library has bugs of its own
			err = &Error{Where: file, Problem: "cannot be read as TOML",
				Right: "give plain text as contend show prints it"}
		}
	}()
	if _, err := toml.Decode(text, &t.Values); err != nil {
		return t, syntaxError(file, text, err)
	}
	return t, nil
}

// Keys yields the path of each key, table header and element of a list in the order of the text,
// with the byte at which it begins. In a path, axes[0] is an element, and dots join the parts of
// dotted and quoted keys. A path is valid until the next one. The TOML library reports no places.
func (t *TOML) Keys() iter.Seq2[[]byte, int] {
	return func(yield func([]byte, int) bool) {
		s := tomlScan{text: t.Text, visit: yield}
		s.run()
	}
}

// Place returns file, line and column of a path, or of the innermost known key around it. Columns
// count bytes.
func (t *TOML) Place(path string) string {
	for path != "" {
		for known, at := range t.Keys() {
			if string(known) == path {
				return place(t.File, t.Text, at)
			}
		}
		path = path[:max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['), 0)]
	}
	return place(t.File, t.Text, 0)
}

// PlaceAt returns file, line and column of a byte of the text.
func (t *TOML) PlaceAt(at int) string { return place(t.File, t.Text, at) }

// place returns the file, line and column of a byte of a text.
func place(file, text string, at int) string {
	before := text[:min(max(0, at), len(text))]
	return fmt.Sprintf("%s:%d:%d", file, 1+strings.Count(before, "\n"),
		len(before)-strings.LastIndexByte(before, '\n'))
}

// syntaxError returns an error of the TOML library as an Error with its place, in plain words.
func syntaxError(file, text string, err error) error {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return &Error{Where: file, Problem: err.Error()}
	}
	// The library reports a line too far at an end of line, so the place is computed here.
	e := &Error{Where: place(file, text, pe.Position.Start),
		Problem: strings.ReplaceAll(pe.Message, "\n", " ")}
	for kind, right := range map[string]string{"int64": "give an integer from -2^63 to 2^63-1",
		"float64": "give a number of at most 1.8e308"} {
		if number, is := strings.CutSuffix(e.Problem, " is out of range for "+kind); is {
			e.Problem, e.Right = number+" is too large", right
		}
	}
	if strings.HasPrefix(e.Problem, "expected value but found ") {
		word := text[min(pe.Position.Start, len(text)):]
		if n := strings.IndexAny(word, " \t\r\n,]}#"); n > 0 {
			e.Problem, e.Right = word[:n]+" has no quotes", fmt.Sprintf("write %q", word[:n])
		}
	}
	return e
}

// Limits on TOML texts beside StudyLimits. The cost of a text in the TOML library grows with the
// parts of its keys, with the bytes of a path times the keys below it and, on the stack, with its
// nesting.
const (
	maxNesting   = 16   // lists and inline tables inside each other
	maxParts     = 8    // of a dotted key
	maxPathBytes = 1000 // of a key with its tables
)

// tomlScan visits the keys of a text with their places, and finds what exceeds a limit. It reads
// any text that the TOML library accepts as the library does. In others it stops at the first
// error or later, and leaves the error to the library.
type tomlScan struct {
	text  string
	i     int                            // the current byte, len(text) from the end on
	visit func(path []byte, at int) bool // see TOML.Keys
	ended bool                           // visit returned false, or there is an error

	path   []byte         // of the key that is being read
	table  int            // bytes of the current header in path
	tables map[string]int // elements seen of each array of tables
	parts  []string       // of the last key, see key
	depth  int            // open lists and inline tables

	at             int // the byte at which a limit is exceeded
	problem, right string
}

// run scans the text.
func (s *tomlScan) run() {
	s.tables = map[string]int{}
	for s.skip(blanks); s.i < len(s.text); s.skip(blanks) {
		if s.text[s.i] == '[' {
			s.header()
		} else {
			s.keyValue()
		}
		s.path = s.path[:s.table]
	}
}

// end ends the scan.
func (s *tomlScan) end() { s.ended, s.i = true, len(s.text) }

// exceeded ends the scan at a byte that exceeds a limit.
func (s *tomlScan) exceeded(at int, right, problem string, limit int) {
	if !s.ended {
		s.at, s.problem, s.right = at, fmt.Sprintf(problem, limit), right
		s.end()
	}
}

// blanks are the bytes between keys and values, where comments are allowed too.
const blanks = " \t\r\n,"

// skip moves over the bytes of a set, and over comments if the set is blanks.
func (s *tomlScan) skip(set string) {
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case c == '#' && set == blanks:
			s.until("\n")
		case strings.IndexByte(set, c) >= 0:
			s.i++
		default:
			return
		}
	}
}

// until moves to the next byte of a set, or to the end.
func (s *tomlScan) until(set string) {
	if n := strings.IndexAny(s.text[s.i:], set); n >= 0 {
		s.i += n
	} else {
		s.i = len(s.text)
	}
}

// accept moves over a byte. It reports false if another one is there.
func (s *tomlScan) accept(c byte) bool {
	if s.i < len(s.text) && s.text[s.i] == c {
		s.i++
		return true
	}
	return false
}

// found visits the current path.
func (s *tomlScan) found(at int) {
	if len(s.path) > maxPathBytes {
		s.exceeded(at, "give shorter keys", "a key with its tables has more than %d bytes",
			maxPathBytes)
	}
	if !s.ended && !s.visit(s.path, at) {
		s.end()
	}
}

// enter adds a part of a key to the path.
func (s *tomlScan) enter(part string) {
	if len(s.path) > 0 {
		s.path = append(s.path, '.')
	}
	s.path = append(s.path, part...)
}

// index adds the number of an element to the path.
func (s *tomlScan) index(n int) { s.path = fmt.Appendf(s.path, "[%d]", n) }

// header reads [a.b] or [[a.b]].
func (s *tomlScan) header() {
	at := s.i
	s.accept('[')
	double := s.accept('[')
	s.path = s.path[:0]
	s.key()
	for i, part := range s.parts {
		s.enter(part)
		n := s.tables[string(s.path)]
		if double && i == len(s.parts)-1 {
			s.tables[string(s.path)]++
			s.index(n)
		} else if n > 0 {
			s.index(n - 1)
		}
	}
	s.skip(" \t]")
	s.found(at)
	s.table = len(s.path)
}

// key reads a bare, quoted or dotted key into parts.
func (s *tomlScan) key() {
	s.parts = s.parts[:0]
	for s.skip(" \t"); s.i < len(s.text); s.skip(" \t") {
		start := s.i
		if c := s.text[s.i]; c == '"' || c == '\'' {
			if !s.quoted() {
				s.end()
				return
			}
			s.parts = append(s.parts, s.text[start+1:s.i-1])
		} else {
			s.until(" \t.=]\n")
			s.parts = append(s.parts, s.text[start:s.i])
		}
		s.skip(" \t")
		if len(s.parts) == maxParts && s.i < len(s.text) && s.text[s.i] == '.' {
			s.exceeded(s.i, "contend list keys shows all", "a key has more than %d parts", maxParts)
		}
		if !s.accept('.') {
			return
		}
	}
}

// keyValue reads a key and its value. It leaves the path of the key behind.
func (s *tomlScan) keyValue() {
	at := s.i
	s.key()
	for _, part := range s.parts {
		s.enter(part)
	}
	s.skip(" \t")
	if !s.accept('=') {
		s.end()
	}
	s.found(at)
	s.skip(" \t")
	s.value()
}

// value moves over a value and visits its elements or keys.
func (s *tomlScan) value() {
	start := s.i
	switch {
	case start >= len(s.text):
	case s.text[start] == '"' || s.text[start] == '\'':
		if !s.quoted() {
			s.end()
		}
	case s.accept('['):
		s.elements(']', func(n int) {
			s.index(n)
			s.found(s.i)
			s.value()
		})
	case s.accept('{'):
		s.elements('}', func(int) { s.keyValue() })
	default:
		if s.until(",]}\n#"); s.i == start {
			s.end()
		}
	}
}

// elements calls read at each element of a list or inline table, behind its opening bracket, and
// moves past its end.
func (s *tomlScan) elements(end byte, read func(n int)) {
	if s.depth++; s.depth > maxNesting {
		s.exceeded(s.i-1, "no key of a study needs that",
			"lists and tables stand more than %d deep in each other", maxNesting)
	}
	outer := len(s.path)
	for n := 0; ; n++ {
		if s.skip(blanks); s.accept(end) || s.i == len(s.text) {
			break
		}
		read(n)
		s.path = s.path[:outer]
	}
	s.depth--
}

// quoted moves over a string of one of the four kinds. It reports false if the string has no end.
func (s *tomlScan) quoted() bool {
	quote := s.text[s.i : s.i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.text[s.i:], triple) {
		quote = triple
	}
	for s.i += len(quote); s.i < len(s.text); s.i++ {
		c := s.text[s.i]
		switch {
		case strings.HasPrefix(s.text[s.i:], quote):
			s.i += len(quote)
			for n := 0; n < 2 && len(quote) == 3 && s.i < len(s.text) && s.text[s.i] == quote[0]; n++ {
				s.i++ // up to two quotes more belong to the text
			}
			return true
		case c == '\\' && quote[0] == '"':
			s.i++
		case c == '\n' && len(quote) == 1:
			return false
		}
	}
	return false
}
