package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/internal/decimal"
	"contend/internal/input"
)

// fact is a term with its description, a line or more.
type fact struct {
	Term  string
	Lines []string
	Wide  bool // the fact needs a whole row
}

// axisFact is an axis of the study.
type axisFact struct {
	Key    string
	Values []string
}

// facts describe what was run.
type facts struct {
	Facts []fact
	Cites string
	Axes  []axisFact
	// Doc has the paragraphs of the study's description.
	Doc []string
	// Notes say what differs from the paper.
	Notes []string
	// Spec is the resolved study.
	Spec string
	// Commands repeat the runs.
	Commands string
}

// factsOf collects what was run from the results and from the files of their folder.
func factsOf(r *experiments.Results) (*facts, error) {
	st := r.Study
	resolved, err := input.ReadFile(filepath.Join(r.Folder.Dir, "spec.toml"), input.StudyLimits)
	if err != nil {
		return nil, input.Unreadable(err, "give the folder that contend run wrote")
	}
	f := &facts{Cites: st.Cites, Doc: paragraphs(st.Doc), Notes: st.Notes, Spec: string(resolved),
		Commands: commands(r)}
	for _, key := range r.AxisKeys() {
		f.Axes = append(f.Axes, axisFact{key, r.Study.LabelsOf(r.Points, key)})
	}
	var failed error
	machines := eachOf(r, func(s *config.Spec) string {
		plan, err := s.Plan()
		if err != nil {
			failed = err
			return ""
		}
		return plot.MachineName(plan)
	})
	if failed != nil {
		return nil, failed
	}
	sum, err := sumOf(filepath.Join(r.Folder.Dir, experiments.RunsFile))
	if err != nil {
		return nil, err
	}
	notes, err := r.Folder.Notes()
	if err != nil {
		return nil, err
	}
	f.add("Study", st.Name)
	f.add("Machine", machines...)
	f.add("Workload", st.InputNotes("")...)
	f.add("Log", eachOf(r, logOf)...)
	f.add("Window", eachOf(r, windowOf)...)
	f.add("Load", loadText(r))
	f.add("Time scale", eachOf(r, timeScaleOf)...)
	f.add("Said of the runs", notes...)
	f.add("Changed by flags", strings.Join(slices.Concat(st.Changed, st.Selected), " "))
	f.add("Points", pointsText(r))
	f.add("Runs", runsText(r))
	f.add("Replications", replicationsText(r))
	seed := func(s *config.Spec) string { return fmt.Sprint(s.Seed) }
	f.add("Seed", strings.Join(eachOf(r, seed), ", "))
	f.add("Times are in", strings.Join(eachOf(r, (*config.Spec).ClockUnit), ", "))
	f.add("Program", program(r))
	f.add("Results", sum)
	return f, nil
}

// add appends a fact, unless all its lines are empty.
func (f *facts) add(term string, lines ...string) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return s == "" })
	if len(lines) > 0 {
		wide := slices.ContainsFunc(lines, func(s string) bool { return len(s) > 60 })
		f.Facts = append(f.Facts, fact{term, lines, wide})
	}
}

// paragraphs cuts a text at its empty lines.
func paragraphs(text string) []string {
	var all []string
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// eachOf lists the texts that of returns for the points, each text once.
func eachOf(r *experiments.Results, of func(*config.Spec) string) (texts []string) {
	for i := range r.Points {
		if text := of(&r.Points[i].Spec); text != "" {
			texts = append(texts, text)
		}
	}
	return tables.Unique(texts)
}

// pointsText counts the points.
func pointsText(r *experiments.Results) string {
	if len(r.Study.Axes) == 0 {
		return "1, the study has no axes"
	}
	return fmt.Sprint(len(r.Points))
}

// runsText counts the runs, and says whether any is missing.
func runsText(r *experiments.Results) string {
	runs := map[experiments.RunKey]bool{}
	for i, p := range r.Points {
		for rep := range r.Replications(i) {
			runs[experiments.RunKey{Hash: p.Hash, Replication: rep}] = true
		}
	}
	if r.Complete() {
		return fmt.Sprint(len(runs))
	}
	return fmt.Sprintf("%d; the study is not complete, contend run resumes it", len(runs))
}

// replicationsText counts the replications of the points, and states their precision.
func replicationsText(r *experiments.Results) string {
	low, high := -1, 0
	for i := range r.Points {
		n := r.Replications(i)
		if high = max(high, n); low < 0 || n < low {
			low = n
		}
	}
	text := tables.CountText(low, high) + " of each point"
	if e := r.Study.Runs.MaxRelativeError; e > 0 {
		text += fmt.Sprintf(", until the primary metrics are within %g%% (%g%% confidence)", 100*e,
			100*r.Study.Runs.Confidence)
	}
	return text
}

// program names the program that made the runs.
func program(r *experiments.Results) string {
	if name := r.Program(); name != "" {
		return "contend " + name
	}
	return ""
}

// logOf names the log of a point, with its checksum where it is known.
func logOf(s *config.Spec) string {
	w := &s.Workload
	switch {
	case !w.HasTrace() || w.Trace == "":
		return ""
	case w.TraceSHA256 == "":
		return input.BaseName(w.Trace)
	}
	return input.BaseName(w.Trace) + ", which has the SHA-256 " + w.TraceSHA256
}

// windowOf describes the jobs of a log that a point takes, "" if it has no log.
func windowOf(s *config.Spec) string {
	w := &s.Workload
	if !w.HasTrace() {
		return ""
	}
	text := "all jobs"
	if w.Jobs > 0 {
		text = fmt.Sprintf("%d jobs", w.Jobs)
	}
	if w.Start > 0 {
		text += fmt.Sprintf(" after the first %d", w.Start)
	}
	if w.Window > 0 {
		text += fmt.Sprintf("; replications are windows, %d jobs apart", w.Window)
	}
	if s.WarmupJobs > 0 {
		text += fmt.Sprintf("; the first %d are a warm-up", s.WarmupJobs)
	}
	return text
}

// loadText returns the smallest and the largest load of the runs, "" if none has a load.
func loadText(r *experiments.Results) string {
	const metric = "submitted_load"
	low, high := math.Inf(1), math.Inf(-1)
	for i := range r.Points {
		if e, ok := r.Estimate(i, metric); ok {
			low, high = min(low, e.Mean), max(high, e.Mean)
		}
	}
	text := decimal.Significant(low, 3)
	switch {
	case low > high:
		return ""
	case text != decimal.Significant(high, 3):
		text += " to " + decimal.Significant(high, 3)
	}
	return text + ", the work of the jobs over processors and the time of their submissions"
}

// timeScaleOf relates seconds of a log and cycles, "" where nothing does.
func timeScaleOf(s *config.Spec) string {
	var parts []string
	if s.Job.Run != "fixed" && s.Workload.HasTrace() && s.Network.Cycle == "" {
		text := decimal.Exact(float64(s.Job.CyclesPerSecond)) + " cycles for a second of the log"
		if s.Job.CyclesPerSecond == input.Automatic {
			text = "as many cycles for a second of the log as fit its run times"
		}
		parts = append(parts, text)
	}
	if s.Network.Cycle != "" {
		parts = append(parts, "a cycle is "+s.Network.Cycle)
	}
	if s.FastForward > 0 {
		parts = append(parts, "time is jumped over where jobs iterate, to a tolerance of "+
			decimal.Exact(s.FastForward))
	}
	return strings.Join(parts, "; ")
}

// sumOf returns the checksum of the file of runs, by which other runs can be compared with these.
func sumOf(path string) (string, error) {
	file, err := input.Open(path, input.RunsLimits)
	if os.IsNotExist(err) {
		return "", nil
	}
	if err != nil {
		return "", input.Unreadable(err, "")
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return "", err
	}
	return "runs.jsonl has the SHA-256 " + hex.EncodeToString(digest.Sum(nil)), nil
}

// commands are those that repeat the study and judge it again.
func commands(r *experiments.Results) string {
	text := "contend run spec.toml -o again\n"
	if len(r.Study.Tolerances) > 0 && Incomparable(r) == "" {
		text += "contend compare again\n"
	}
	return text + "contend report again\nsha256sum again/runs.jsonl\n"
}
