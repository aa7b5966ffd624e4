package patterns

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A random part draws anew in each repetition, and the next part starts from its
// beginning.
func TestSuiteOfDrawnParts(t *testing.T) {
	p := Suite(50, BroadcastTree(6, 1, seeded(1)), AllToOne(6, 1, seeded(2)))
	roots := map[Rank]bool{}
	for k, phase := range phasesOf(p) {
		switch {
		case k < 150 && k%3 == 0:
			roots[phase[0].From] = true
		case k >= 150 && len(phase) != 5:
			t.Fatalf("phase %d is no all-to-one: %v", k, phase)
		}
	}
	if len(roots) != 6 {
		t.Errorf("only the roots %v were drawn", roots)
	}
}

func TestIterate(t *testing.T) {
	once := phasesOf(NBody(5, 2))
	if d := cmp.Diff(slices.Concat(once, once, once), collect(Iterate(NBody(5, 2), 3))); d != "" {
		t.Errorf("three iterations (-want +got):\n%s", d)
	}
	forever := Iterate(NBody(5, 2), Forever)
	for k := range 1000 {
		if got, ok := forever.Next(nil); !ok || !slices.Equal(got, once[k%len(once)]) {
			t.Fatalf("phase %d: %v, %v", k, got, ok)
		}
	}
	kept := []Message{{From: 7}}
	for _, p := range []Phases{Iterate(NBody(5, 2), 0), Iterate(Ring(1, 1), Forever)} {
		if got, ok := p.Next(kept); ok || !slices.Equal(got, kept) {
			t.Errorf("at the end: %v, %v", got, ok)
		}
	}
}
