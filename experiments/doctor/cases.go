package doctor

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/spec"
	"contend/experiments/study"
)

// Case is a small study whose runs have recorded metrics.
type Case struct {
	Name string // name of its files
	// Study has the text of the study, Recorded a line of JSON for each run.
	Study, Recorded string
}

// files has NAME.toml and NAME.jsonl of each case. go test -update writes the
// recorded runs.
//
//go:embed cases
var files embed.FS

// Cases lists all cases.
func Cases() []Case {
	entries, err := files.ReadDir("cases")
	if err != nil {
		panic("doctor: the cases cannot be listed: " + err.Error())
	}
	var cases []Case
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			cases = append(cases, Case{name, read(name + ".toml"), read(name + ".jsonl")})
		}
	}
	return cases
}

// read returns the text of a file, "" if there is none.
func read(name string) string {
	text, _ := files.ReadFile("cases/" + name)
	return string(text)
}

// results makes the runs of the case in memory.
func (c Case) results(ctx context.Context, run experiments.RunFunc, workers int) (
	*experiments.Results, error) {
	names := spec.BuiltinNames()
	st, err := study.Parse(c.Name+".toml", c.Study, names)
	if err != nil {
		return nil, err
	}
	runner := experiments.Runner{Names: names, Run: run, Workers: workers,
		Folder: experiments.NewMemory("doctor"), Log: slog.New(slog.DiscardHandler)}
	return runner.Study(ctx, st)
}

// line is a run.
type line struct {
	Point       string             `json:"point"`
	Replication int                `json:"replication"`
	Metrics     map[string]float64 `json:"metrics"`
}

// linesOf lists the runs of a study, in its order.
func linesOf(r *experiments.Results) (lines []string) {
	for i, p := range r.Points {
		for n, run := range r.Runs[i] {
			l := line{strings.Join(p.Labels, " "), n, map[string]float64{}}
			for _, m := range run.Metrics {
				if v, ok := run.Value(m.Name); ok {
					l.Metrics[m.Name] = v
				}
			}
			text, err := json.Marshal(l)
			if err != nil {
				panic("doctor: a metric that JSON cannot hold: " + err.Error())
			}
			lines = append(lines, string(text))
		}
	}
	return lines
}

// recorded lists the recorded runs.
func (c Case) recorded() []string {
	if c.Recorded == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(c.Recorded, "\n"), "\n")
}

// at returns the text at an index, "" behind the last one.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// difference says how two lines differ, "" if they are equal.
func difference(got, want string) string {
	if got == want {
		return ""
	}
	var g, w line
	if json.Unmarshal([]byte(got), &g) != nil || json.Unmarshal([]byte(want), &w) != nil ||
		g.Point != w.Point || g.Replication != w.Replication {
		return fmt.Sprintf("run %q, recorded %q", got, want)
	}
	run := fmt.Sprintf("%s, replication %d", g.Point, g.Replication)
	both := maps.Clone(g.Metrics)
	maps.Copy(both, w.Metrics)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		a, hasA := g.Metrics[name]
		b, hasB := w.Metrics[name]
		switch {
		case !hasA:
			return fmt.Sprintf("%s: no %s, recorded %v", run, name, b)
		case !hasB:
			return fmt.Sprintf("%s: %s is %v, none recorded", run, name, a)
		case a != b:
			return fmt.Sprintf("%s: %s is %v, recorded %v", run, name, a, b)
		}
	}
	return fmt.Sprintf("run %q, recorded %q", got, want)
}
