//go:build long

package doctor

import (
	"testing"
)

func TestLongSoundChecksPassAndRepeat(t *testing.T) {
	var texts [2]string
	for i := range texts {
		failed, err := Examine(t.Context(), Sound().Checks(), i+1, func(o Outcome) {
			o.Seconds = 0
			texts[i] += o.String()
		})
		if failed > 0 || err != nil {
			t.Fatalf("%d failed, %v\n%s", failed, err, texts[i])
		}
		if testing.Short() {
			return
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("first\n%s\nthen\n%s", texts[0], texts[1])
	}
}
