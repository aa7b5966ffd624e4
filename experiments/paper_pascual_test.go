package experiments

import (
	"testing"

	"contend/experiments/config/configtest"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/papertest"
)

// fig2Ratios runs pascual-fig2 in small under a routing and returns the
// execution times relative to contiguous, by code and placement.
func fig2Ratios(t *testing.T, routing, codes, placements string) (map[string]map[string]float64,
	[]string) {
	t.Helper()
	points := quickPoints("pascual-fig2", map[string]string{"job.pattern": codes,
		"workload.placement": placements}, func(st *study.Study) {
		must.Have(0, setKeys(st, "network.routing="+routing))
	})
	var simulator sim.Simulator
	base, order := 0.0, []string(nil)
	ratios := map[string]map[string]float64{}
	for _, p := range points {
		r := configtest.MustRun(t, simulator.Run, p.Spec, 0)
		code, place := p.Spec.Job.Pattern.String(), p.Spec.Workload.Placement.String()
		time := configtest.Value(t, r, "makespan")
		if place == "contiguous" {
			base, order, ratios[code] = time, append(order, code), map[string]float64{}
		}
		ratios[code][place] = time / base
	}
	return ratios, order
}

// Pascual et al. 2009, sec. 5: "non-contiguously allocated applications run between 2 and 3 times
// slower"; with quasi-contiguous allocation "performance is always good, being only 30-50% higher",
// of which this is the mean of one to four processes away. The study is in small.
func TestPascualScatteredTakesTwoToThreeTimes(t *testing.T) {
	ratios, codes := fig2Ratios(t, "random", "npb-ft,npb-is,npb-cg,npb-mg,npb-lu,npb-bt,npb-sp",
		"contiguous,away:1,away:2,away:3,away:4,scattered")
	// Four fifths of CG's packets stay on one router at home, so it loses more.
	// These are of one run in small, whose ports up are drawn.
	missed := map[string]string{"npb-cg": "1.688", "npb-bt": "1.297", "npb-sp": "1.281"}
	scattered := map[string]string{"npb-sp": "1.988"}
	for _, code := range codes {
		r := ratios[code]
		papertest.Number{Printed: "2 to 3", Miss: scattered[code]}.Check(t, code+" scattered",
			r["scattered"])
		quasi := (r["away:1"] + r["away:2"] + r["away:3"] + r["away:4"]) / 4
		papertest.Number{Printed: "1.3 to 1.5", Miss: missed[code]}.Check(t,
			code+" quasi-contiguous", quasi)
		if !(1 < r["away:1"] && r["away:1"] < r["away:4"] && r["away:4"] < r["scattered"]) {
			t.Errorf("%s: the farther away, the longer: %v", code, r)
		}
	}
}

// The gain of contiguity does not hang on the routing: the same order under
// all of them.
func TestPascualUnderOtherRoutings(t *testing.T) {
	for _, routing := range []string{"adaptive", "d-mod-k"} {
		ratios, codes := fig2Ratios(t, routing, "npb-is,npb-cg,npb-bt",
			"contiguous,away:1,scattered")
		for _, code := range codes {
			if a, b := ratios[code]["away:1"],
				ratios[code]["scattered"]; a < 1.05 || b < a || b > 4 {
				t.Errorf("%s, %s: one process away %.2f, scattered %.2f", routing, code, a, b)
			}
		}
	}
}
