package input

import (
	"testing"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"mbs":               "mbs",
		"a\x1b[31mb":        `a\x1b[31mb`,
		"a\nb\tc":           "a\nb\tc",
		"\xff\u202e\u0085é": `\xff\u202e\x85é`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := (&Error{Problem: "a\nb\x00"}).Error(); got != `a\nb\x00` {
		t.Error(got)
	}
}
