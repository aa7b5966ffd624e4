package sim

import (
	"slices"
	"testing"

	"contend/experiments/config"
)

func FuzzPlacement(f *testing.F) {
	for _, s := range []string{"contiguous", "away:3", "away:", "away:-1", "away:0", "near", "dealt",
		"scattered:1",
		"random"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := config.ParsePlacement(text)
		if err != nil {
			return
		}
		if !slices.Contains([]config.PlacementKind{config.PlaceContiguous, config.PlaceAway,
			config.PlaceDealt, config.PlaceScattered, config.PlaceRandom}, p.Kind) ||
			(p.Kind == config.PlaceAway) != (p.Away > 0) {
			t.Fatalf("%q is %+v", text, p)
		}
	})
}
