package fastforward

// estimate is what is estimated of a job, from a window or from several.
type estimate struct {
	rate float64 // messages per cycle
	half float64 // relative half width of the interval of the rate, within windows
	// squares is the sum of squared relative differences between the rates of windows and their
	// mean, weighted by lengths; see pool.
	squares float64
	each    messageSums // means over messages
}

// waiting returns how many packets wait at a time, by Little's law: the waits of a message times
// the rate.
func (g *estimate) waiting(kind int) float64 { return g.each[kind] * g.rate }

// mix sets the rate and the means over messages to weighted means with those of another estimate.
func (g *estimate) mix(by weights, other *estimate) {
	g.rate = by.mean(g.rate, other.rate)
	for kind := latency; kind < sumKinds; kind++ {
		g.each[kind] = by.mean(g.each[kind], other.each[kind])
	}
}

// periodOf returns for how many cycles jobs keep their phases at estimated rates.
func periodOf(jobs []*jobState, at []estimate) float64 {
	iterations := make([]float64, len(jobs))
	for i, k := range jobs {
		iterations[i] = float64(k.perIteration) / at[i].rate
	}
	return lastingCycles(iterations)
}

// weights are those of two means.
type weights [2]float64

// mean returns the weighted mean of two values.
func (w weights) mean(a, b float64) float64 { return (w[0]*a + w[1]*b) / (w[0] + w[1]) }

// difference returns b-a, relative to the mean.
func (w weights) difference(a, b float64) float64 {
	if mean := w.mean(a, b); mean != 0 {
		return (b - a) / mean
	}
	return 0
}
