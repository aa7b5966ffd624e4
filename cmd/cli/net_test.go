package cli

import (
	"errors"
	"testing"

	"contend/internal/input"
)

// Ranges of loads are lists with both ends, of numbers as a user would write them; other texts
// are lists already.
func TestLoadList(t *testing.T) {
	for text, want := range map[string]string{"0.02:0.06:0.02": "0.02,0.04,0.06",
		"0.1:0.1:0.5": "0.1", "0.1:0.3:0.15": "0.1,0.25", "1e-9:2e-9:1e-9": "1e-09,2e-09",
		"0.2, 0.1": "0.2, 0.1", "5GB/s": "5GB/s", "0:1": "0:1"} {
		if got, err := loadList(text); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"0.1:0.2:1e-300", "1:0:0.1", "0.1:1:0", "nan:1:0.1", "::",
		"0.1:0.2:x"} {
		var bad *input.Error
		if _, err := loadList(text); !errors.As(err, &bad) {
			t.Errorf("%s: %v, want an error about input", text, err)
		}
	}
}
