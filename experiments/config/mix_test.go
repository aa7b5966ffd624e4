package config

import (
	"slices"
	"testing"

	"contend/internal/must"
)

func TestParseMix(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Weighted
	}{
		{"ring", []Weighted{{Name: "ring", Weight: 1}}},
		{"ring:2+fft", []Weighted{{Name: "ring", Weight: 2}, {Name: "fft", Weight: 1}}},
		{"npb-ft:A", []Weighted{{Name: "npb-ft", Class: "A", Weight: 1}}},
		{"npb-ft:A:3 + npb-ft:S+npb-ft:0.5", []Weighted{{Name: "npb-ft", Class: "A", Weight: 3},
			{Name: "npb-ft", Class: "S", Weight: 1}, {Name: "npb-ft", Weight: 0.5}}},
	} {
		if got, err := ParseMix(c.text); err != nil || got.String() != c.text ||
			!slices.Equal(got.Parts, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"npb-ft:A+npb-ft:A": "which has npb-ft:A twice",
		"npb-ft:D": `where "D" of npb-ft is neither a class, of S, W, A, B, C, nor ` +
			`a weight above 0`,
		"npb-ft:A:x": `where the weight "x" of npb-ft is not a number above 0`,
		"ring:A":     `where the weight "A" of ring is not a number above 0`,
	} {
		if got, err := ParseMix(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// Messages of a known length let the network choose its engine; sizes in bytes
// do not.
func TestMessageFlits(t *testing.T) {
	for pattern, want := range map[string]int{"ring:1+fft": 8, "npb-lu": 0,
		"ring+all-reduce-tree": 0} {
		s := DefaultSpec()
		s.Job.Pattern = must.Have(ParseMix(pattern))
		if got := s.MessageFlits(); got != want {
			t.Errorf("%s: %d, want %d", pattern, got, want)
		}
	}
}

// Messages with sizes in bytes are padded to what the network was promised,
// those that count in flits are not; so a mix of both promises nothing.
func TestMessageMultiple(t *testing.T) {
	for pattern, want := range map[string]int{"npb-lu:A:2+all-gather-ring": 6, "ring": 0,
		"npb-lu+ring": 0, "call": 0} {
		s := DefaultSpec()
		s.Job.Pattern, s.Network.PadFlits = must.Have(ParseMix(pattern)), 6
		if got := s.MessageMultiple(); got != want {
			t.Errorf("%s: %d, want %d", pattern, got, want)
		}
	}
}
