package experiments

import (
	"fmt"
	"slices"
	"strings"
)

// PointNotes says what a user has to know of the points of a study before they
// run: what flags left out, how jobs are calibrated, which points nothing is
// drawn for.
func (st *Study) PointNotes(points []Point) []string {
	notes := append(slices.Clone(st.Remarks), st.calibrationNotes(points)...)
	if n := st.Runs.Replications; n > 1 {
		if text := onceText(points); text != "" {
			notes = append(notes, fmt.Sprintf("runs.replications = %d: %s", n, text))
		}
	}
	return notes
}

// onceText says that some points are run once, and how replications of a log
// could differ; "" where there are none.
func onceText(points []Point) string {
	once, ofLog := 0, false
	for i := range points {
		if points[i].Once {
			once++
			ofLog = ofLog || logs.holds(&points[i].Spec)
		}
	}
	text := ""
	switch once {
	case 0:
		return ""
	case len(points):
		text = "nothing is drawn at random, so every point is run once and has no confidence interval"
	default:
		text = fmt.Sprintf("at %d of %d points nothing is drawn at random, so they are run once and have no confidence interval", once, len(points))
	}
	if ofLog {
		text += "; replications of a log differ with workload.window (each takes another window of it) or workload.shake (each moves the submissions)"
	}
	return text
}

// precisionText says what the intervals in a table are.
func (r *Results) precisionText() string {
	if n := r.Study.Runs; n.Replications == 1 && n.MaxRelativeError == 0 {
		return "One replication, so there are no confidence intervals."
	}
	once := onceText(r.Points)
	if once != "" && !slices.ContainsFunc(r.Points, func(p Point) bool { return !p.Once }) {
		return upperFirst(once) + "."
	}
	text := fmt.Sprintf("Means with %g%% confidence intervals over the replications.",
		100*r.Study.Runs.Confidence)
	if r.Study.Runs.MaxRelativeError > 0 {
		text += " Replications were added until the primary metrics were precise, so intervals hold" +
			" the mean slightly less often than stated (runs.max_relative_error says by how much)."
	}
	if once != "" {
		text += " " + upperFirst(once) + "."
	}
	return text
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// publishedText says whose the published figures are, where flags changed the
// study or its log; "" where they are those of the study as it is.
func (r *Results) publishedText() string {
	if r.Study.Changed == nil || r.Study.Published.CSV == "" {
		return ""
	}
	whose := "the whole study, unchanged"
	if traces := r.publishedTraces(); traces != nil {
		whose += ", on " + strings.Join(traces, ", ")
	}
	changes := strings.Join(r.Study.Changed, " ")
	if !slices.ContainsFunc(r.published, func(row map[string]float64) bool { return row != nil }) {
		return fmt.Sprintf("The published figures are of %s; none is about these runs (%s).", whose, changes)
	}
	return fmt.Sprintf("The published figures are of %s; these runs have %s.", whose, changes)
}

// publishedTraces lists the logs the published figures are about.
func (r *Results) publishedTraces() []string {
	var traces []string
	for _, row := range r.Study.Published.mustRows() {
		if name, ok := row.where["workload.trace"].(string); ok && !slices.Contains(traces, name) {
			traces = append(traces, name)
		}
	}
	return traces
}

// incomparable says why results cannot be judged by a rule; "" where they can. A
// ranking is about measured figures alone, and holds of other logs and machines
// too, but not of the small version.
func (r *Results) incomparable(t *Tolerance) string {
	changed := r.Study.Changed
	if t.Rule == "ranking" && !slices.Contains(changed, "--quick") {
		return ""
	}
	if len(changed) == 0 {
		return ""
	}
	return "the runs have " + strings.Join(changed, " ") + ", and the rules are about the whole study, unchanged"
}

// Incomparable says why no rule of the study can judge the results; "" where
// one can, or the study has none.
func (r *Results) Incomparable() string {
	why := ""
	for i := range r.Study.Tolerances {
		if why = r.incomparable(&r.Study.Tolerances[i]); why == "" {
			return ""
		}
	}
	return why
}
