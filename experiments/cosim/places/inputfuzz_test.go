package places

import (
	"slices"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

func FuzzPlacement(f *testing.F) {
	for _, s := range []string{"contiguous", "away:3", "away:", "away:-1", "dealt", "scattered:1",
		"random"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := spec.ParsePlacement(text)
		if err != nil {
			spectest.MustBeInput(t, err)
			return
		}
		if !slices.Contains([]spec.PlacementKind{spec.PlaceContiguous, spec.PlaceAway, spec.PlaceDealt,
			spec.PlaceScattered,
			spec.PlaceRandom}, p.Kind) || (p.Kind == spec.PlaceAway) != (p.Away > 0) {
			t.Fatalf("%q is %+v", text, p)
		}
	})
}
