package experiments

import (
	"fmt"
	"slices"
	"strings"
)

// checkPublished refuses published figures that would be dropped without a
// word: a row that is about no point of the study, or the second of two that
// have the same metric of one point. Where flags have left out points, or made
// the study another, rows without a point are what they asked for.
func (st *Study) checkPublished(name string, names Names) error {
	if len(st.Changed)+len(st.Selected) > 0 || st.Published.CSV == "" {
		return nil
	}
	points, err := st.Points(names)
	if err != nil {
		return err
	}
	rows := st.Published.mustRows()
	metOf := make([]map[string]int, len(points)) // of each point, the row of a metric
	for n, row := range rows {
		met := false
		for i := range points {
			if !matches(&points[i], row.where, names) {
				continue
			}
			met = true
			if metOf[i] == nil {
				metOf[i] = map[string]int{}
			}
			for _, metric := range sortedKeys(row.values) {
				if before, twice := metOf[i][metric]; twice {
					return st.atRow(name, n, row, badInput("", "keep one of them",
						"%s of %s is given twice, in row %d too",
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

// atRow says where a row of published figures stands.
func (st *Study) atRow(name string, n int, row publishedRow, err *InputError) *InputError {
	err.Where = fmt.Sprintf("%s, published.csv", name)
	if st.Published.from != "" {
		err.Where = fmt.Sprintf("%s:%d:1", st.Published.from, row.line)
	}
	err.Problem = fmt.Sprintf("row %d of the published figures: %s", n+1, err.Problem)
	err.Key = ""
	return err
}

// unmet says why a row meets no point: the key in which the points next to it
// differ, and what they have there.
func (st *Study) unmet(row publishedRow, points []Point, names Names) *InputError {
	for _, key := range sortedKeys(row.where) {
		if err := st.assign(&Point{Spec: DefaultSpec()}, key, row.where[key], names); err != nil {
			err.Problem = fmt.Sprintf("no point of the study has %s = %v, as %s",
				key, row.where[key], err.Problem)
			return err
		}
	}
	wrong := []string(nil) // the keys in which the nearest point differs
	var have []string      // what the nearest points have in the first of them
	for i := range points {
		var differ []string
		for _, key := range sortedKeys(row.where) {
			if !matches(&points[i], map[string]any{key: row.where[key]}, names) {
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
		given = append(given, fmt.Sprintf("%s = %v", key, row.where[key]))
	}
	return badInput("", fmt.Sprintf("of %s %s", wrong[0], oneOf(fmt.Sprint(row.where[wrong[0]]), have)),
		"no point of the study has %s", strings.Join(given, " and "))
}

// pointLabel is the value of a key at a point as tables show it.
func pointLabel(p *Point, key string) string {
	if key == variantKey {
		return p.Variant
	}
	return labelOf(key, "", &p.Spec)
}
