package tables

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/internal/input"
)

// jobsText states for each axis along which the machine changes whether its values have the same
// jobs, "" if there is no such axis. Where sides are drawn in other bounds for a machine, or sizes
// are rounded for it, a comparison is one of jobs as well as of machines.
func jobsText(r *experiments.Results) string {
	var texts []string
	for axis := range r.Study.Axes {
		couples := slices.DeleteFunc(couplesOf(r, axis), func(at [2]int) bool {
			a, b := &r.Points[at[0]].Spec, &r.Points[at[1]].Spec
			return a.MachineKeys() == b.MachineKeys()
		})
		if text := jobsAlong(r, axis, couples); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " ")
}

// jobsAlong states whether pairs of points along an axis have the same jobs, and names the first
// pair of values that has not. It returns "" if the runs have recorded no jobs.
func jobsAlong(r *experiments.Results, axis int, couples [][2]int) string {
	key := r.Study.Axes[axis].Key
	var first, what []string
	others := map[string]bool{}
	for _, at := range couples {
		differ, known := r.JobsDiffer(at[0], at[1])
		if !known {
			return ""
		}
		a, b := &r.Points[at[0]].Spec, &r.Points[at[1]].Spec
		if a.ProgramKeys() != b.ProgramKeys() {
			differ = append(differ, "what they do")
		}
		if differ == nil {
			continue
		}
		pair := []string{r.Points[at[0]].Labels[axis], r.Points[at[1]].Labels[axis]}
		if first == nil {
			first, what = pair, differ
		}
		if !slices.Equal(pair, first) {
			others[strings.Join(pair, "\x00")] = true
		}
	}
	switch {
	case len(couples) == 0:
		return ""
	case first == nil:
		return fmt.Sprintf("All values of %s have the same jobs.", key)
	}
	more := ""
	if n := len(others); n > 0 {
		more = fmt.Sprintf("; so do those of %s", input.Plural(n, "other pair"))
	}
	return fmt.Sprintf("Jobs differ between %s = %s and %s, in %s%s.", key, first[0],
		first[1], strings.Join(what, ", "), more)
}
