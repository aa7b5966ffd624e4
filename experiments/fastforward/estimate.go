package fastforward

// estimate is the estimate of one job from one or several windows.
type estimate struct {
	rate      float64 // messages per cycle
	halfWidth float64 // relative half width of the interval of the rate, within windows
	// squares is the sum of squared relative differences between the rates of windows and their
	// mean, weighted by lengths; see pool.
	squares    float64
	perMessage messageSums // means over messages
}

// waiting returns the mean number of packets that wait, by Little's law: the waits of a message
// times the rate.
func (g *estimate) waiting(kind int) float64 { return g.perMessage[kind] * g.rate }

// average replaces the rate and the means over messages by weighted means with another estimate.
func (g *estimate) average(by weights, other *estimate) {
	g.rate = by.mean(g.rate, other.rate)
	for kind := latency; kind < sumKinds; kind++ {
		g.perMessage[kind] = by.mean(g.perMessage[kind], other.perMessage[kind])
	}
}

// phasePeriodOf returns the phasePeriod of jobs at estimated rates.
func phasePeriodOf(jobs []*jobState, at []estimate) float64 {
	iterations := make([]float64, len(jobs))
	for i, k := range jobs {
		iterations[i] = float64(k.perIteration) / at[i].rate
	}
	return phasePeriod(iterations)
}

// weights are the weights of two values.
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
