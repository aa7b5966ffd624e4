package experiments

import (
	"encoding/csv"
	"slices"
	"strconv"

	"contend/experiments/bounded"
	"contend/experiments/cosim"
)

// SizesKind is the kind of figures that show what becomes of jobs of each size.
const SizesKind = "sizes"

// bySize tells whether a figure of the study needs tables of job sizes.
func (st *Study) bySize() bool {
	return slices.ContainsFunc(st.Figures, func(f Figure) bool { return f.Kind == SizesKind })
}

// SizesOf reads the table of job sizes of a point's first replication, nil
// where there is none that can be read.
func (f *Folder) SizesOf(hash string) map[int]cosim.Mean {
	path := f.Part("sizes", RunKey{hash, 0})
	file, err := bounded.Open(path, bounded.Rows)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows, err := csv.NewReader(NewRowReader(path, file)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil
	}
	sizes := map[int]cosim.Mean{}
	for _, row := range rows[1:] {
		processors, err := strconv.Atoi(row[0])
		jobs, err2 := strconv.Atoi(row[1])
		value, err3 := strconv.ParseFloat(row[2], 64)
		if err != nil || err2 != nil || err3 != nil {
			return nil
		}
		sizes[processors] = cosim.Mean{Sum: value * float64(jobs), N: jobs}
	}
	return sizes
}
