package fastforward

// waitCorrection corrects the waits of packets by full simulations of drawn jumps.
//
// Contention comes and goes, since jobs drift against each other. A trajectory ends when its
// iterations are alike, and so more likely while jobs do not meet; if they meet it lasts longer,
// and its rates are used for less time. So the waits of trajectories, times their messages, have
// too low a sum. A simulation of fixed length, of jumps drawn by their packets, has no such bias.
// Its first half is left out: it begins without the flits that were under way, and jobs that had
// been waiting for each other have to meet again.
type waitCorrection struct {
	jumps            int         // jumps that were simulated
	sum              messageSums // correction to add to the sums of the run
	exact            messageSums // sums of the full simulation and of exact jumps
	blocked, foreign float64     // variances of these two in sum
}

// add adds a jump that was drawn with probability p, and its simulation of some length. The
// correction is the estimate Σ(y - x)/p of the sum over all jumps (Horvitz and Thompson, J.
// American Statistical Association 47, 1952), with the waits x of the jump and y of the simulation.
func (w *waitCorrection) add(s *sampledJump, full *trajectory, length int64, chance float64) {
	var difference, halves, all messageSums
	for i, k := range s.component.jobs {
		found := full.progress[i].perMessage
		if first, second, both := full.progress[i].halfTotals(k, length/2); both.Messages > 0 {
			found = meansOf(both)
			a, b := meansOf(first), meansOf(second)
			halves.addWaits(&a, s.messages[i]/2)
			halves.addWaits(&b, -s.messages[i]/2)
		}
		all.addWaits(&found, s.messages[i])
		difference.addWaits(&s.trajectory.progress[i].perMessage, -s.messages[i])
	}
	w.jumps++
	difference.addWaits(&all, 1)
	w.sum.addWaits(&difference, 1/chance)
	w.blocked += drawnVariance(difference[blocked], halves[blocked], chance)
	w.foreign += drawnVariance(difference[foreign], halves[foreign], chance)
}

// drawnVariance returns the variance that a jump drawn with probability p adds to a sum over all
// jumps (Cochran, Sampling Techniques, 1977, sec. 11.4): value²·(1-p)/p² for drawing some of them,
// and d²/p for the simulation, whose two halves, scaled to the whole, differ by 2·d.
func drawnVariance(value, d, chance float64) float64 {
	return value*value*(1-chance)/(chance*chance) + d*d/chance
}

// correct returns the corrected sums of a run, none less than what is known exactly.
func (w *waitCorrection) correct(s messageSums) messageSums {
	s.addWaits(&w.sum, 1)
	for kind := latency; kind < sumKinds; kind++ {
		s[kind] = max(s[kind], w.exact[kind])
	}
	s[foreign] = min(s[foreign], s[blocked]-(w.exact[blocked]-w.exact[foreign]))
	s[latency] = max(s[latency], s[network])
	return s
}
