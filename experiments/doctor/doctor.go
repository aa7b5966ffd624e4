// Package doctor tests whether this program computes on this machine what it
// computes elsewhere, as contend doctor does.
//
// A case is a small study and the metrics of its runs, which hold on every
// processor. Examine makes the runs on the ordinary path of a study and compares
// every digit. The package writes no files; only times differ from one
// examination to the next.
package doctor

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/input"
)

// Outcome is the result of a case.
type Outcome struct {
	Case    string  // name of the case
	Title   string  // what its study simulates
	Runs    int     // number of compared runs
	Differ  int     // number of runs that differ
	Problem string  // the first difference or the error, "" if there is none
	Seconds float64 // time that the case took
}

// OK reports whether all runs are as recorded.
func (o Outcome) OK() bool { return o.Problem == "" }

// String returns one line, and a second one if the case failed.
func (o Outcome) String() string {
	word, problem := "ok    ", ""
	if !o.OK() {
		word, problem = "FAILED", "        "+input.Printable(o.Problem)+"\n"
	}
	return fmt.Sprintf("%s  %-12s  %s, %d differ, %.1f s: %s\n%s", word, o.Case,
		input.Plural(o.Runs, "run"), o.Differ, o.Seconds, cmp.Or(o.Title, "not read"), problem)
}

// Examine makes the runs of each case with the given number of workers and passes
// each outcome to told. It returns the number of failed cases. The error is the
// context's.
func Examine(ctx context.Context, cases []Case, run experiments.RunFunc, workers int,
	told func(Outcome)) (failed int, err error) {
	for _, c := range cases {
		start := time.Now()
		o := c.examine(ctx, run, workers)
		if ctx.Err() != nil {
			return failed, ctx.Err()
		}
		o.Seconds = time.Since(start).Seconds()
		told(o)
		if !o.OK() {
			failed++
		}
	}
	return failed, nil
}

// examine compares the runs of a case with the recorded ones.
func (c Case) examine(ctx context.Context, run experiments.RunFunc, workers int) Outcome {
	o := Outcome{Case: c.Name}
	results, err := c.results(ctx, run, workers)
	if err != nil {
		o.Problem = err.Error()
		return o
	}
	o.Title = results.Study.Title
	got, want := linesOf(results), c.recorded()
	o.Runs = max(len(got), len(want))
	for i := range o.Runs {
		d := difference(at(got, i), at(want, i))
		if d != "" {
			o.Differ++
			o.Problem = cmp.Or(o.Problem, d)
		}
	}
	if o.Runs == 0 {
		o.Problem = "nothing was compared"
	}
	return o
}

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
	names := config.BuiltinNames()
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
