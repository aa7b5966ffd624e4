package metrics

import (
	"math"
)

// Mean is a running mean. The zero value has no values.
type Mean struct {
	Sum float64 // sum of the values, in their unit
	N   int     // number of values, at least 0
}

// Add adds a value.
func (m *Mean) Add(x float64) { m.Sum += x; m.N++ }

// Value returns the mean. It is NaN, an undefined metric, if nothing was added.
func (m *Mean) Value() float64 {
	if m.N == 0 {
		return math.NaN()
	}
	return m.Sum / float64(m.N)
}
