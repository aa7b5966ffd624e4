package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// calibrate resolves job.calibrate_on at every point. The result is "" if the
// point is its own reference, otherwise the keys of the reference that differ
// from their defaults.
func calibrate(points []Point, names spec.Names) error {
	first := map[string]*spec.Spec{} // first point by the keys that make the jobs
	for i := range points {
		s := &points[i].Spec
		if !s.Calibrates() {
			continue
		}
		given := s.Job.CalibrateOn
		s.Job.CalibrateOn = ""
		if given == spec.CalibrateEach {
			continue
		}
		jobs := s.CanonicalOf(spec.MakesJobs)
		if first[jobs] == nil {
			first[jobs] = s
		}
		reference, err := first[jobs].ReferenceBy(given, names)
		if err != nil {
			return err
		}
		if text := reference.ReferenceText(); text != s.ReferenceText() {
			s.Job.CalibrateOn = text
		}
	}
	return nil
}

// calibrationNotes returns sentences about the effect of the axes on the
// calibration of jobs.
func (st *Study) calibrationNotes(points []Point) []string {
	var notes []string
	if !slices.ContainsFunc(points, func(p Point) bool { return p.Spec.Calibrates() }) {
		return nil
	}
	if st.Base.Job.CalibrateOn == spec.CalibrateEach {
		return []string{"job.calibrate_on = each: points that differ in machine or network have " +
			"jobs with different messages"}
	}
	for _, p := range points {
		if p.Spec.Job.CalibrateOn == "" {
			continue
		}
		note := fmt.Sprintf("jobs are calibrated once, on %s: where machine or network differ, "+
			"as at %s, they have the same messages, and alone do not run as long as the log says",
			p.Spec.Job.CalibrateOn, strings.Join(p.Labels, ", "))
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
			break
		}
	}
	for i, a := range st.Axes {
		if len(a.Values) > 1 && calibratedAnew(points, i) {
			notes = append(notes, fmt.Sprintf("every value of the axis %s has its own "+
				"calibration: its jobs have other messages", a.Key))
		}
	}
	return notes
}

// calibratedAnew reports whether points that differ in one axis alone have jobs
// of different programs, so that they cannot share a calibration.
func calibratedAnew(points []Point, axis int) bool {
	program := func(path string) bool {
		return spec.MakesJobs(path) && strings.HasPrefix(path, "job.")
	}
	seen := map[string]string{}
	for i := range points {
		p := &points[i]
		if !p.Spec.Calibrates() {
			continue
		}
		others := strings.Join(slices.Delete(slices.Clone(p.Labels), axis, axis+1), "\n")
		text := p.Spec.CanonicalOf(program)
		if before, ok := seen[others]; ok && before != text {
			return true
		}
		seen[others] = text
	}
	return false
}
