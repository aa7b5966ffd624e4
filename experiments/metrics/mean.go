package metrics

import (
	"math"
	"strconv"

	"contend/internal/decimal"
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

// SizeMeans are the means of the sums of pairwise distances in channels, by number of processors.
type SizeMeans []Mean

// Add adds the sum of pairwise distances of a job.
func (s *SizeMeans) Add(processors int, sum int64) {
	for len(*s) <= processors {
		*s = append(*s, Mean{})
	}
	(*s)[processors].Add(float64(sum))
}

// Rows returns a row for each size of jobs, smallest first.
func (s SizeMeans) Rows() (rows [][]string) {
	for processors, m := range s {
		if m.N > 0 {
			rows = append(rows, []string{strconv.Itoa(processors), strconv.Itoa(m.N),
				decimal.Exact(m.Value())})
		}
	}
	return rows
}
