package call

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Weight is a whole number that is drawn with a probability proportional to Weight.
type Weight struct {
	Value  int
	Weight float64
}

// ParseWeights reads numbers of at least 1 with weights, such as 1:0.8+8:0.2, and returns them in
// ascending order. A weight that is left out is 1. An error continues a sentence about the text.
func ParseWeights(text, unit string) ([]Weight, error) {
	var list []Weight
	for part := range strings.SplitSeq(text, "+") {
		number, weight, given := strings.Cut(strings.TrimSpace(part), ":")
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("where %q is not a number of %s", number, unit)
		}
		w := Weight{Value: int(n), Weight: 1}
		if given {
			w.Weight, err = strconv.ParseFloat(weight, 64)
			if err != nil || !(w.Weight > 0 && w.Weight < 1e9) {
				return nil, fmt.Errorf("where the weight %q is not a number above 0 and below 1e9", weight)
			}
		}
		if slices.ContainsFunc(list, func(o Weight) bool { return o.Value == w.Value }) {
			return nil, fmt.Errorf("where %d %s occur twice", n, unit)
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b Weight) int { return cmp.Compare(a.Value, b.Value) })
	return list, nil
}

// FormatWeights writes weights as ParseWeights reads them.
func FormatWeights(list []Weight) string {
	var parts []string
	for _, w := range list {
		parts = append(parts, fmt.Sprintf("%d:%s", w.Value, FormatNumber(w.Weight)))
	}
	return strings.Join(parts, "+")
}
