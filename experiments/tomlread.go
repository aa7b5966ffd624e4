package experiments

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Limits on TOML texts beside bounded.Study: what the TOML library makes of a
// text grows with its keys, with their parts and, on the stack, with its nesting.
const (
	mostNesting  = 16      // arrays and inline tables inside each other
	mostParts    = 8       // of a dotted key
	mostKeys     = 1 << 14 // keys and table headers
	mostElements = 1 << 18 // of arrays
)

// decodeTOML reads a TOML text; whatever is wrong with it, also where the
// library itself fails, is an InputError with file, line and column.
func decodeTOML(file, text string) (raw map[string]any, err error) {
	if err := scanTOML(file, text); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil { // the library has bugs of its own
			raw, err = nil, &InputError{Where: file, Problem: "cannot be read as TOML", Right: "give plain text as contend show prints it"}
		}
	}()
	if _, err := toml.Decode(text, &raw); err != nil {
		return nil, syntaxError(file, text, err)
	}
	return raw, nil
}

// scanTOML refuses a text that would cost the library much. It follows strings
// and comments as TOML has them, and stops where the text can be no TOML.
func scanTOML(file, text string) *InputError {
	s := tomlScan{text: text}
	if problem, right := s.run(); problem != "" {
		before := text[:min(s.i, len(text))]
		line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
		return &InputError{Where: fmt.Sprintf("%s:%d:%d", file, line, column), Problem: problem, Right: right}
	}
	return nil
}

type tomlScan struct {
	text                         string
	i                            int
	depth, parts, keys, elements int
}

func (s *tomlScan) run() (problem, right string) {
	for s.i < len(s.text) {
		c := s.text[s.i]
		switch c {
		case '#':
			if c, ok := s.comment(); !ok {
				return control(c)
			}
			continue
		case '"', '\'':
			if c, ok := s.quoted(); c != 0 {
				return control(c)
			} else if !ok {
				return "", "" // the library says so better
			}
			continue
		case '[', '{':
			s.depth++
			s.parts, s.elements = 0, s.elements+1
		case ']', '}':
			s.depth = max(0, s.depth-1)
		case '=':
			s.keys, s.parts = s.keys+1, 0
		case ',':
			s.elements, s.parts = s.elements+1, 0
		case '\n':
			s.parts = 0
		case '.':
			s.parts++
		default:
			if isControl(c) {
				return control(c)
			}
		}
		if problem, right := s.tooMuch(); problem != "" {
			return problem, right
		}
		s.i++
	}
	return "", ""
}

func (s *tomlScan) tooMuch() (problem, right string) {
	switch {
	case s.depth > mostNesting:
		return fmt.Sprintf("lists and tables stand more than %d deep in each other", mostNesting), "no key of a study needs that"
	case s.parts >= mostParts:
		return fmt.Sprintf("a key has more than %d parts", mostParts), "contend list keys shows all"
	case s.keys > mostKeys:
		return fmt.Sprintf("there are more than %d keys", mostKeys), "make several studies of it"
	case s.elements > mostElements:
		return fmt.Sprintf("there are more than %d elements of lists", mostElements), "make several studies of it"
	}
	return "", ""
}

// control is what is said of a control character.
func control(c byte) (problem, right string) {
	return fmt.Sprintf("there is the control character 0x%02x", c), "give plain text"
}

// comment moves to the end of a line.
func (s *tomlScan) comment() (byte, bool) {
	for ; s.i < len(s.text) && s.text[s.i] != '\n'; s.i++ {
		if c := s.text[s.i]; isControl(c) {
			return c, false
		}
	}
	return 0, true
}

// quoted moves over a string of one of the four kinds; false where it has no
// end, with the control character where there is one in it.
func (s *tomlScan) quoted() (byte, bool) {
	quote := s.text[s.i : s.i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.text[s.i:], triple) {
		quote = triple
	}
	for s.i += len(quote); s.i < len(s.text); s.i++ {
		c := s.text[s.i]
		switch {
		case strings.HasPrefix(s.text[s.i:], quote):
			s.i += len(quote)
			for len(quote) == 3 && s.i < len(s.text) && s.text[s.i] == quote[0] {
				s.i++ // up to two quotes more belong to the text
			}
			return 0, true
		case c == '\\' && quote[0] == '"':
			s.i++
		case c == '\n' && len(quote) == 1:
			return 0, false
		case isControl(c):
			return c, false
		}
	}
	return 0, false
}

// isControl tells whether TOML has no place for a byte, other than as an escape.
func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f }
