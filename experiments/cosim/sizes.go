package cosim

import (
	"strconv"

	"contend/experiments/decimal"
)

// SizeColumns are those of a run's table of job sizes.
func SizeColumns() []string { return []string{"processors", "jobs", "sum_pairwise_distance"} }

// SizeMeans are what jobs had by their number of processors.
type SizeMeans []Mean

// Add notes the sum of pairwise distances of a job.
func (s *SizeMeans) Add(processors int, sum int64) {
	for len(*s) <= processors {
		*s = append(*s, Mean{})
	}
	(*s)[processors].Add(float64(sum))
}

// Rows are the table, a row for each size there was.
func (s SizeMeans) Rows() (rows [][]string) {
	for processors, m := range s {
		if m.N > 0 {
			rows = append(rows, []string{strconv.Itoa(processors), strconv.Itoa(m.N), decimal.Exact(m.Value())})
		}
	}
	return rows
}
