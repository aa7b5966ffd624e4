package tune

import (
	"testing"

	"contend/experiments/spec/spectest"
)

func FuzzBox(f *testing.F) {
	for _, s := range []string{"sr=1:5,af=0:5,wf=0:5,bf=0:5", "sr=1", "", "x=1", "sr=5:1", "sr=:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseBox(text, DefaultBox()); err != nil {
			spectest.MustBeInput(t, err)
		}
	})
}
