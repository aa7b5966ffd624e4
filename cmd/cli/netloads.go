package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// loadList returns the loads FROM:TO:STEP, both ends included, as a list. It returns other texts
// as they are.
func loadList(text string) (string, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return text, nil
	}
	var x [3]float64
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v >= minStep && v <= 1) {
			return "", badRange(text)
		}
		x[i] = v
	}
	if x[1] < x[0] || (x[1]-x[0])/x[2] > 10000 {
		return "", badRange(text)
	}
	var loads []string
	for i := range int((x[1]-x[0])/x[2]+1e-9) + 1 {
		load := math.Round((x[0]+float64(i)*x[2])/minStep) * minStep // 0.06, not 0.060000000000000005
		loads = append(loads, strconv.FormatFloat(load, 'g', 9, 64))
	}
	return strings.Join(slices.Compact(loads), ","), nil
}

// minStep is the smallest load and step of a range. Loads are rounded to multiples of it.
const minStep = 1e-9

// badRange returns the error for a range that is none.
func badRange(text string) error {
	return &input.Error{Where: "--loads " + text, Problem: "no loads",
		Right: "give FROM:TO:STEP such as 0.02:0.40:0.02, or loads separated by commas, in flits " +
			"per node and cycle, from 1e-9 to 1"}
}

// dropImpossible removes traffic that a machine of the study does not have, and loads that the
// nodes of one cannot offer, and prints what it removed.
func (a *app) dropImpossible(st *study.Study) error {
	points, err := st.Points()
	if err != nil {
		return st.Place(err, nil)
	}
	const traffic, loads = string(config.FieldTraffic), string(config.FieldTrafficLoad)
	var notes, without, above []string // without and above are labels of values
	for _, curve := range st.Curves(points) {
		lowest := &points[curve[0]]
		name := st.LabelAt(lowest, traffic)
		limit, err := maxLoad(&lowest.Spec)
		if bad := (*input.Error)(nil); errors.As(err, &bad) {
			return nil // checking the points says where
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s is left out: %v", name, err))
			without = append(without, name)
			continue
		}
		for _, i := range curve {
			if points[i].Spec.Workload.TrafficLoad > limit {
				notes = append(notes, fmt.Sprintf("loads above %s are left out: %s needs more than a message "+
					"a cycle of a node", decimal.Significant(limit, 4), name))
				above = append(above, points[i].Labels[st.AxisOf(loads)])
			}
		}
	}
	slices.Sort(notes)
	notes = slices.Compact(notes)
	right := "give uniform or hotspot"
	left := st.DropValues(traffic, without)
	if left {
		right, left = "give smaller loads", st.DropValues(loads, above)
	}
	if !left {
		return input.Bad("", right, "nothing is left to measure: %s", strings.Join(notes, "; "))
	}
	a.notes(notes)
	return nil
}

// maxLoad returns the maximum load that the nodes of a machine can offer, in flits per node and
// cycle. An error that is no input.Error says why the machine does not have the traffic.
func maxLoad(s *config.Spec) (float64, error) {
	if err := new(sim.Simulator).Fits(s.Memory()); err != nil {
		return 0, err
	}
	plan, err := s.Plan()
	if err != nil {
		return 0, err
	}
	tr, err := sim.NewTraffic(plan, 0)
	if err != nil {
		return 0, err
	}
	return tr.MaxLoad(), nil
}
