package input

import (
	"testing"
)

// The edit distance against its recursive definition.
func TestDistance(t *testing.T) {
	var plain func(a, b string) int
	plain = func(a, b string) int {
		switch {
		case a == "" || b == "":
			return len(a) + len(b)
		case a[0] == b[0]:
			return plain(a[1:], b[1:])
		}
		return 1 + min(plain(a[1:], b), plain(a, b[1:]), plain(a[1:], b[1:]))
	}
	words := []string{"", "a", "ring", "rings", "sing", "fft", "ftf", "n-body", "nobody", "same"}
	for _, a := range words {
		for _, b := range words {
			if got, want := editDistance(a, b), plain(a, b); got != want {
				t.Errorf("editDistance(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}
