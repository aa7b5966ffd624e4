package stats

import "math"

// Drifts reports whether a queue grows: whether the mean of its increases over consecutive parts of
// a run is above a threshold, and its interval above 0. In a growing queue the increases are those
// of a random walk with a drift, nearly independent; in a steady queue they are negatively
// correlated, so a steady queue is seldom taken for a growing one (Wieland, Pasupathy and
// Schmeiser, Queueing-network stability: simulation-based checking, WSC 2003; Law and Kelton 2000,
// sec. 9.5.3: 10 to 30 batches).
func Drifts(increases []float64, threshold, confidence float64) bool {
	e := EstimateOf(increases, confidence)
	return e.Mean > threshold && !(e.Mean-e.Half <= 0 || math.IsNaN(e.Mean))
}
