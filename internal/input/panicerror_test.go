package input

import (
	"strings"
	"testing"
)

// A panic is described in one line, by the function that called panic.
func TestPanicErrorIsOneLine(t *testing.T) {
	var err *PanicError
	func() {
		defer func() { err = NewPanicError(recover()) }()
		panics()
	}()
	text := err.Error()
	where := "panic in " + module + "/internal/input.panics (panicerror_test.go:"
	if !strings.HasPrefix(text, where) ||
		!strings.HasSuffix(text, `): two\nlines`) || !strings.Contains(err.Stack, "input.panics") {
		t.Errorf("got %s\n%s", text, err.Stack)
	}
}

func panics() { panic("two\nlines") }
