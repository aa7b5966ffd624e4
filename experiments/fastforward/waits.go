package fastforward

import (
	"slices"

	"contend/netsim"
)

// waits corrects how long packets wait by what full simulations of drawn trajectories have found.
//
// Contention comes and goes, since jobs drift against each other. A trajectory ends when its
// iterations are alike, and so rather while jobs do not meet. Where they meet it goes on for
// longer, and its rates are used for less time. So the waits of trajectories, times their
// messages, are too low in sum. What does not depend on what was seen is a simulation of a length
// that is fixed before it, of trajectories that are drawn by their packets. Its first half is left
// out, because a trajectory begins without the flits that were on their way, and with jobs at the
// places to which rates have brought them: jobs that had been waiting for each other have to meet
// anew.
type waits struct {
	n                int         // trajectories
	sum              messageSums // to add to those of the run
	sure             messageSums // of what is simulated in full or in exact jumps
	blocked, foreign float64     // variances of those sums
}

// add adds a trajectory that was drawn with a chance, and simulated for a time.
func (w *waits) add(s *sampled, full *trajectory, length int64, chance float64) {
	var off, between, all messageSums
	for i, k := range s.part.jobs {
		found := full.legs[i].each
		if first, second, both := full.legs[i].halves(k, length/2); both.Messages > 0 {
			found = eachOf(both)
			a, b := eachOf(first), eachOf(second)
			between.addWaits(&a, s.messages[i]/2)
			between.addWaits(&b, -s.messages[i]/2)
		}
		all.addWaits(&found, s.messages[i])
		off.addWaits(&s.trajectory.legs[i].each, -s.messages[i])
	}
	w.n++
	off.addWaits(&all, 1)
	w.sum.addWaits(&off, 1/chance)
	w.blocked += drawnVariance(off[blocked], between[blocked], chance)
	w.foreign += drawnVariance(off[foreign], between[foreign], chance)
}

// drawnVariance returns what a trajectory adds to the variance of a sum over all trajectories: the
// variance that comes from drawing some of them, and that of the simulation of which two halves,
// scaled to the whole, are apart by twice a difference (Cochran, Sampling Techniques, 1977, sec.
// 11.4).
func drawnVariance(value, apart, chance float64) float64 {
	return value*value*(1-chance)/(chance*chance) + apart*apart/chance
}

// halves returns what the messages of a job sum up to in whole turns from a time on, in the first
// half of them, the second, and both. All are empty if there are fewer than two.
func (g *leg) halves(k *jobState, from int64) (first, second, both netsim.Totals) {
	i, _ := slices.BinarySearch(g.blocks, from)
	n := max(0, len(g.blocks)-1-i) / k.blocks() / 2 * k.blocks()
	if n == 0 {
		return
	}
	a, b, c := &g.sums[i], &g.sums[i+n], &g.sums[i+2*n]
	return b.Minus(a), c.Minus(b), c.Minus(a)
}

// correct adds the correction to the sums of a run, of which a part is sure.
func (w *waits) correct(s messageSums) messageSums {
	s.addWaits(&w.sum, 1)
	for kind := latency; kind < sumKinds; kind++ {
		s[kind] = max(s[kind], w.sure[kind])
	}
	s[foreign] = min(s[foreign], s[blocked]-(w.sure[blocked]-w.sure[foreign]))
	s[latency] = max(s[latency], s[network])
	return s
}
