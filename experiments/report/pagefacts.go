package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report/floor"
	"contend/experiments/report/tables"
	"contend/experiments/service/external"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/input"
)

// fact is a term with its description.
type fact struct {
	Term  string
	Lines []string // one or more
	Wide  bool     // the fact needs a whole row
}

// axisFact is an axis of the study with the labels of its values.
type axisFact struct {
	Key    string
	Values []string
}

// facts describe what was run.
type facts struct {
	Facts    []fact
	Cites    string
	Axes     []axisFact
	Doc      []string // paragraphs of the study's description
	Notes    []string // what differs from the paper
	Spec     string   // the resolved study
	Commands string   // that repeat the runs
	Programs []userProgram
}

// factsOf collects facts from the results and from the files of their folder.
func factsOf(r *experiments.Results) (*facts, error) {
	st := r.Study
	resolved, err := input.ReadFile(filepath.Join(r.Folder.Dir, "spec.toml"), input.StudyLimits)
	if err != nil {
		return nil, input.Unreadable(err, "give the folder that contend run wrote")
	}
	f := &facts{Cites: st.Cites, Doc: paragraphs(st.Doc), Notes: st.Notes, Spec: string(resolved),
		Commands: commands(r), Programs: programsOf(r)}
	for _, key := range r.AxisKeys() {
		f.Axes = append(f.Axes, axisFact{key, r.Study.LabelsOf(r.Points, key)})
	}
	var machines []string
	for i := range r.Points {
		plan, err := r.Points[i].Spec.Plan()
		if err != nil {
			return nil, err
		}
		machines = append(machines, floor.MachineName(plan))
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
	f.add("Machine", tables.Unique(machines)...)
	f.add("Workload", st.InputNotes("")...)
	f.add("Log", specTexts(r, logOf)...)
	f.add("Window", specTexts(r, windowOf)...)
	f.add("Load", loadText(r))
	f.add("Time scale", specTexts(r, timeScaleOf)...)
	f.add("Said of the runs", notes...)
	f.add("Changed by flags", strings.Join(slices.Concat(st.Changed, st.Selected), " "))
	points := fmt.Sprint(len(r.Points))
	if len(st.Axes) == 0 {
		points = "1, the study has no axes"
	}
	f.add("Points", points)
	f.add("Runs", runsText(r))
	f.add("Replications", replicationsText(r))
	seed := func(s *config.Spec) string { return fmt.Sprint(s.Seed) }
	f.add("Seed", strings.Join(specTexts(r, seed), ", "))
	f.add("Times are in", strings.Join(specTexts(r, (*config.Spec).ClockUnit), ", "))
	if name := r.Program(); name != "" {
		f.add("Program", "contend "+name)
	}
	f.add("Results", sum)
	return f, nil
}

// add appends a fact, unless all its lines are empty.
func (f *facts) add(term string, lines ...string) {
	if lines = tables.NonEmpty(lines...); len(lines) > 0 {
		wide := slices.ContainsFunc(lines, func(s string) bool { return len(s) > 60 })
		f.Facts = append(f.Facts, fact{term, lines, wide})
	}
}

// paragraphs splits a text at its empty lines, and joins the lines of each part.
func paragraphs(text string) []string {
	parts := strings.Split(text, "\n\n")
	for i := range parts {
		parts[i] = tables.OneLine(parts[i])
	}
	return tables.NonEmpty(parts...)
}

// specTexts lists the different texts that textOf returns for the points, without "".
func specTexts(r *experiments.Results, textOf func(*config.Spec) string) []string {
	texts := tables.Distinct(r, tables.AllPoints(r), func(p *study.Point) string {
		return textOf(&p.Spec)
	})
	return tables.NonEmpty(texts...)
}

// runsText counts the runs, and states whether any is missing.
func runsText(r *experiments.Results) string {
	byHash, runs := map[string]int{}, 0 // points that are the same run count once
	for i, p := range r.Points {
		byHash[p.Hash] = max(byHash[p.Hash], r.Replications(i))
	}
	for _, n := range byHash {
		runs += n
	}
	if r.Complete() {
		return fmt.Sprint(runs)
	}
	return fmt.Sprintf("%d; the study is not complete, contend run resumes it", runs)
}

// replicationsText counts the replications of the points, and states their precision.
func replicationsText(r *experiments.Results) string {
	low, high := math.MaxInt, 0
	for i := range r.Points {
		low, high = min(low, r.Replications(i)), max(high, r.Replications(i))
	}
	text := tables.CountText(low, high) + " of each point"
	if e := r.Study.Runs.MaxRelativeError; e > 0 {
		text += fmt.Sprintf(", until the primary metrics are within %g%% (%g%% confidence)", 100*e,
			100*r.Study.Runs.Confidence)
	}
	return text
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

// sumOf returns the checksum of the file of runs, "" if there is no file. Runs of the same study
// give the same checksum.
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

// commands returns the commands that repeat the study and judge it again.
func commands(r *experiments.Results) string {
	text := "contend run spec.toml -o again\n"
	if len(r.Study.Tolerances) > 0 && Incomparable(r) == "" {
		text += "contend compare again\n"
	}
	return text + "contend report again\nsha256sum again/runs.jsonl\n"
}

// maxProgramBytes is the size of a file of a program up to which a page has its text.
const maxProgramBytes = 100_000

// userProgram is a program of the user that answered in runs.
type userProgram struct {
	Command string
	Files   []programFile
	Missing string // why its files are not in the page, "" if they are or it has none
}

// programFile is a file that a command names.
type programFile struct {
	Path, Name string // as in the command; and without folder
	SHA256     string
	Bytes      int
	Text       string // "" if it is none, or long
	URL        template.URL
}

// programsOf returns the programs of users in runs, with the files that their commands name, as
// seen from the working folder.
func programsOf(r *experiments.Results) (list []userProgram) {
	var commands []string
	for i := range r.Points {
		commands = append(commands, r.Points[i].Spec.Programs()...)
	}
	for _, command := range tables.Unique(commands) {
		list = append(list, userProgramOf(command))
	}
	return list
}

// userProgramOf reads the files of a command.
func userProgramOf(command string) userProgram {
	p := userProgram{Command: "exec:" + command}
	c, err := external.ParseCommand(command)
	var paths []string
	if err == nil {
		paths, err = c.Files()
	}
	if err != nil {
		p.Missing = err.Error()
		return p
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			p.Missing = err.Error()
			return p
		}
		f := programFile{Path: path, Name: filepath.Base(path), Bytes: len(content),
			SHA256: fmt.Sprintf("%x", sha256.Sum256(content))}
		if len(content) <= maxProgramBytes && utf8.Valid(content) {
			f.Text, f.URL = string(content), dataURL("text/plain", content)
		}
		p.Files = append(p.Files, f)
	}
	return p
}
