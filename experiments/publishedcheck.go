package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// checkPublished refuses published figures that would be dropped silently: a row
// that belongs to no point of the study, and the second of two rows with the same
// metric of one point. After flags have changed the study or left out points,
// rows without a point are expected.
func (st *Study) checkPublished(name string, names spec.Names) error {
	if len(st.Changed)+len(st.Selected) > 0 || st.Published.CSV == "" {
		return nil
	}
	points, err := st.Points(names)
	if err != nil {
		return err
	}
	rows := st.Published.MustRows()
	metOf := make([]map[string]int, len(points)) // row by point, then by metric
	for n, row := range rows {
		met := false
		for i := range points {
			if !Matches(&points[i], row.Where, names) {
				continue
			}
			met = true
			if metOf[i] == nil {
				metOf[i] = map[string]int{}
			}
			for _, metric := range spec.SortedKeys(row.Values) {
				if before, twice := metOf[i][metric]; twice {
					return st.atRow(name, n, row, spec.BadInput("", "keep one of them",
						"%s of %s is given twice, also in row %d",
						metric, strings.Join(points[i].Labels, " "), before+1))
				}
				metOf[i][metric] = n
			}
		}
		if !met {
			return st.atRow(name, n, row, st.unmet(row, points, names))
		}
	}
	return nil
}

// atRow gives an error the place of a row: file and line, or the number of the
// row if the study itself holds the CSV.
func (st *Study) atRow(name string, n int, row PublishedRow,
	err *spec.InputError) *spec.InputError {
	err.Where = fmt.Sprintf("%s, published.csv", name)
	if st.Published.from != "" {
		err.Where = fmt.Sprintf("%s:%d:1", st.Published.from, row.line)
	}
	err.Problem = fmt.Sprintf("row %d of the published figures: %s", n+1, err.Problem)
	err.Key = ""
	return err
}

// unmet returns the error for a row that belongs to no point. The error names
// the keys in which the nearest points differ, and their labels of the first.
func (st *Study) unmet(row PublishedRow, points []Point, names spec.Names) *spec.InputError {
	for _, key := range spec.SortedKeys(row.Where) {
		blank := &Point{Spec: spec.DefaultSpec()}
		if err := st.Assign(blank, key, row.Where[key], names); err != nil {
			err.Problem = fmt.Sprintf("no point of the study has %s = %v, as %s",
				key, row.Where[key], err.Problem)
			return err
		}
	}
	var wrong []string // the keys in which the nearest points differ
	var have []string  // labels of the first of these keys at the nearest points
	for i := range points {
		var differ []string
		for _, key := range spec.SortedKeys(row.Where) {
			if !Matches(&points[i], map[string]any{key: row.Where[key]}, names) {
				differ = append(differ, key)
			}
		}
		if wrong == nil || len(differ) < len(wrong) {
			wrong, have = differ, nil
		}
		if slices.Equal(differ, wrong) {
			if value := pointLabel(&points[i], wrong[0]); !slices.Contains(have, value) {
				have = append(have, value)
			}
		}
	}
	var given []string
	for _, key := range wrong {
		given = append(given, fmt.Sprintf("%s = %v", key, row.Where[key]))
	}
	known := spec.OneOf(fmt.Sprint(row.Where[wrong[0]]), have)
	return spec.BadInput("", fmt.Sprintf("of %s %s", wrong[0], known),
		"no point of the study has %s", strings.Join(given, " and "))
}
