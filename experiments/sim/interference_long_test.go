//go:build long

package sim

import (
	"math"
	"testing"
)

// What jobs that jump over time wait for each other is within its interval of what they wait in the
// full simulation, for at least 90 of 100 pairs that have one. The pairs that count have at least a
// hundredth of a run's waits for other jobs. The seeds of these 48 cases were looked at first when
// the intervals had been fitted to others.
func TestLongInterferenceAgainstFullSimulation(t *testing.T) {
	holds, all, exact := 0, 0, 0
	var off, half float64
	for _, pattern := range []string{"ring", "n-body", "near-neighbour", "random", "one-to-all",
		"ring+n-body+near-neighbour+all-to-all"} {
		for _, topology := range []string{"mesh", "torus"} {
			for seed := range int64(4) {
				s := jumpedSpec(pattern, 9300+seed, 0)
				s.Machine.Topology = topology
				full, _, _ := pairsOf(t, s)
				s.FastForward = 0.02
				jumped, _, _ := pairsOf(t, s)
				foreign := 0.0
				for p, w := range full {
					if p.foreign() {
						foreign += w.direct
					}
				}
				for p, want := range full {
					got := jumped[p]
					switch e := math.Abs(got.direct - want.direct); {
					case !p.foreign() || want.direct < foreign/100:
					case got.half == 0 && e == 0:
						exact++
					default:
						if all++; e <= got.half {
							holds++
						} else {
							t.Logf("%s, %s, seed %d: %v waits %.0f ± %.0f, in full %.0f", pattern, topology, seed, p,
								got.direct, got.half, want.direct)
						}
						off += (e / want.direct) * (e / want.direct)
						half += (got.half / want.direct) * (got.half / want.direct)
					}
				}
			}
		}
	}
	t.Logf("%d of %d intervals hold, %d pairs are exact; off by %.3g, half widths of %.3g (root mean "+
		"squares)", holds, all, exact, math.Sqrt(off/float64(all)), math.Sqrt(half/float64(all)))
	if all < 100 || float64(holds) < 0.9*float64(all) {
		t.Errorf("%d of %d intervals hold", holds, all)
	}
}
