package scheduler

import "math"

// MaxCycle is the latest point in simulated time. The sum of any two cycles up to it
// fits an int64.
const MaxCycle Cycle = 1<<62 - 1

// Clock converts between the seconds (or time units) of a workload and the cycles of
// the simulation. No other code converts them.
type Clock struct {
	// CyclesPerSecond is the number of cycles in a second, above 0. The value 0 means
	// 1.
	CyclesPerSecond float64
}

// rate returns the cycles per second.
func (c Clock) rate() float64 {
	if c.CyclesPerSecond == 0 {
		return 1
	}
	return c.CyclesPerSecond
}

// Cycles returns the number of cycles nearest to a time; halves round away from zero.
// Times beyond MaxCycle give MaxCycle. Times before zero give 0.
func (c Clock) Cycles(seconds float64) Cycle {
	t := math.Round(seconds * c.rate())
	switch {
	case t >= float64(MaxCycle):
		return MaxCycle
	case !(t > 0):
		return 0
	}
	return Cycle(t)
}

// Seconds returns the duration of t cycles.
func (c Clock) Seconds(t Cycle) float64 { return float64(t) / c.rate() }
