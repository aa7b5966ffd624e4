package fastforward

// waitCorrection corrects how long packets wait by full simulations of drawn jumps.
//
// Contention comes and goes, since jobs drift against each other. A trajectory ends when its
// iterations are alike, and so rather while jobs do not meet. Where they meet it lasts longer, and
// its rates are used for less time. So the waits of trajectories, times their messages, are too low
// in sum. A simulation of a length that is fixed before it, of jumps that are drawn by their
// packets, does not depend on what was seen. Its first half is left out, because it begins without
// the flits that were on their way, and with jobs at the places to which rates have brought them:
// jobs that had been waiting for each other have to meet again.
type waitCorrection struct {
	n                int         // jumps
	sum              messageSums // to add to those of the run
	exact            messageSums // of what is simulated in full or in exact jumps
	blocked, foreign float64     // variances of these two in sum
}

// add adds a jump that was drawn with a chance p, and simulated for a time. The correction is the
// Horvitz-Thompson estimate Σ(y - x)/p of the sum over all jumps, of the waits x that were
// estimated and y of the simulation.
func (w *waitCorrection) add(s *sampled, full *trajectory, length int64, chance float64) {
	var difference, halves, all messageSums
	for i, k := range s.component.jobs {
		found := full.progress[i].each
		if first, second, both := full.progress[i].halves(k, length/2); both.Messages > 0 {
			found = eachOf(both)
			a, b := eachOf(first), eachOf(second)
			halves.addWaits(&a, s.messages[i]/2)
			halves.addWaits(&b, -s.messages[i]/2)
		}
		all.addWaits(&found, s.messages[i])
		difference.addWaits(&s.trajectory.progress[i].each, -s.messages[i])
	}
	w.n++
	difference.addWaits(&all, 1)
	w.sum.addWaits(&difference, 1/chance)
	w.blocked += drawnVariance(difference[blocked], halves[blocked], chance)
	w.foreign += drawnVariance(difference[foreign], halves[foreign], chance)
}

// drawnVariance returns what a jump that was drawn with a chance p adds to the variance of a sum
// over all jumps (Cochran, Sampling Techniques, 1977, sec. 11.4): value²·(1-p)/p² comes from
// drawing some of them, and d²/p from the simulation, of which two halves, scaled to the whole,
// differ by 2·d.
func drawnVariance(value, d, chance float64) float64 {
	return value*value*(1-chance)/(chance*chance) + d*d/chance
}

// correct adds the correction to the sums of a run, none of which can be less than what is exact.
func (w *waitCorrection) correct(s messageSums) messageSums {
	s.addWaits(&w.sum, 1)
	for kind := latency; kind < sumKinds; kind++ {
		s[kind] = max(s[kind], w.exact[kind])
	}
	s[foreign] = min(s[foreign], s[blocked]-(w.exact[blocked]-w.exact[foreign]))
	s[latency] = max(s[latency], s[network])
	return s
}
