package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// syntaxError returns an error of the TOML library as an Error with its place, in plain words.
func syntaxError(file, text string, err error) error {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return &Error{Where: file, Problem: err.Error()}
	}
	// The library reports a line too far at an end of line, so the place is found anew.
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

// place returns the file, line and column of a byte of a text.
func place(file, text string, at int) string {
	before := text[:min(max(0, at), len(text))]
	return fmt.Sprintf("%s:%d:%d", file, 1+strings.Count(before, "\n"),
		len(before)-strings.LastIndexByte(before, '\n'))
}

// Limits on TOML texts beside StudyLimits. The cost of a text in the TOML library
// grows with the parts of its keys and, on the stack, with its nesting.
const (
	maxNesting = 16 // arrays and inline tables inside each other
	maxParts   = 8  // of a dotted key
)

// DecodeTOML decodes a TOML text. Every error is an Error with file, line and
// column, even if the library itself fails.
func DecodeTOML(file, text string) (raw map[string]any, err error) {
	if err := scanTOML(file, text); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil { // the library has bugs of its own
			raw, err = nil, &Error{Where: file, Problem: "cannot be read as TOML",
				Right: "give plain text as contend show prints it"}
		}
	}()
	if _, err := toml.Decode(text, &raw); err != nil {
		return nil, syntaxError(file, text, err)
	}
	return raw, nil
}

// scanTOML refuses a text that would cost the library much.
func scanTOML(file, text string) *Error {
	s := tomlScan{text: text}
	problem, right := s.run()
	if problem == "" {
		return nil
	}
	return &Error{Where: place(file, text, s.i), Problem: problem, Right: right}
}

// tomlScan counts the levels of a text and the parts of its keys. It follows strings and comments
// by the rules of TOML, and stops at the first error, as the library does.
type tomlScan struct {
	text  string
	i     int // the current byte
	depth int // open lists and tables
	parts int // of the current key, less 1
}

// run scans the text. It returns the first problem, "" if there is none.
func (s *tomlScan) run() (problem, right string) {
	for s.i < len(s.text) {
		switch s.text[s.i] {
		case '#':
			if n := strings.IndexByte(s.text[s.i:], '\n'); n >= 0 {
				s.i += n
				continue
			}
			return "", ""
		case '"', '\'':
			if !s.quoted() {
				return "", ""
			}
			continue
		case '[', '{':
			s.depth++
			s.parts = 0
		case ']', '}':
			s.depth = max(0, s.depth-1)
		case '=', ',', '\n':
			s.parts = 0
		case '.':
			s.parts++
		}
		if problem, right := s.tooMuch(); problem != "" {
			return problem, right
		}
		s.i++
	}
	return "", ""
}

// tooMuch returns the problem of a key or a nesting that exceeds its limit.
func (s *tomlScan) tooMuch() (problem, right string) {
	switch {
	case s.depth > maxNesting:
		return fmt.Sprintf("lists and tables stand more than %d deep in each other", maxNesting),
			"no key of a study needs that"
	case s.parts >= maxParts:
		return fmt.Sprintf("a key has more than %d parts", maxParts), "contend list keys shows all"
	}
	return "", ""
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
