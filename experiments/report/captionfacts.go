package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// onlyOf lists the values of axes to which a figure is restricted and which it does not show
// itself, "" if there are none.
func onlyOf(r *experiments.Results, f *study.Figure, points []int) string {
	var parts []string
	for _, key := range r.AxisKeys() {
		some, every := tables.LabelsOf(r, points, key), r.Study.LabelsOf(r.Points, key)
		if len(some) == len(every) || key == f.X || key == f.Series ||
			slices.Contains(f.Panels, key) {
			continue
		}
		names := tables.PrintedNames(every, r.Study.Labels, f.Labels)
		for i, label := range some {
			some[i] = cmp.Or(names[label], label)
		}
		parts = append(parts, tables.ShortKey(key)+" "+strings.Join(some, ", "))
	}
	if parts == nil {
		return ""
	}
	return "Only " + strings.Join(parts, "; ") + "."
}

// maxMachines is the number of machines that a caption lists.
const maxMachines = 3

// machinesOf lists the machines of points.
func machinesOf(r *experiments.Results, points []int) string {
	var machines []string
	for _, i := range points {
		machines = append(machines, machineText(&r.Points[i].Spec))
	}
	switch machines = tables.Unique(machines); {
	case len(machines) == 1:
		return "Machine: " + machines[0] + "."
	case len(machines) > maxMachines:
		return fmt.Sprintf("Machines: %d, from %s to %s.", len(machines), machines[0],
			machines[len(machines)-1])
	}
	return "Machines: " + strings.Join(machines, "; ") + "."
}

// machineText describes a machine in a few words that distinguish it from others.
func machineText(s *config.Spec) string {
	m := &s.Machine
	text := m.Phrase()
	if m.IsGrid() && m.Topology != "hypercube" {
		text = m.Topology + " " + crossed(m.Sides())
	}
	if !m.IsGrid() {
		return text
	}
	if m.Concentration > 1 {
		text += fmt.Sprintf(", concentration %d", m.Concentration)
	}
	for _, name := range []string{"wrap", "service_rows"} {
		k, _ := config.FindKey("machine." + name)
		if value := k.Label(s); value != "[]" {
			text += ", " + tables.ShortKey(k.Path) + " " + value
		}
	}
	return text
}

// crossed writes the sides of a machine, as in 16 × 22.
func crossed(dims []int) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = fmt.Sprint(d)
	}
	return strings.Join(parts, " × ")
}

// leftOut is the sentence about values that a logarithmic axis does not show.
const leftOut = "Values of 0 or less have no place on a logarithmic axis and are left out."

// leavesOut reports whether a figure has marks for which a logarithmic axis has no place.
func leavesOut(r *experiments.Results, f *study.Figure, d *plot.Figure,
	names *config.Registry) bool {
	if !f.LogX && !f.LogY {
		return false
	}
	linear := *f
	linear.LogX, linear.LogY = false, false
	all, _ := drawingOf(r, &linear, names)
	return marksIn(d) < marksIn(&all)
}

// marksIn counts the marks of a figure, those of published values too.
func marksIn(d *plot.Figure) (n int) {
	for _, p := range panelsOf(d) {
		for _, s := range p.Series {
			for _, y := range slices.Concat(s.Y, s.Published) {
				if isNumber(y) {
					n++
				}
			}
		}
	}
	return n
}
