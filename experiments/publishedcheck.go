package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// checkPublished refuses published figures that would be dropped without a
// word: a row that is about no point of the study, or the second of two that
// have the same metric of one point. Where flags have left out points, or made
// the study another, rows without a point are what they asked for.
func (st *Study) checkPublished(name string, names spec.Names) error {
	if len(st.Changed)+len(st.Selected) > 0 || st.Published.CSV == "" {
		return nil
	}
	points, err := st.Points(names)
	if err != nil {
		return err
	}
	rows := st.Published.MustRows()
	metOf := make([]map[string]int, len(points)) // of each point, the row of a metric
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

// unmet says why a row meets no point: the key in which the points next to it
// differ, and what they have there.
func (st *Study) unmet(row PublishedRow, points []Point, names spec.Names) *spec.InputError {
	for _, key := range spec.SortedKeys(row.Where) {
		if err := st.Assign(&Point{Spec: spec.DefaultSpec()}, key, row.Where[key],
			names); err != nil {
			err.Problem = fmt.Sprintf("no point of the study has %s = %v, as %s",
				key, row.Where[key], err.Problem)
			return err
		}
	}
	wrong := []string(nil) // the keys in which the nearest point differs
	var have []string      // what the nearest points have in the first of them
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
	return spec.BadInput("", fmt.Sprintf("of %s %s", wrong[0],
		spec.OneOf(fmt.Sprint(row.Where[wrong[0]]), have)),
		"no point of the study has %s", strings.Join(given, " and "))
}

// pointLabel is the value of a key at a point as tables show it.
func pointLabel(p *Point, key string) string {
	if key == variantKey {
		return p.Variant
	}
	return labelOf(key, "", &p.Spec)
}
