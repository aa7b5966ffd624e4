package reference

import (
	"strings"

	"contend/experiments/report/figures"
	"contend/experiments/spec"
	"contend/patterns"
)

// processes is the size of the jobs whose messages the page of patterns counts.
const processes = 16

// Benchmarks and Collectives are the patterns with messages in bytes, in the order of the page.
func (reference) Benchmarks() []string {
	return []string{"npb-ft", "npb-is", "npb-cg", "npb-mg", "npb-lu", "npb-bt", "npb-sp"}
}

func (reference) Collectives() []string {
	return []string{"all-reduce-ring", "all-reduce-doubling", "all-reduce-tree",
		"all-reduce-halving", "all-reduce-direct", "all-gather-ring", "all-gather-doubling",
		"all-gather-direct", "reduce-scatter-ring", "reduce-scatter-halving", "all-to-all-direct"}
}

// Classes are those of the benchmarks.
func (reference) Classes() []string { return patterns.Classes() }

// fullRun is a full run of a benchmark of a class.
type fullRun struct {
	Iterations int
	Millions   float64 // of operations
}

// FullRuns are those of a benchmark, by class.
func (reference) FullRuns(name string) (list []fullRun) {
	for _, class := range patterns.Classes() {
		iterations, _ := patterns.Iterations(name, class)
		operations, _ := patterns.Operations(name, class)
		list = append(list, fullRun{iterations, operations / 1e6})
	}
	return list
}

// OneIteration counts what a pattern sends in one iteration, a benchmark in each class.
func (reference) OneIteration(pattern string) ([]figures.PatternReport, error) {
	plan := spec.DefaultSpec()
	plan.Job.Pattern = pattern
	if strings.HasPrefix(pattern, "npb-") {
		classes := patterns.Classes()
		plan.Job.Pattern = pattern + ":" + strings.Join(classes, "+"+pattern+":")
	}
	return figures.ReportPattern(&plan, processes)
}
