package study

import (
	"slices"
	"strings"

	"contend/experiments/spec/input"
)

// LabelsOf lists the different labels of a key at points, in their order.
func (st *Study) LabelsOf(points []Point, key string) (labels []string) {
	seen := map[string]bool{}
	for i := range points {
		if l := st.LabelAt(&points[i], key); !seen[l] {
			seen[l], labels = true, append(labels, l)
		}
	}
	return labels
}

// Chosen reports which points a flag chooses by texts KEY=LABEL: those that have, of each key that
// is named, one of the labels given. It refuses what is no axis, and labels that an axis does not
// have.
func (st *Study) Chosen(points []Point, flag string, texts []string) ([]bool, error) {
	wanted := map[string][]string{}
	for _, text := range texts {
		key, label, ok := strings.Cut(text, "=")
		labels := st.LabelsOf(points, key)
		var bad *input.Error
		switch {
		case !ok:
			bad = input.Bad("", "give KEY=VALUE", "there is no =")
		case st.axis(key) < 0:
			bad = input.Bad("", input.OneOf(key, st.axisKeys()), "%q is no axis of the study %s", key,
				st.Name)
		case !slices.Contains(labels, label):
			bad = input.Bad("", input.OneOf(label, labels), "the axis %s has no value %q", key, label)
		}
		if bad != nil {
			return nil, bad.By(flag + " " + text)
		}
		wanted[key] = append(wanted[key], label)
	}
	chosen := make([]bool, len(points))
	for i := range points {
		chosen[i] = true
		for key, labels := range wanted {
			chosen[i] = chosen[i] && slices.Contains(labels, st.LabelAt(&points[i], key))
		}
	}
	return chosen, nil
}
