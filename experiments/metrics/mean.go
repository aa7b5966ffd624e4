package metrics

import (
	"math"

	"contend/internal/table"
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

// SizeRow is a row of the table of sizes.
type SizeRow struct {
	Processors int
	Mean       // of the sums of pairwise distances
}

// SizeTable is the table of sizes, which gains by the size of jobs are drawn from.
var SizeTable = withColumns(RowTable{Name: "sizes", Row: "size of jobs",
	Key: []string{"processors"}, Wanted: func(x *Records) bool { return x.Sizes }},
	func(x *Records) []SizeRow { return x.SizeRows },
	integers("processors", "nodes", "size of the jobs", func(r *SizeRow) int { return r.Processors }),
	integers("jobs", "jobs", "jobs of that size", func(r *SizeRow) int { return r.N }),
	column[SizeRow]{table.Number.Column("sum_pairwise_distance", "channels", "mean over these jobs"),
		func(r *SizeRow, _ *Clock) table.Value { return table.Exact(r.Value()) }},
)

// Rows returns a row for each size of jobs, smallest first.
func (s SizeMeans) Rows() (rows []SizeRow) {
	for processors, m := range s {
		if m.N > 0 {
			rows = append(rows, SizeRow{processors, m})
		}
	}
	return rows
}
