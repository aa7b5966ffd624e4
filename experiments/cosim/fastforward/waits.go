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
	blocked, foreign float64     // variances of those sums
	bursts           [2]float64  // of them: of waits in simulations that are that short
}

// add adds a trajectory that was drawn with a chance, and simulated for a time.
func (w *waits) add(s *sampled, full *trajectory, length int64, chance float64, b *bursts) {
	var off, between, all messageSums
	var foreseen [2]float64
	for i, k := range s.part.jobs {
		found := full.legs[i].each
		if first, second, both := full.legs[i].halves(k, length/2); both.Messages > 0 {
			found = eachOf(both)
			a, b := eachOf(first), eachOf(second)
			between.addWaits(&a, s.messages[i]/2)
			between.addWaits(&b, -s.messages[i]/2)
		}
		for i, w := range k.foresee(s.messages[i], len(s.part.jobs) == 1) {
			foreseen[i] += w
		}
		all.addWaits(&found, s.messages[i])
		off.addWaits(&s.trajectory.legs[i].each, -s.messages[i])
	}
	w.n++
	off.addWaits(&all, 1)
	times := 2 * float64(s.lasted) / float64(length)
	for i, kind := range [2]int{blocked, foreign} {
		w.bursts[i] += 0 * b.variance(i, all[kind], times, foreseen[i]) / (chance * chance)
	}
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

// correct adds the correction to the sums of a run.
func (w *waits) correct(s messageSums) messageSums {
	s.addWaits(&w.sum, 1)
	s[blocked] = max(0, s[blocked])
	s[foreign] = min(max(0, s[foreign]), s[blocked])
	s[network], s[entry] = max(0, s[network]), max(0, s[entry])
	s[latency] = max(s[latency], s[network])
	return s
}

// phaseVariance returns the variance of how long the jobs of a component wait for each other, each
// for so many cycles in a time. It hangs on the phase in which they meet, which lasts for a beat.
// Only its mean is known: the distribution of which nothing else is known is the exponential one
// (Jaynes, Phys. Rev. 106, 1957), with a deviation as large as the mean. Two jobs that meet do so
// in the same phase.
func (c *component) phaseVariance(waits [][2]float64, lasted float64) float64 {
	sum, squares := 0.0, 0.0
	for i, k := range c.jobs {
		sum += waits[i][1]
		squares += 2 * waits[i][1] * waits[i][1] * min(1, c.beatOf(k)/lasted)
	}
	return min(squares, sum*sum)
}

// bursts is how much waits of packets vary from an iteration of a job to the next, of those that
// are simulated in full: variances over means, for blocked and foreign waits. Waits vary as if they
// came in bursts of so many cycles (overdispersion; McCullagh and Nelder 1989, ch. 6).
type bursts [2]struct{ squares, sum float64 }

// heard adds an iteration of a job. The first has none to compare it with.
func (b *bursts) heard(k *jobState, t netsim.Totals) {
	l := &k.live
	since := eachOf(t.Minus(&l.totals))
	for i, kind := range [2]int{blocked, foreign} {
		now := since[kind] * float64(k.perIteration)
		if l.last > l.first {
			off := now - l.waits[i]
			b[i].squares += off * off / 2
			b[i].sum += now
		}
		l.waits[i] = now
		k.waited[i] += now
	}
	k.watched += float64(k.perIteration)
	l.totals = t
}

// foresee returns how long so many messages of a job would wait as those do that were simulated in
// full. A job that meets nobody waits for itself alone.
func (k *jobState) foresee(messages float64, alone bool) [2]float64 {
	w := k.waited
	if alone {
		w = [2]float64{w[0] - w[1], 0}
	}
	for i := range w {
		w[i] *= messages / max(1, k.watched)
	}
	return w
}

// variance returns the variance of waits that sum up to so much, and are taken from a time that
// was simulated to one so many times as long. A burst may come of which that time has shown none:
// what was foreseen counts like a time with one burst (a gamma prior).
func (b *bursts) variance(kind int, waits, times, foreseen float64) float64 {
	foreseen = max(foreseen, waits)
	if b[kind].sum == 0 || foreseen == 0 {
		return 0
	}
	size := b[kind].squares / b[kind].sum
	n := 1 / (1/times + size/foreseen)
	return size * (waits + (waits/times+size)*n*n)
}
