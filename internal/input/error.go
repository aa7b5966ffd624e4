package input

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode/utf8"
)

// Error says what is wrong with an input of the user and what would be right. Its
// text is one line.
type Error struct {
	// Where is file:line:column, or the flag.
	Where string
	// File is the file that is at fault, instead of Where, and Line its line from 1, 0 for the whole.
	File string
	Line int
	// Key is the key it is about, or "".
	Key string
	// Problem states what is wrong, Right what would be right.
	Problem, Right string
}

func (e *Error) Error() string { return singleLine(e.text()) }

// Largest numbers of characters that a message repeats of a value, of a flag with its value, and of
// a list of names.
const (
	maxQuoted = 60
	maxFlag   = 120
	maxListed = 300
)

// Shorten returns a text of at most max characters, or the first max ones and three dots.
func Shorten(text string, max int) string {
	for i := range text {
		if max--; max < 0 {
			return text[:i] + "..."
		}
	}
	return text
}

// longQuote matches a value in quotes that is longer than maxQuoted. A closing quote follows its
// value, so it is not taken for an opening one.
var longQuote = regexp.MustCompile(`(^|[\s(=:])"((?:[^"\\]|\\.){60})(?:[^"\\]|\\.)+"`)

// text returns the place, the problem and the remedy.
func (e *Error) text() string {
	s := longQuote.ReplaceAllString(e.Problem, `$1"$2..."`)
	if e.Right != "" {
		s += ": " + e.Right
	}
	switch {
	case strings.HasPrefix(e.Where, "--"):
		return Shorten(e.Where, maxFlag) + ": " + s
	case e.At() != "":
		return e.At() + ": " + s
	}
	return s
}

// At returns the place of the fault: the flag, file:line:column, file:line or the file.
func (e *Error) At() string {
	if e.Where == "" && e.Line > 0 {
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return cmp.Or(e.Where, e.File)
}

// Bad makes an Error about a key.
func Bad(key, right, problem string, args ...any) *Error {
	return &Error{Key: key, Problem: fmt.Sprintf(problem, args...), Right: right}
}

// Nearest returns the name that is most similar to name, or else the first name that
// begins with it. It returns false if no name is similar.
func Nearest(name string, names []string) (string, bool) {
	best, least := "", len(name)/2+1
	section := name[:strings.LastIndexByte(name, '.')+1]
	for _, n := range names {
		d, most := editDistance(name, n), len(name)/2
		if section != "" && strings.HasPrefix(n, section) { // its letters are no likeness
			most = (len(name) - len(section)) / 2
		}
		if name != "" && strings.HasPrefix(n, name) {
			d = min(d, most)
		}
		if d <= most && d < least {
			best, least = n, d
		}
	}
	return best, best != ""
}

// editDistance counts the insertions, deletions and substitutions of bytes
// that turn a into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// OneOf returns the remedy for a value that is none of names: the most similar name, and the list
// of names, cut short where it is long.
func OneOf(value string, names []string) string {
	there := "there are " + listed(names)
	if n, ok := Nearest(value, names); ok {
		return fmt.Sprintf("did you mean %q? (%s)", Shorten(n, maxListed), there)
	}
	return there
}

// listed returns a list of names if it has at most maxListed characters, else as many names as
// maxListed has room for, ten at most, each cut to maxQuoted, and the number of the others.
func listed(names []string) string {
	list := strings.Join(names, ", ")
	if utf8.RuneCountInString(list) <= maxListed {
		return list
	}
	const few = 10
	var shown []string
	room := maxListed
	for _, name := range names[:min(few, len(names))] {
		name = Shorten(name, maxQuoted)
		if room -= utf8.RuneCountInString(name) + len(", "); room < 0 {
			break
		}
		shown = append(shown, name)
	}
	list = strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// By sets the flag that the error is about, unless it is "".
func (e *Error) By(where string) *Error {
	e.Where = cmp.Or(where, e.Where)
	return e
}

// Field is the key that a field of config.Plan is decoded from, by which users know the field.
type Field string

// Bad makes an Error about the field.
func (f Field) Bad(right, problem string, args ...any) *Error {
	return Bad(string(f), right, problem, args...)
}

// Refuse returns the error of another package as an Error about the field.
func (f Field) Refuse(err error) *Error { return f.Bad("", "%v", err) }

// A PanicError is a panic, of this program or of what was added to its registry.
type PanicError struct {
	// Value is what panic was called with.
	Value any
	// At is the function that panicked, with its file and line: the innermost one of the
	// program's own module, where that is not contend, or else the innermost.
	At string
	// Stack is the stack of the goroutine.
	Stack string
}

// Error is one line.
func (e *PanicError) Error() string {
	return singleLine(fmt.Sprintf("panic in %s: %v", e.At, e.Value))
}

// NewPanicError returns the error for a value of recover. The deferred function has to call it,
// which still has the stack of the panic.
func NewPanicError(value any) *PanicError {
	return &PanicError{Value: value, At: panickedAt(), Stack: string(debug.Stack())}
}

// panickedAt returns the function, file and line that panicked. A deferred function calls it.
func panickedAt() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	first, outside, panicked := "", "", false
	for {
		f, more := frames.Next()
		name := f.Function
		text := fmt.Sprintf("%s (%s:%d)", name, filepath.Base(f.File), f.Line)
		switch {
		case name == "runtime.gopanic":
			first, outside, panicked = "", "", true // of nested panics the outermost
		case !panicked || strings.HasPrefix(name, "runtime."):
		case outside == "" && isOutside(name):
			outside = text
		case outside != "" && strings.HasPrefix(name, module+"/"):
			return outside // called from here, unlike the function main
		}
		if first == "" && panicked && !strings.HasPrefix(name, "runtime.") {
			first = text
		}
		if !more {
			return first
		}
	}
}

// module is the path of contend's module.
var module = strings.TrimSuffix(reflect.TypeFor[PanicError]().PkgPath(), "/internal/input")

// isOutside reports whether a function belongs to a program of another module that imports contend.
func isOutside(function string) bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Main.Path != module && (strings.HasPrefix(function, "main.") ||
		strings.HasPrefix(function, info.Main.Path+"/") ||
		strings.HasPrefix(function, info.Main.Path+"."))
}
