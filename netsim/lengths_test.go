package netsim

import (
	"strings"
	"testing"
)

// Lengths that are wrong are refused.
func TestParseLengths(t *testing.T) {
	for text, want := range map[string]string{"8": "which is one length", "8:1+x:2": `"x" is not`,
		"0:1+8:1": `"0" is not`, "1:0+8:1": `weight "0"`, "1:NaN+8": `weight "NaN"`,
		"8+8:2": "8 flits occur twice", "": `"" is not`} {
		if _, err := ParseLengths(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
