package study

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// PointNotes returns st.Remarks, a note if parameters of a call have the defaults of another
// network at some point and, if some point uses another point's calibration, a warning that its
// jobs do not run as long alone as the log or the load says.
func (st *Study) PointNotes(points []Point) []string {
	notes := slices.Clone(st.Remarks)
	for i := range points {
		if note := points[i].Spec.AssumedNote(); note != "" {
			notes = append(notes, note)
			break
		}
	}
	for _, p := range points {
		if p.Spec.Job.CalibrateOn == "" || st.Base.Job.CalibrateOn == config.CalibrateEach {
			continue
		}
		text := ""
		switch {
		case p.Spec.Calibrates():
			text = "they have the same messages, and alone do not run as long as the log says"
		case p.Spec.MeasuresLoad():
			text = "they are submitted at the same times, and the load there is another"
		default:
			continue
		}
		return append(notes, fmt.Sprintf("jobs are calibrated once, on %s: where machine or network "+
			"differ, as at %s, %s", input.Shorten(p.Spec.Job.CalibrateOn, 120),
			strings.Join(p.Labels, ", "), text))
	}
	return notes
}

// OnceText says that some points are run once, since nothing in them is random, and how to make
// replications of a log differ. It returns "" if there are no such points.
func OnceText(points []Point) string {
	once, ofLog := 0, false
	for i := range points {
		if points[i].Once {
			once++
			ofLog = ofLog || config.LogWorkloads.Holds(&points[i].Spec)
		}
	}
	text := ""
	switch once {
	case 0:
		return ""
	case len(points):
		text = "nothing is drawn at random, " +
			"so every point is run once and has no confidence interval"
	default:
		text = fmt.Sprintf("at %d of %d points nothing is drawn at random, "+
			"so they are run once and have no confidence interval", once, len(points))
	}
	if ofLog {
		text += "; replications of a log differ with workload.window (each takes another window " +
			"of it) or workload.shake (each moves the submissions)"
	}
	return text
}

// OverlapText warns that replications simulate overlapping windows of a log, which makes confidence
// intervals too narrow, or returns "" if none overlap.
func (st *Study) OverlapText(points []Point) string {
	if st.Runs.Replications == 1 && st.Runs.MaxRelativeError == 0 {
		return ""
	}
	for i := range points {
		w := &points[i].Spec.Workload
		jobs := w.Count()
		if !config.LogWorkloads.Holds(&points[i].Spec) || w.Window == 0 ||
			jobs > 0 && jobs <= w.Window {
			continue
		}
		has := "has all jobs behind"
		if jobs > 0 {
			has = fmt.Sprintf("has %d", jobs)
		}
		return fmt.Sprintf("windows of the log overlap: each begins %s after the one before "+
			"(workload.window) and %s (workload.jobs), so replications share jobs and intervals are "+
			"too narrow", input.Plural(w.Window, "job"), has)
	}
	return ""
}

// resolveCalibration sets job.calibrate_on of every point to the machine and network on which its
// jobs are calibrated, or to "" if these are its own.
func resolveCalibration(points []Point) error {
	first := map[string]*config.Spec{} // first point by the keys that make the jobs
	for i := range points {
		s := &points[i].Spec
		if !s.Calibrates() && !s.MeasuresLoad() {
			continue
		}
		given := s.Job.CalibrateOn
		s.Job.CalibrateOn = ""
		if given == config.CalibrateEach {
			continue
		}
		jobs, err := s.SameJobs()
		if err != nil {
			return err
		}
		if first[jobs] == nil {
			first[jobs] = s
		}
		reference, err := first[jobs].ReferenceBy(given)
		if err != nil {
			return err
		}
		if text := reference.ReferenceText(); text != s.ReferenceText() {
			s.Job.CalibrateOn = text
		}
	}
	return nil
}
