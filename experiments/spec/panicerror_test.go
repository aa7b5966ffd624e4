package spec

import (
	"strings"
	"testing"

	"contend/experiments/spec/input"
)

// The parts of a spec that are not built in are named, those that auto stands for too.
func TestOwnPartsOfASpec(t *testing.T) {
	r := routed(t)
	s := set(t, r, "machine.topology", "plain:width=5")
	want := "the topology plain:width=5 and the routing way:turns=2"
	if got := strings.Join(s.OwnParts(), " and "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := strings.Join(r.OwnParts(), " and "); got != "the topology plain and the routing way" {
		t.Errorf("the registry has %s", got)
	}
	plain := DefaultSpec()
	if got := plain.OwnParts(); got != nil {
		t.Errorf("of a spec with built-in parts alone: %v", got)
	}
}

// A panic is described in one line, by the function that called panic.
func TestPanicErrorIsOneLine(t *testing.T) {
	var err *input.PanicError
	func() {
		defer func() { err = input.NewPanicError(recover(), []string{"the routing way"}) }()
		panics()
	}()
	text := err.Error()
	if !strings.HasPrefix(text, "panic in contend/experiments/spec.panics (panicerror_test.go:") ||
		!strings.HasSuffix(text, `), with the routing way from outside contend: two\nlines`) ||
		!strings.Contains(err.Stack, "spec.panics") {
		t.Errorf("got %s\n%s", text, err.Stack)
	}
}

func panics() { panic("two\nlines") }
