package study

import (
	"cmp"
	"slices"

	"contend/experiments/config"
	"contend/internal/input"
)

// UntilSaturated ends an axis of offered loads at the first load that saturates the network.
const UntilSaturated = "saturated"

// checkUntil refuses an end that the axis cannot have.
func (a *Axis) checkUntil(at string) *input.Error {
	switch {
	case a.Until == "":
		return nil
	case a.Key != string(config.FieldTrafficLoad):
		return input.Bad(at+".until", "leave it out", "the axis %s does not end: until acts on %s",
			a.Key, config.FieldTrafficLoad)
	}
	return oneOf(at+".until", a.Until, []string{UntilSaturated})
}

// Ends reports whether an axis of the study ends at saturation.
func (st *Study) Ends() bool { return st.endingAxis() >= 0 }

// endingAxis returns the index of the axis that ends at saturation, -1 if none does.
func (st *Study) endingAxis() int {
	return slices.IndexFunc(st.Axes, func(a Axis) bool { return a.Until != "" })
}

// Curves returns the indices of the points along the axis that ends at saturation, by ascending
// load: a list for each combination of values of the other axes, nil if no axis ends.
func (st *Study) Curves(points []Point) (curves [][]int) {
	axis := st.endingAxis()
	if axis < 0 {
		return nil
	}
	stride := 1
	for _, a := range st.Axes[axis+1:] {
		stride *= len(a.Values)
	}
	for i := range points {
		if st.valueAt(i, axis) > 0 {
			continue
		}
		curve := make([]int, len(st.Axes[axis].Values))
		for k := range curve {
			curve[k] = i + k*stride
		}
		load := func(i int) float64 { return points[i].Spec.Workload.TrafficLoad }
		slices.SortStableFunc(curve, func(a, b int) int { return cmp.Compare(load(a), load(b)) })
		curves = append(curves, curve)
	}
	return curves
}
